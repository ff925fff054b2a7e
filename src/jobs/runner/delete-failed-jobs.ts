import type { Pool } from 'pg';

/**
 * Deletes the jobs that have not been tried any more for 30 days, some thousand a pass, and forgets the deaths of processes in jobs
 * that are gone. By then the polls have taken up what they were about, or a person has.
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
