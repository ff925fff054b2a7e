import { PrintServiceError } from '../errors.ts';

const PAGE_SIZE = 100;
const MAX_PAGES = 200;
const MAX_PASSES = 3;

/** Reads one page of a search. `limit` and `offset` are the interface's parameters. */
export type ReadPage<Found> = (page: { limit: number; offset: number }) => Promise<Found[]>;

/**
 * Yields each record of a search when it first appears. The service returns no total, so pages are read until a short page. The service
 * also guarantees no order, so a record that moves to an earlier page would be missed. A search with several pages is therefore read again
 * from the start until a pass shows no new ID, with at most three passes. With `ids`, the search ends when all of them have been found.
 * Throws a PrintServiceError, including when a pass returns more than 20,000 records, so that no result is silently incomplete.
 */
export async function* readSearchPages<Found extends { id: string }>(
  operation: string,
  ids: readonly string[] | undefined,
  readPage: ReadPage<Found>,
): AsyncGenerator<Found, void> {
  const seen = new Set<string>();
  const wanted = new Set(ids);
  const hasAll = () => wanted.size > 0 && wanted.isSubsetOf(seen);
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const known = seen.size;
    for (let page = 0; ; page += 1) {
      if (page === MAX_PAGES) throw tooManyError(operation);
      const records = await readPage({ limit: PAGE_SIZE, offset: page * PAGE_SIZE });
      for (const record of records) {
        if (seen.has(record.id)) continue;
        seen.add(record.id);
        yield record;
      }
      if (hasAll()) return;
      if (records.length >= PAGE_SIZE) continue;
      if (page === 0 || seen.size === known) return;
      break;
    }
  }
}

function tooManyError(operation: string): PrintServiceError {
  const reason = `more than ${MAX_PAGES * PAGE_SIZE} records: narrow the filters`;
  return new PrintServiceError({ operation, outcome: 'unavailable', reason, retryable: false });
}
