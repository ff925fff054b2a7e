import { addReady } from './backlogs.ts';
import { ENQUEUE_LOCK, SHOP, toShopLevel } from './enqueue.ts';
import { LEVEL_STEP, toClassSql, toPriorityLevelSql } from './priorities.ts';

/** How many jobs a statement has made for a shop. */
export interface AddedJobs {
  shop: string;
  jobs: number;
}

/**
 * SQL: adds a job for each row of `rows`, in the statement that makes the rows, as `enqueue` does for one thing. A row has `ord`,
 * `shop_id`, `task`, `payload`, `queue`, `key`, `run_at` and `class`; `levels` is the SQL of what `readLevels` returned. Rows of one
 * key share a job, which runs at the earliest of their times. A job of that key that has not begun and is due by then is left
 * alone: it will see what the row stands for. The result has the columns of `AddedJobs`; the caller passes it to `noteAdded`.
 */
export function addJobs(rows: string, levels: string): string {
  return `
    select substring(added.flags::text from '${SHOP}([0-9]+)') as shop, count(*)::int as jobs
    from (
      select array_agg((task, payload, queue, run_at, null, key, priority, array['${SHOP}' || shop_id])::graphile_worker.job_spec
        order by ord) as specs
      from (
        select distinct on (coalesce(r.key, r.ord::text)) r.ord, r.shop_id, r.task, r.payload, r.queue, r.key,
          case when w.attempts = 0 then least(w.run_at, r.run_at) else r.run_at end as run_at,
          least(r.class, ${toClassSql('w.priority')})
            + ${LEVEL_STEP} * least(${toShopLevel('r.shop_id', levels)}, ${toPriorityLevelSql('w.priority')}) as priority
        from (select pg_advisory_xact_lock_shared(${ENQUEUE_LOCK})) as lock
        cross join ${rows} r
        left join graphile_worker._private_jobs w on w.key = r.key and w.locked_at is null
        where (w.attempts = 0 and w.run_at <= r.run_at and ${toClassSql('w.priority')} <= r.class) is not true
        order by coalesce(r.key, r.ord::text), r.run_at, r.ord
      ) as needed
      having count(*) > 0
    ) as given
    cross join lateral graphile_worker.add_jobs(given.specs) as added
    where added.revision = 0 and added.run_at <= now()
    group by 1`;
}

/** Counts what a statement of `addJobs` has made among the ready jobs of each shop. */
export function noteAdded(added: readonly AddedJobs[]): void {
  for (const { shop, jobs } of added) for (let count = 0; count < jobs; count += 1) addReady(shop);
}
