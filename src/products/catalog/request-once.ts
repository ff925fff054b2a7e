import { LRUCache } from 'lru-cache';
import type { DataSource } from 'typeorm';
import type { App } from '../../app.ts';
import { PrintServiceError } from '../../print/errors.ts';
import { toReadableError } from '../print-service/to-readable-error.ts';

/** How long responses are cached. Catalogs change rarely, and prices and stock are read again before anything is ordered. */
const CACHED_MS = 10 * 60_000;
const MAX_CACHED = 1_000;
/** The maximum size of all responses together, as JSON. A page of 100 products takes about 0.1 MB. */
const MAX_BYTES = 32 * 1024 * 1024;

interface ResponseCache {
  kept: LRUCache<string, object>;
  underWay: Map<string, Promise<object>>;
}

/** This process's catalog responses, keyed by the app's database. */
const cacheByDatabase = new WeakMap<DataSource, ResponseCache>();

/** One catalog call: the account, the call with all its arguments, and the name of the requested object for error messages (`what`). */
interface CatalogRequest<Answer extends object> {
  accountId: number;
  call: readonly unknown[];
  what: string;
  ask: () => Promise<Answer>;
}

/**
 * Returns the print service's response, cached for ten minutes. Identical requests from one account share one call. Accounts never share
 * responses, because products and prices depend on the account. Failures are not cached. Throws the errors of `toReadableError`.
 */
export async function requestOnce<Answer extends object>(
  app: App,
  { accountId, call, what, ask }: CatalogRequest<Answer>,
): Promise<Answer> {
  const { kept, underWay } = openCache(app);
  const key = JSON.stringify([accountId, ...call]);
  // The key contains the name of the call, so the value has the type of that call's response.
  const known = (kept.get(key) ?? underWay.get(key)) as Answer | Promise<Answer> | undefined;
  if (known) return known;
  const asked = ask()
    .then((answer) => {
      kept.set(key, answer);
      return answer;
    })
    .catch((error: unknown) => {
      throw error instanceof PrintServiceError ? toReadableError(error, what) : error;
    })
    .finally(() => underWay.delete(key));
  underWay.set(key, asked);
  return asked;
}

function openCache(app: App): ResponseCache {
  const known = cacheByDatabase.get(app.db);
  if (known) return known;
  const answers: ResponseCache = {
    kept: new LRUCache({
      max: MAX_CACHED,
      maxSize: MAX_BYTES,
      sizeCalculation: (answer, key) => key.length + JSON.stringify(answer).length,
      ttl: CACHED_MS,
      perf: { now: app.clock.ticks },
    }),
    underWay: new Map(),
  };
  cacheByDatabase.set(app.db, answers);
  return answers;
}
