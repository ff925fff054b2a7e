import type { Pool } from 'pg';
import { setReady } from '../backlogs.ts';
import { SHOP } from '../enqueue.ts';
import { LEVEL_STEP, toClassSql, toLevelSql } from '../priorities.ts';

/** Jobs whose level changes in one pass: those that would run next come first, and the next pass takes the others. */
const MOST = 2_000;

/**
 * Gives each ready job the level of its place among the ready jobs of its shop, by class and then by time, and notes how many
 * each shop has. Levels are set when jobs are added, too, but only as far as that process knows; and places change, since
 * jobs end, and since jobs that waited for a time become ready together. A job that is being taken or replaced is left
 * alone, so that nothing waits for this statement and this statement waits for nothing.
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
       order by r.priority, r.place limit ${MOST} for update of j skip locked
     ), leveled as (
       update graphile_worker._private_jobs j set priority = wrong.priority from wrong where j.id = wrong.id
     )
     select shop, count(*)::int as jobs from ready where shop is not null group by shop`,
  );
  setReady(rows.map(({ shop, jobs }) => [shop, jobs]));
}
