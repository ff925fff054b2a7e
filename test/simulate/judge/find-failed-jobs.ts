import type { Platen } from '../scene.ts';
import type { Finding } from './judge.ts';

/** A job that has failed this often while every call gets a response counts as a defect. */
const TRIES = 3;

/** A job without its key was replaced by another while it ran, so it does not matter whether it failed. */
export async function findFailedJobs({ app }: Platen): Promise<Finding[]> {
  const jobs: { task: string; error: string }[] = await app.db.query(
    `select task_identifier as task, attempts || ' tries, ' || case when locked_at is null then 'due at ' || run_at else 'taken at ' || locked_at end
       || ': ' || coalesce(last_error, '') as error from graphile_worker.jobs where attempts >= $1 and (key is not null or task_identifier = 'handle_delivery')`,
    [TRIES],
  );
  return jobs.map(({ task, error }) => ({ rule: 'failed-job', evidence: `${task}: ${error.slice(0, 300)}` }));
}
