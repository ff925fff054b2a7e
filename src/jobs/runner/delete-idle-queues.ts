import type { Pool } from 'pg';
import { ENQUEUE_LOCK } from '../enqueue.ts';

/**
 * Deletes the queues that contain no job. Every order has its own queue, so empty queues would accumulate. The lock prevents enqueuing
 * during the deletion. Otherwise, a queue could be deleted while an uncommitted transaction adds a job to it, and a job without its queue
 * never runs. If the lock is not free within 2 s, the function rejects, and the next pass tries again.
 */
export async function deleteIdleQueues(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query("set local lock_timeout = '2s'");
    await client.query(`select pg_advisory_xact_lock(${ENQUEUE_LOCK})`);
    // The deletion is a separate statement, so that it sees everything that was committed before the lock was acquired.
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
