import type { Pool } from 'pg';
import { ENQUEUE_LOCK } from '../enqueue.ts';

/**
 * Deletes the queues that have no job: every order has one of its own.
 * The lock keeps every enqueue out for that moment. Without it a queue could go while a transaction that is not committed
 * yet adds a job to it, and a job whose queue is gone never runs. When the lock is not to be had within 2 s it rejects,
 * and the next pass tries again.
 */
export async function deleteIdleQueues(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query("set local lock_timeout = '2s'");
    await client.query(`select pg_advisory_xact_lock(${ENQUEUE_LOCK})`);
    // A statement of its own: it sees all commits from before the lock.
    await client.query(
      `delete from graphile_worker._private_job_queues q where locked_at is null
         and not exists (select from graphile_worker._private_jobs where job_queue_id = q.id)`,
    );
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}
