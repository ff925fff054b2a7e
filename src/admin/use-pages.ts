import { useState } from 'preact/hooks';
import { useData, type Loaded } from './use-data.ts';

/** The attributes of a table that has several pages. */
export interface Pages {
  paginate: boolean;
  hasPreviousPage: boolean;
  hasNextPage: boolean;
  onPreviousPage: () => void;
  onNextPage: () => void;
}

/** Loads a list page by page. Another path starts at its first page. */
export function usePages<Page extends { next: string | null }>(
  path: string,
  options: { refreshSeconds?: number } = {},
): { loaded: Loaded<Page>; pages: Pages } {
  const [cursors, setCursors] = useState<{ of: string; before: (string | null)[] }>({ of: path, before: [null] });
  const before = cursors.of === path ? cursors.before : [null];
  const after = before.at(-1) ?? null;
  const more = path.includes('?') ? '&' : '?';
  const loaded = useData<Page>(after === null ? path : `${path}${more}after=${encodeURIComponent(after)}`, options);
  const next = loaded.data?.next ?? null;
  return {
    loaded,
    pages: {
      paginate: before.length > 1 || next !== null,
      hasPreviousPage: before.length > 1,
      hasNextPage: next !== null,
      onPreviousPage: () => setCursors({ of: path, before: before.slice(0, -1) }),
      onNextPage: () => next !== null && setCursors({ of: path, before: [...before, next] }),
    },
  };
}
