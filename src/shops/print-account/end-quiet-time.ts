import type { App } from '../../app.ts';

/** Jobs that are waiting for the end of the quiet time are scheduled within this time after the end. */
const MAX_DELAY_AFTER_END = `interval '5 seconds'`;

/**
 * Ends the quiet time now, and starts the jobs that are waiting for its end. Returns the planned end, or null if there was no quiet time.
 * The row keeps the new end, because orders that were placed before it are still to be rebuilt.
 */
export async function endQuietTime(app: App): Promise<Date | null> {
  const now = app.clock.now();
  return app.db.transaction(async (manager) => {
    // The other statements wait for the lock of this row.
    await manager.query('update installation set is_alone = true where id = 1');
    const rows: { quietUntil: Date }[] = await manager.query(
      `select quiet_until as "quietUntil" from installation where quiet_until > $1
       union select quiet_until from shops where quiet_until > $1 order by 1`,
      [now],
    );
    const last = rows.at(-1);
    if (!last) return null;
    await manager.query('update installation set quiet_until = $1 where quiet_until > $1', [now]);
    await manager.query('update shops set quiet_until = $1 where quiet_until > $1', [now]);
    await manager.query(
      `update graphile_worker._private_jobs as jobs set run_at = $2, updated_at = $2
       from graphile_worker._private_tasks as tasks
       where tasks.id = jobs.task_id and tasks.identifier in ('submit_print_order', 'push_fulfillments', 'plan_order')
         and jobs.locked_at is null and jobs.attempts < jobs.max_attempts
         and exists (select from unnest($1::timestamptz[]) as quiet_until
           where jobs.run_at between quiet_until and quiet_until + ${MAX_DELAY_AFTER_END})`,
      [rows.map(({ quietUntil }) => quietUntil), now],
    );
    return last.quietUntil;
  });
}
