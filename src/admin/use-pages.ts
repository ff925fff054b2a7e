import { useState } from 'preact/hooks';
import { useData, type Loaded } from './use-data.ts';

/** The attributes of a table that has several pages. */
export interface TablePages {
  paginate: boolean;
  hasPreviousPage: boolean;
  hasNextPage: boolean;
  onPreviousPage: () => void;
  onNextPage: () => void;
}

/** The page of a list that is shown. */
export interface Turns {
  /** The cursor of the page that is shown. Null for the first page. */
  after: string | null;
  /** Returns the table's attributes. `next` is the cursor that the list gave for the next page. */
  toTable: (next: string | null) => TablePages;
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

/** Loads a list page by page. Another path starts at its first page. */
export function usePages<Page extends { next: string | null }>(
  path: string,
  options: { refreshSeconds?: number } = {},
): { loaded: Loaded<Page>; pages: TablePages } {
  const { after, toTable } = useTurns(path);
  const more = path.includes('?') ? '&' : '?';
  const loaded = useData<Page>(after === null ? path : `${path}${more}after=${encodeURIComponent(after)}`, options);
  return { loaded, pages: toTable(loaded.data?.next ?? null) };
}
