import { useState } from 'preact/hooks';
import { useData, type Loaded, type RefreshSeconds } from './use-data.ts';

/** The paging attributes of a table. */
export interface TablePages {
  paginate: boolean;
  hasPreviousPage: boolean;
  hasNextPage: boolean;
  onPreviousPage: () => void;
  onNextPage: () => void;
}

interface PagesOptions<Page> {
  refreshSeconds?: RefreshSeconds<Page>;
  /** The parameter that selects a page. */
  cursor?: 'after' | 'before';
  /** Whether the list may have empty pages before its end. */
  mayBeEmpty?: boolean;
}

/**
 * Loads a list page by page. If the path changes, for example because of a filter, the list starts again at the first page. If the last
 * page becomes empty, the page before it is shown.
 */
export function usePages<Page extends { next: string | null }>(
  path: string,
  { refreshSeconds = 0, cursor = 'after', mayBeEmpty = false }: PagesOptions<Page> = {},
): { loaded: Loaded<Page>; pages: TablePages } {
  const [turned, setTurned] = useState<{ path: string; cursors: (string | null)[] }>({ path, cursors: [null] });
  const cursors = turned.path === path ? turned.cursors : [null];
  const after = cursors.at(-1) ?? null;
  const separator = path.includes('?') ? '&' : '?';
  const loaded = useData<Page>(after === null ? path : `${path}${separator}${cursor}=${encodeURIComponent(after)}`, {
    refreshSeconds,
  });
  const next = loaded.data?.next ?? null;
  const turnBack = (): void => setTurned({ path, cursors: cursors.slice(0, -1) });
  if (cursors.length > 1 && !mayBeEmpty && loaded.data !== null && isEmpty(loaded.data)) turnBack();
  return {
    loaded,
    pages: {
      paginate: cursors.length > 1 || next !== null,
      hasPreviousPage: cursors.length > 1,
      hasNextPage: next !== null,
      onPreviousPage: turnBack,
      onNextPage: () => next !== null && setTurned({ path, cursors: [...cursors, next] }),
    },
  };
}

/** A page is an object with one list of rows. */
function isEmpty(page: object): boolean {
  return Object.values(page).every((value) => !Array.isArray(value) || value.length === 0);
}
