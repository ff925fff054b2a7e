import type { App } from '../../app.ts';

/** Returns whether a waiting planning job will read the order's latest changes. */
export async function hasWaitingPlan({ db }: App, { id }: { id: string }): Promise<boolean> {
  const jobs: unknown[] = await db.query(
    'select from graphile_worker._private_jobs where key = $1 and locked_at is null',
    [`plan:${id}`],
  );
  return jobs.length > 0;
}
