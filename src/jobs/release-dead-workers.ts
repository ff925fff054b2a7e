import type { ClientBase } from 'pg';

/**
 * Gives back the jobs and queues of runners that are gone: their row of `job_runners` is there and their lock is free.
 * The queue itself would keep them locked for 4 hours. Returns how many runners were found gone.
 * In the first 3 s of a server it finds none, since the living need a moment to take their locks again after a restart.
 */
export async function releaseDeadWorkers(client: ClientBase, ownLockKey: string): Promise<number> {
  // Only what this statement deleted is released: a runner that takes its lock again deletes the row itself.
  const { rows } = await client.query<{ runners: number }>(
    `with dead as materialized (
       select lock_key from job_runners
       where lock_key <> $1
         and now() - pg_postmaster_start_time() > interval '3 seconds'
         and pg_try_advisory_xact_lock(lock_key)
     ), gone as (
       delete from job_runners using dead where job_runners.lock_key = dead.lock_key returning worker_ids
     )
     select count(*)::int as runners,
            graphile_worker.force_unlock_workers(array(select unnest(worker_ids) from gone))
     from gone`,
    [ownLockKey],
  );
  return rows[0]?.runners ?? 0;
}
