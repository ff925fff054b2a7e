import type { App } from '../app.ts';

/** Whether a plan of the order is still to come, or under way: what it will read is not taken in yet. One that is due later does not count. */
export async function waitsForPlan({ db }: App, { id }: { id: string }): Promise<boolean> {
  const jobs: unknown[] = await db.query('select from graphile_worker.jobs where key = $1', [`plan:${id}`]);
  return jobs.length > 0;
}
