import type { ClientBase } from 'pg';
import { RELEASE_WORKERS } from './claim-jobs.ts';

/** A job is no longer retried after its process has died this many times while running it, regardless of the job's number of attempts. */
const MAX_DEATHS = 5;

export interface ReleasedJobs {
  /** Number of runners that were found dead. */
  runners: number;
  /** The IDs of jobs that are now set aside. */
  setAside: string[];
}

/**
 * Releases the jobs and queues of dead runners: runners whose row in `job_runners` exists and whose lock is free. Otherwise, their jobs
 * would stay locked for 4 hours. In the first 3 s after the server starts, nothing is released, because live runners need a moment to
 * acquire their locks again.
 *
 * A released job may have caused its process to die. After the first death, the job runs again immediately. After the second, third and
 * fourth, it waits 7, 20 and 55 s, so that other jobs can continue. After the fifth, it is set aside
 * (docs/decisions/0013-failures-stay-isolated.md).
 */
export async function releaseDeadWorkers(client: ClientBase, ownLockKey: string): Promise<ReleasedJobs> {
  await client.query('begin');
  try {
    // Only rows that this statement deleted are released. A runner that acquires its lock again deletes its own row.
    const { rows } = await client.query<{ worker_ids: string[] }>(
      `with dead as materialized (
         select lock_key from job_runners
         where lock_key <> $1
           and now() - pg_postmaster_start_time() > interval '3 seconds'
           and pg_try_advisory_xact_lock(lock_key)
       )
       delete from job_runners using dead where job_runners.lock_key = dead.lock_key returning worker_ids`,
      [ownLockKey],
    );
    const workerIds = rows.flatMap(({ worker_ids }) => worker_ids);
    const setAside = workerIds.length > 0 ? await recordDeaths(client, workerIds) : [];
    if (workerIds.length > 0) await client.query(RELEASE_WORKERS, [workerIds]);
    await client.query('commit');
    return { runners: rows.length, setAside };
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

async function recordDeaths(client: ClientBase, workerIds: string[]): Promise<string[]> {
  const { rows } = await client.query<{ id: string; deaths: number }>(
    `with died as (
       insert into job_deaths (job_id, deaths)
       select id, 1 from graphile_worker._private_jobs
       -- A job that was enqueued again under its key has lost the key and is no longer tried. Its successor has its own count.
       where locked_by = any ($1) and (key is not null or attempts < max_attempts)
       on conflict (job_id) do update set deaths = job_deaths.deaths + 1, died_at = now()
       returning job_id, deaths
     )
     update graphile_worker._private_jobs as jobs
     set run_at = greatest(run_at, now() + exp(least(deaths, 10)) * interval '1 second'),
         attempts = case when deaths >= $2 then max_attempts else attempts end,
         last_error = format('The process died while it ran this job (%s times).', deaths),
         updated_at = now()
     from died where jobs.id = died.job_id and deaths > 1
     returning jobs.id::text, deaths`,
    [workerIds, MAX_DEATHS],
  );
  return rows.filter(({ deaths }) => deaths >= MAX_DEATHS).map(({ id }) => id);
}
