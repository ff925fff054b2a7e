import type { DataSource } from 'typeorm';

/** Runs a function while the queue accepts no jobs. */
export async function withRefusedJobs(db: DataSource, run: () => Promise<void>): Promise<void> {
  const table = 'alter table graphile_worker._private_jobs';
  await db.query(`${table} add constraint refuses_jobs check (false) not valid`);
  try {
    await run();
  } finally {
    await db.query(`${table} drop constraint refuses_jobs`);
  }
}
