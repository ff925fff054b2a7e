import { ShopifyError } from './errors.ts';

/** A page of a connection, in the form that every document requests. */
export interface Page<Node> {
  nodes: Node[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

/** Fetches the page after a cursor (null: the first page). Returns null if the list's owner does not exist. */
type ReadPage<Node> = (after: string | null) => Promise<Page<Node> | null>;

/** More pages than any list can have, so that a repeated cursor cannot cause an endless loop. */
const MAX_PAGES = 1_000;

/**
 * Yields the pages after `first` (null: all pages), one at a time. Throws a retryable ShopifyError if the list disappears between two
 * pages, because a partial list must not count as complete.
 */
export async function* readPages<Node>(
  operation: string,
  first: Page<Node> | null,
  read: ReadPage<Node>,
): AsyncGenerator<Page<Node>> {
  let page = first;
  for (let count = 0; count < MAX_PAGES; count += 1) {
    if (page && !page.pageInfo.hasNextPage) return;
    page = await read(page?.pageInfo.endCursor ?? null);
    if (!page)
      throw new ShopifyError('unavailable', { operation, effect: 'none', codes: ['disappeared between two pages'] });
    yield page;
  }
  throw new ShopifyError('unavailable', { operation, effect: 'none', codes: ['too many pages'] });
}

/** Reads a complete list: the nodes of `first` and of every page after it. */
export async function readAll<Node>(operation: string, first: Page<Node>, read: ReadPage<Node>): Promise<Node[]> {
  const nodes = [...first.nodes];
  for await (const page of readPages(operation, first, read)) nodes.push(...page.nodes);
  return nodes;
}

/** Completes the items one after another, so that an order with many long lists does not empty the shop's bucket of points in one burst. */
export async function readSequentially<Item, Whole>(
  items: readonly Item[],
  read: (item: Item) => Promise<Whole>,
): Promise<Whole[]> {
  const whole: Whole[] = [];
  for (const item of items) whole.push(await read(item));
  return whole;
}
