import type { Pool } from 'pg';

/**
 * Moves the next attempt of failed jobs to at most 10 minutes from now. By default, the queue waits e^attempts seconds: 18 minutes after
 * the 7th failure and 6 hours from the 10th. A job throws only because of a bug or a database outage. Once that is fixed, an order should
 * not be delayed for hours.
 */
export async function capRetryDelays(pool: Pool): Promise<void> {
  await pool.query(
    `select graphile_worker.reschedule_jobs(
       array(
         select id from graphile_worker.jobs
         where last_error is not null and attempts between 1 and max_attempts - 1
           and locked_at is null and run_at > now() + interval '10 minutes'
         limit 1000
       ),
       run_at => now() + interval '10 minutes'
     )`,
  );
}
