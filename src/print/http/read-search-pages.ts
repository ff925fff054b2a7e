import { PrintServiceError } from '../errors.ts';

const PAGE = 100;
const MOST_PAGES = 200;
const MOST_PASSES = 3;

/** One page of a search; `limit` and `offset` are the interface's. */
export type ReadPage<Found> = (page: { limit: number; offset: number }) => Promise<Found[]>;

/**
 * All records of a search, each once, yielded when first seen. Pages are read until a short one, since no total is given. No order is
 * guaranteed, and a record that moves to an earlier page would be missed: a search of several pages is read again from the start until a
 * pass shows no new id, at most three times. With `ids`, the search ends when all are found. Throws a PrintServiceError, also if a pass
 * shows more than 20,000 records, so that no result is silently incomplete.
 */
export async function* readSearchPages<Found extends { id: string }>(
  operation: string,
  ids: readonly string[] | undefined,
  readPage: ReadPage<Found>,
): AsyncGenerator<Found, void> {
  const seen = new Set<string>();
  const wanted = new Set(ids);
  const hasAll = () => wanted.size > 0 && wanted.isSubsetOf(seen);
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const known = seen.size;
    for (let page = 0; ; page += 1) {
      if (page === MOST_PAGES) throw tooMany(operation);
      const records = await readPage({ limit: PAGE, offset: page * PAGE });
      for (const record of records) {
        if (seen.has(record.id)) continue;
        seen.add(record.id);
        yield record;
      }
      if (hasAll()) return;
      if (records.length >= PAGE) continue;
      if (page === 0 || seen.size === known) return;
      break;
    }
  }
}

function tooMany(operation: string): PrintServiceError {
  const reason = `more than ${MOST_PAGES * PAGE} records, narrow the filters`;
  return new PrintServiceError({ operation, outcome: 'unavailable', reason, retryable: false });
}
