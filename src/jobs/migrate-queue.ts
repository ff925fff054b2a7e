import { runMigrations } from 'graphile-worker';
import { ImpatientClient } from '../impatient-client.ts';

/** Held while the trigger is written: replicas that replace it at once would fail. */
const MIGRATION_LOCK = '5788046901276';

/**
 * Creates or upgrades the queue's own schema `graphile_worker`. Safe to call from several replicas at once.
 * One trigger is ours: workers look for work when a job is added, but a job that waited for its queue is nothing new, so
 * a queue that gets free is announced as well. Otherwise each job of an order would wait for the next poll.
 */
export async function migrateQueue(databaseUrl: string): Promise<void> {
  await runMigrations({ connectionString: databaseUrl });
  const client = new ImpatientClient({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    await client.query(`
      begin;
      select pg_advisory_xact_lock(${MIGRATION_LOCK});
      create or replace function graphile_worker.platen_announce_free_queue() returns trigger language plpgsql as $$
      begin
        perform pg_notify('jobs:insert', '{"count":1}');
        return null;
      end $$;
      create or replace trigger platen_announce_free_queue
        after update on graphile_worker._private_job_queues
        for each row when (old.locked_at is not null and new.locked_at is null)
        execute function graphile_worker.platen_announce_free_queue();
      commit;
    `);
  } finally {
    await client.end();
  }
}
