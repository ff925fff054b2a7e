import { queryError, type View } from './view.ts';

/** The arguments of every connection. */
export interface PageArguments {
  first?: number | null;
  last?: number | null;
  after?: string | null;
  before?: string | null;
  reverse?: boolean | null;
}

/** An item's position in its list: the value of the sort key, then a number to distinguish equal values. */
export type Position = readonly [value: string, id: string];

const MAX_PAGE = 250;

/**
 * Returns one page of a list as a Relay connection. As in the real API, cursors contain a position instead of an index, so that paging
 * stays correct while items are added, removed or moved. Throws for a page size over 250 and for an invalid cursor.
 */
export function connection<Item>(
  items: readonly Item[],
  page: PageArguments,
  view: (item: Item) => View,
  positionOf: (item: Item, index: number) => Position = (_, index) => ['', String(index)],
): View {
  const limit = page.first ?? page.last;
  if (limit === null || limit === undefined) throw queryError('you must provide one of first or last');
  if (limit < 0 || limit > MAX_PAGE) throw queryError(`a page has 0 to ${MAX_PAGE} items, not ${limit}`);
  const direction = page.reverse ? -1 : 1;
  const entries = items
    .map((item, index) => ({ item, position: positionOf(item, index) }))
    .toSorted((a, b) => direction * comparePositions(a.position, b.position));
  const after = page.after ? decodeCursor(page.after) : null;
  const before = page.before ? decodeCursor(page.before) : null;
  const within = entries.filter(
    ({ position }) =>
      (after === null || direction * comparePositions(position, after) > 0) &&
      (before === null || direction * comparePositions(position, before) < 0),
  );
  const fromStart = page.first !== null && page.first !== undefined;
  const shown = fromStart ? within.slice(0, limit) : within.slice(Math.max(0, within.length - limit));
  const edges = shown.map(({ item, position }) => ({ cursor: encodeCursor(position), node: view(item) }));
  return {
    edges,
    nodes: edges.map((edge) => edge.node),
    pageInfo: {
      hasNextPage: fromStart ? shown.length < within.length : before !== null,
      hasPreviousPage: fromStart ? after !== null : shown.length < within.length,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

/** Compares sort keys as text and IDs as numbers of any length. */
function comparePositions(a: Position, b: Position): number {
  if (a[0] !== b[0]) return a[0] < b[0] ? -1 : 1;
  if (a[1].length !== b[1].length) return a[1].length - b[1].length;
  return a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : 0;
}

function encodeCursor([value, id]: Position): string {
  return Buffer.from(JSON.stringify({ last_id: id, last_value: value })).toString('base64');
}

function decodeCursor(cursor: string): Position {
  try {
    const { last_id, last_value } = JSON.parse(Buffer.from(cursor, 'base64').toString()) as Record<string, unknown>;
    if (typeof last_id === 'string' && typeof last_value === 'string') return [last_value, last_id];
  } catch {
    // The statement below rejects an invalid cursor.
  }
  throw queryError('Invalid cursor for current pagination sort.');
}
