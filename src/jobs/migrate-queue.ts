import { runMigrations } from 'graphile-worker';
import { TimeoutClient } from '../database/timeout-client.ts';
import { toAddJobsFunction } from './enqueue.ts';

/** The number of the last migration of the queue's library. A test compares it with the library. */
export const QUEUE_MIGRATION = 20;

/** Prevents replicas from replacing the trigger simultaneously, which would fail. */
const MIGRATION_LOCK = '5788046901276';

/**
 * Creates or upgrades the queue's own schema `graphile_worker`, and adds three objects that Platen needs:
 * - A trigger announces a freed queue with a waiting job. Otherwise, workers would notice the job only at their next regular check.
 * - Indexes find jobs by queue (for the trigger), by delivery (for the list of deliveries) and by time (for the next due job).
 * - A function adds jobs (`toAddJobsFunction`).
 *
 * Several replicas may call this function simultaneously.
 */
export async function migrateQueue(databaseUrl: string): Promise<void> {
  await runMigrations({ connectionString: databaseUrl });
  const client = new TimeoutClient({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    await client.query(`
      begin;
      select pg_advisory_xact_lock(${MIGRATION_LOCK});
      create or replace function graphile_worker.platen_announce_free_queue() returns trigger language plpgsql as $$
      begin
        if exists (select from graphile_worker._private_jobs where job_queue_id = new.id and is_available and run_at <= clock_timestamp()) then
          perform pg_notify('jobs:insert', json_build_object('count', 1, 'from', old.locked_by)::text);
        end if;
        return null;
      end $$;
      create or replace trigger platen_announce_free_queue
        after update on graphile_worker._private_job_queues
        for each row when (old.locked_at is not null and new.locked_at is null)
        execute function graphile_worker.platen_announce_free_queue();
      ${toAddJobsFunction()};
      create index if not exists platen_jobs_by_queue on graphile_worker._private_jobs (job_queue_id) where is_available;
      -- Adding a job searches for a claimed job with the same key. Few jobs are claimed at a time, however many are waiting.
      create index if not exists platen_jobs_taken on graphile_worker._private_jobs (key) where is_available is not true;
      create index if not exists platen_jobs_by_time on graphile_worker._private_jobs (run_at) where is_available;
      create index if not exists platen_jobs_by_delivery on graphile_worker._private_jobs ((payload ->> 'deliveryId'))
        where payload ->> 'deliveryId' is not null;
      commit;
    `);
  } finally {
    await client.end();
  }
}
