import PQueue from 'p-queue';
import type { DataSource, EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import { ShopifyError } from '../../shopify/admin/errors.ts';

/** Of the connections of a process: the others stay for what needs no store, however long stores take to answer. */
const AT_ONCE = 5;
/** Longest wait for a turn: by then the stores do not answer. */
const TURN_MS = 10_000;
/** Longer than what whoever holds the row asks of the store. */
const LOCK_TIMEOUT = '25s';

const queues = new WeakMap<DataSource, PQueue>();

/**
 * Runs what has to ask a store while it holds a lock, in a transaction of its own: a few at once in a process, since each keeps a
 * connection to the database meanwhile. Throws ShopifyError `timeout`, with nothing done, when its turn does not come.
 */
export async function underLock<T>(
  app: App,
  operation: string,
  run: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  const queue = queues.get(app.db) ?? new PQueue({ concurrency: AT_ONCE });
  queues.set(app.db, queue);
  const turn = new AbortController();
  const timer = setTimeout(() => turn.abort(new ShopifyError('timeout', { operation, effect: 'none' })), TURN_MS);
  const work = async (): Promise<T> => {
    clearTimeout(timer);
    return app.db.transaction(async (manager) => {
      await manager.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`);
      return run(manager);
    });
  };
  return queue.add(work, { signal: turn.signal });
}
