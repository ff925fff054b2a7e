import type { Queryable } from './enqueue.ts';

/**
 * Counts the jobs that are no longer tried because they failed for the last time or were set aside. Failed jobs are stored for 30 days. A
 * job that was enqueued again under its key has lost the key, and its successor counts instead. Only a delivery's job never has a key.
 */
export async function countFailedJobs(queryable: Queryable): Promise<number> {
  const rows = await queryable.query(
    `select count(*)::int as jobs from graphile_worker.jobs
     where attempts >= max_attempts and locked_at is null and (key is not null or task_identifier = 'handle_delivery')`,
  );
  return (rows as { jobs: number }[])[0]?.jobs ?? 0;
}
