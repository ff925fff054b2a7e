import type { Queryable } from './enqueue.ts';

/**
 * Counts the jobs that are no longer retried, because they failed for the last time or were set aside. Failed jobs are stored for 30 days.
 * If a failed job was enqueued again under its key, the old job has lost the key, and only the new job counts. Jobs for deliveries count
 * even without a key, because most of them never have one.
 */
export async function countFailedJobs(queryable: Queryable): Promise<number> {
  const rows = await queryable.query(
    `select count(*)::int as jobs from graphile_worker.jobs
     where attempts >= max_attempts and locked_at is null and (key is not null or task_identifier = 'handle_delivery')`,
  );
  return (rows as { jobs: number }[])[0]?.jobs ?? 0;
}
