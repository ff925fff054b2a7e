import PQueue from 'p-queue';
import type { DataSource, EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import { ShopifyError } from '../../shopify/admin/errors.ts';

/**
 * The maximum number of a process's database connections for work that calls a store under a lock. The other connections stay free for work
 * that needs no store, however slow the stores are.
 */
const MAX_CONCURRENT = 5;
/** The maximum time that work waits to start. After this time, the store is considered unresponsive. */
const MAX_WAIT_MS = 10_000;
/** The lock timeout, which is longer than the store requests of the process that holds the lock can take. */
const LOCK_TIMEOUT = '25s';

const queues = new WeakMap<DataSource, PQueue>();

/**
 * Runs work that calls a store under a lock, in its own transaction. Each such transaction occupies a database connection, so a process
 * runs only a few of them at once. If the work would have to wait too long, it is not run, and ShopifyError `timeout` is thrown.
 */
export async function runUnderLock<T>(
  app: App,
  operation: string,
  run: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  const queue = queues.get(app.db) ?? new PQueue({ concurrency: MAX_CONCURRENT });
  queues.set(app.db, queue);
  const waiting = new AbortController();
  const cancel = app.clock.after(MAX_WAIT_MS, () =>
    waiting.abort(new ShopifyError('timeout', { operation, effect: 'none' })),
  );
  const work = async (): Promise<T> => {
    cancel();
    // Not `app.db.transaction`, which would repeat the calls to the store after a deadlock.
    return app.db.manager.transaction(async (manager) => {
      await manager.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`);
      return run(manager);
    });
  };
  return queue.add(work, { signal: waiting.signal });
}
