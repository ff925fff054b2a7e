import { useState } from 'preact/hooks';

/** The pages of a list: the position of the shown page, and what the table's paging needs. */
export interface Pages {
  after: string | null;
  /** The table's properties for paging. `next` is the response's position of the next page. */
  props: (next: string | null) => {
    paginate: boolean;
    hasPreviousPage: boolean;
    hasNextPage: boolean;
    onPreviousPage: () => void;
    onNextPage: () => void;
  };
}

/** Remembers the pages that led to the shown page. `of` is the list's filter: another filter begins at the first page. */
export function usePages(of: string): Pages {
  const [pages, setPages] = useState<{ of: string; before: (string | null)[] }>({ of, before: [null] });
  const before = pages.of === of ? pages.before : [null];
  return {
    after: before.at(-1) ?? null,
    props: (next) => ({
      paginate: before.length > 1 || next !== null,
      hasPreviousPage: before.length > 1,
      hasNextPage: next !== null,
      onPreviousPage: () => setPages({ of, before: before.slice(0, -1) }),
      onNextPage: () => next !== null && setPages({ of, before: [...before, next] }),
    }),
  };
}
