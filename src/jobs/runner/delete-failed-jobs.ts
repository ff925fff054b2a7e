import type { Pool } from 'pg';

/**
 * Deletes failed jobs that have not been tried for 30 days, up to 1,000 per pass, and the recorded process deaths of deleted jobs. By then,
 * the polls or an operator have handled the failures.
 */
export async function deleteFailedJobs(pool: Pool): Promise<void> {
  await pool.query(
    `select graphile_worker.complete_jobs(
       array(
         select id from graphile_worker._private_jobs
         where attempts >= max_attempts and locked_at is null and updated_at < now() - interval '30 days'
         limit 1000
       )
     )`,
  );
  await pool.query(
    'delete from job_deaths where not exists (select from graphile_worker._private_jobs where id = job_deaths.job_id)',
  );
}
