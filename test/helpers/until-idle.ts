import type { App } from '../../src/app.ts';
import { eventually } from './eventually.ts';

/** SQL condition: the job is due, or it plans an order and waits a few seconds for further webhooks about the same change. */
export const IS_DUE = `(run_at <= now() or key like 'plan:%' and run_at <= now() + interval '6 seconds')`;

/** SQL condition: the job failed while it ran, after it had been enqueued again under its key. Only the newer job counts. */
const IS_REPLACED = `(key is null and attempts >= max_attempts and locked_at is null and task_identifier <> 'handle_delivery')`;

/**
 * Waits until every delivery is handled and every due job is done. After that, Platen does nothing until a new delivery arrives or a job
 * becomes due.
 */
export async function untilIdle(app: App): Promise<void> {
  const readOpen = async (): Promise<unknown[]> =>
    app.db.query(
      `select task_identifier, key, attempts, last_error from graphile_worker.jobs where ${IS_DUE} and not ${IS_REPLACED}
       union all
       select 'delivery of ' || topic, id::text, null, result from deliveries where handled_at is null`,
    );
  await eventually(readOpen).toEqual([]);
}
