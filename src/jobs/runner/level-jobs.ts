import type { Pool } from 'pg';
import { setReadyJobs } from '../backlogs.ts';
import { SHOP } from '../enqueue.ts';
import { LEVEL_STEP, toClassSql, toLevelSql } from '../priorities.ts';

/** Limit for level changes per pass. Jobs that would run next are changed first, and the others in the next pass. */
const MAX_CHANGES = 2_000;

/**
 * Assigns each ready job a level based on its place among its shop's ready jobs (by class, then by time), and records how many ready jobs
 * each shop has. Jobs also receive a level when they are added. However, the adding process does not know all jobs, and places change as
 * jobs end or become ready. A job that is being claimed or replaced is skipped, so that this statement neither waits nor blocks others.
 */
export async function levelJobs(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ shop: string; jobs: number }>(
    `with ready as materialized (
       select id, priority, shop, ${toClassSql('priority')} as class,
         row_number() over (partition by shop order by ${toClassSql('priority')}, run_at, id) - 1 as place
       from (select id, priority, run_at, substring(flags::text from '${SHOP}([0-9]+)') as shop
             from graphile_worker._private_jobs where is_available and run_at <= now()) jobs
     ), wrong as (
       select j.id, r.class + ${LEVEL_STEP} * ${toLevelSql('r.place')} as priority
       from ready r join graphile_worker._private_jobs j on j.id = r.id
       where j.is_available and j.priority = r.priority and r.priority <> r.class + ${LEVEL_STEP} * ${toLevelSql('r.place')}
       order by r.priority, r.place limit ${MAX_CHANGES} for update of j skip locked
     ), leveled as (
       update graphile_worker._private_jobs j set priority = wrong.priority from wrong where j.id = wrong.id
     )
     select shop, count(*)::int as jobs from ready where shop is not null group by shop`,
  );
  setReadyJobs(rows.map(({ shop, jobs }) => [shop, jobs]));
}
