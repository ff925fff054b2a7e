import { useState } from 'preact/hooks';

/** The page of a list that is shown, and what its table needs to turn to other pages. */
interface Turns {
  /** The cursor of the page that is shown. Null for the first page. */
  after: string | null;
  /** The table's attributes. `next` is the cursor that the list gave for the next page. */
  toTable: (next: string | null) => {
    paginate: boolean;
    hasPreviousPage: boolean;
    hasNextPage: boolean;
    onPreviousPage: () => void;
    onNextPage: () => void;
  };
}

/** Turns the pages of a list. The first page is shown again when `of`, such as the list's filters, changes. */
export function useTurns(of: string): Turns {
  const [turned, setTurned] = useState<{ of: string; cursors: (string | null)[] }>({ of, cursors: [null] });
  const cursors = turned.of === of ? turned.cursors : [null];
  return {
    after: cursors.at(-1) ?? null,
    toTable: (next) => ({
      paginate: cursors.length > 1 || next !== null,
      hasPreviousPage: cursors.length > 1,
      hasNextPage: next !== null,
      onPreviousPage: () => setTurned({ of, cursors: cursors.slice(0, -1) }),
      onNextPage: () => next !== null && setTurned({ of, cursors: [...cursors, next] }),
    }),
  };
}
