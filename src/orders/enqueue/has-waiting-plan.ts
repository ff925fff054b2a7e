import type { Queryable } from '../../jobs/enqueue.ts';

/** Returns whether a waiting planning job will read the order's latest changes. */
export async function hasWaitingPlan(queryable: Queryable, { id }: { id: string }): Promise<boolean> {
  const jobs = await queryable.query('select from graphile_worker._private_jobs where key = $1 and locked_at is null', [
    `plan:${id}`,
  ]);
  return (jobs as unknown[]).length > 0;
}
