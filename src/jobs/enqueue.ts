import { addReadyJob, readLevels } from './backlogs.ts';
import { LEVEL_STEP, ORDERS, toClassSql, toLevelSql, toPriorityLevelSql } from './priorities.ts';
import { placementOf, type KeyMode } from './registry.ts';
import type { TaskName, TaskPayloads } from './tasks.ts';

/** Runs SQL: a DataSource, or a TypeORM EntityManager. With an EntityManager, the job is added in its transaction. */
export interface Queryable {
  query(sql: string, parameters?: unknown[]): Promise<unknown>;
}

/** Overrides for the task's default placement (`registry.ts`). */
export interface EnqueueOptions {
  /** Jobs in one queue run in the order of `runAt`, never in parallel. */
  queue?: string;
  /** The storefront order in whose queue the job runs, if the payload does not identify the order. */
  storefrontOrderId?: string;
  /** The job replaces a waiting job with the same key. */
  key?: string;
  keyMode?: KeyMode;
  /** Earliest start. The default is now, or after `waitSeconds`. */
  runAt?: Date | undefined;
  /** Earliest start in seconds from now, by the database's clock. */
  waitSeconds?: number;
  /** The maximum number of attempts. The default is 25. */
  maxAttempts?: number;
  /**
   * A class from `priorities.ts`. Within the level that results from the shop's backlog, smaller classes run first. The default is
   * ORDERS.
   */
  priority?: number;
  /** The job's shop, if the caller knows it. By default, the shop is looked up from the payload. */
  shopId?: number;
}

/** A job to add: its task, payload and placement. */
export type NewJob = {
  [T in TaskName]: EnqueueOptions & { task: T; payload: TaskPayloads[T] };
}[TaskName];

/** Collects jobs, which a later write adds as part of its own statement (`addJobsSql`). */
export interface JobCollector {
  addJob(job: NewJob): Promise<void>;
}

/** A job that `addJobsSql` has added or changed, for `recordAddedJobs`. */
export interface AddedJob {
  /** The job's shop if the job is new and ready, otherwise null. */
  ready: string | null;
}

/** Prefix of the flag that names a job's shop. The shop's ID follows. */
export const SHOP = 'shop:';

/** The flag of a job that handles many items and may take minutes. */
export const LONG = 'long';

/**
 * The advisory lock that is acquired as a shared lock while jobs are enqueued, and exclusively while idle queues are deleted
 * (`deleteIdleQueues`).
 */
export const ENQUEUE_LOCK = '5788046901275';

/** How to look up a job's shop, by the field in the job's payload. Jobs without any of these fields belong to no shop. */
const SHOP_OF = {
  shopId: 'select id::int',
  storefrontOrderId: 'select shop_id from storefront_orders where id = given.id',
  printOrderId: 'select shop_id from print_orders where id = given.id',
  deliveryId: 'select shop_id from deliveries where id = given.id',
  backfillId: 'select shop_id from backfills where id = given.id',
  newProductId: 'select shop_id from new_products where id = given.id',
} as const;

/** A payload with one of these fields concerns one item. All other jobs handle many items and may take a long time. */
const SINGLE_ITEM_FIELDS = [
  'storefrontOrderId',
  'printOrderId',
  'deliveryId',
  'newProductId',
  'storeProductId',
  'shopifyProductId',
];

/**
 * Adds a job that starts within milliseconds of the commit, or never if the transaction rolls back. If the shop has many ready jobs, the
 * job gets a later level (`priorities.ts`), so that other shops' jobs do not wait behind all of them.
 *
 * Only one job with the same key can be waiting. A second call replaces the first job's task, payload, queue and times, and resets its
 * attempts. The job keeps the lower of the two levels and of the two classes, so it does not lose its priority.
 *
 * A running job does not change, because it may already have read the data that changed. The call then adds a new job, and the running job
 * loses its key and is no longer retried. A job may therefore enqueue itself again under its own key and return. The new job runs at its
 * `runAt` and, in the same queue, only after the running job ends. If the running job then throws, the new job is its retry.
 */
export async function enqueue<T extends TaskName>(
  queryable: Queryable | JobCollector,
  task: T,
  payload: TaskPayloads[T],
  options: EnqueueOptions = {},
): Promise<void> {
  const job = toJob(task, payload, options);
  if ('addJob' in queryable) return queryable.addJob(job);
  await enqueueAll(queryable, [job]);
}

/** Returns the job for a task. The registry determines its placement. */
export function toJob<T extends TaskName>(task: T, payload: TaskPayloads[T], options: EnqueueOptions = {}): NewJob {
  const { key: toKey, queue: named, waitSeconds, ...placing } = placementOf(task);
  const { storefrontOrderId = 'storefrontOrderId' in payload ? payload.storefrontOrderId : undefined, ...given } =
    options;
  const key = given.key ?? toKey?.(payload);
  const queues: Record<string, string | undefined> = {
    key,
    pass: `pass:${key}`,
    order: storefrontOrderId === undefined ? undefined : `order:${storefrontOrderId}`,
  };
  const queue = given.queue ?? (named === undefined || !(named in queues) ? named : queues[named]);
  if (named === 'order' && queue === undefined) throw new Error(`${task} needs a storefront order`);
  return {
    ...placing,
    ...(key === undefined ? {} : { key }),
    ...(queue === undefined ? {} : { queue }),
    ...(waitSeconds === undefined || given.runAt ? {} : { waitSeconds }),
    ...given,
    task,
    payload,
  } as NewJob;
}

/** Adds all jobs in one statement, as `enqueue` does. If several jobs have the same key, the last one applies. */
export async function enqueueAll(queryable: Queryable, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length === 0) return;
  recordAddedJobs((await queryable.query(addJobsSql('$1'), [toJobRows(jobs)])) as AddedJob[]);
}

/** Records the jobs that `addJobsSql` has added, so that the same shops' next jobs are placed after them. Call it after the commit. */
export function recordAddedJobs(added: readonly AddedJob[]): void {
  for (const { ready } of added) if (ready !== null) addReadyJob(ready);
}

/** Returns the jobs as the JSON text that `addJobsSql` expects. */
export function toJobRows(jobs: readonly NewJob[]): string {
  return `{"levels":${readLevels()},"jobs":${JSON.stringify(jobs.map(toJobRow))}}`;
}

function toJobRow({ task, payload, ...options }: NewJob): object {
  const names = Object.keys(SHOP_OF) as (keyof typeof SHOP_OF)[];
  const [name] = names.filter((one) => one in payload);
  return {
    ...options,
    task,
    payload,
    shopOf: name,
    id: name && toId((payload as Record<string, unknown>)[name]),
    isLong: !SINGLE_ITEM_FIELDS.some((one) => one in payload),
  };
}

/** Returns a row ID, or null for any other value. With null, the job belongs to no shop. */
function toId(value: unknown): string | null {
  const text = String(value);
  return /^\d{1,18}$/.test(text) ? text : null;
}

/**
 * Returns an SQL select that adds jobs, as `enqueue` does, and returns rows for `recordAddedJobs`. `jobsParameter` is an SQL expression for the
 * result of `toJobRows`, such as `$1`. Other SQL can embed the select to add jobs and rows in one statement. PostgreSQL runs a select in
 * `with` only as far as the outer query reads its rows. The lookup of a shop may not see rows that the same statement adds, so jobs for
 * those rows need a `shopId`. With `from` (the SQL after a `from`), the jobs are added once for each of its rows, and the expression may
 * use its columns.
 */
export function addJobsSql(jobsParameter: string, from?: string): string {
  const rows = from === undefined ? '' : `${from} cross join lateral `;
  return `select added.ready from ${rows}graphile_worker.platen_place_jobs((${jobsParameter})::jsonb) as added`;
}

/**
 * Returns the SQL that creates the function for adding jobs. Each connection plans the function once, because planning takes longer than
 * adding a job. The queue is often empty when the plan is made and large later. The plan must therefore use only index lookups: the cost
 * of a scan would grow with each waiting job. The shop is looked up only once (`offset 0`).
 */
export function toAddJobsFunction(): string {
  const shopOf = Object.entries(SHOP_OF).map(([name, shop]) => `when '${name}' then (${shop})`);
  return `create or replace function graphile_worker.platen_place_jobs(new_jobs jsonb) returns table (ready text) language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_material = off set plan_cache_mode = force_generic_plan as $$
  #variable_conflict use_column
  declare
    missing graphile_worker.job_spec[];
    keeps_its_time boolean;
    added_keys text[];
    added_ready text[];
  begin
    for keeps_its_time, missing in
    with given as materialized (
      select row_number() over () as n, payloads.levels, job.task, job.payload, job.queue, job."maxAttempts", job.key, job."keyMode",
        job.priority, job."shopId", job."shopOf", job.id, job."isLong",
        -- A job that becomes ready later is not placed behind the jobs that are ready now, because these may have run by then.
        coalesce(job."isLater", job."waitSeconds" > 0 or job."runAt" > now(), false) as "isLater",
        coalesce(job."runAt", now() + make_interval(secs => job."waitSeconds")) as "runAt",
        coalesce(job."keyMode" = 'preserve_run_at', false) as keeps
      from (select pg_advisory_xact_lock_shared(${ENQUEUE_LOCK})) as lock
      cross join jsonb_to_record(new_jobs) as payloads (levels jsonb, jobs jsonb)
      cross join lateral jsonb_to_recordset(payloads.jobs) as job (task text, payload json, queue text, "runAt" timestamptz, "waitSeconds" float8,
        "maxAttempts" int, key text, "keyMode" text, priority int, "shopId" int, "shopOf" text, id bigint, "isLong" boolean,
        "isLater" boolean)
    ), placed as (
      select distinct on (coalesce(given.key, given.n::text)) given.*, shop.id as shop,
        least(min(coalesce(given.priority, ${ORDERS})) over same_key, waiting.class)
          + ${LEVEL_STEP} * least(case when given."isLater" or shop.id is null then 0 else greatest(${toShopLevel('shop.id', 'given.levels')},
            ${toLevelSql('(row_number() over (partition by shop.id, given."isLater" order by given.n) - 1)')}) end, waiting.level) as place,
        last_value(given.keeps) over same_key as keeps_due,
        case when given."keyMode" = 'earlier' then least(min(coalesce(given."runAt", now())) over same_key, waiting.run_at)
          else last_value(given."runAt") over same_key end as due
      from given
      cross join lateral (select coalesce(given."shopId", case given."shopOf" ${shopOf.join(' ')} end) as id offset 0) as shop
      left join lateral (
        select ${toClassSql('priority')} as class, ${toPriorityLevelSql('priority')} as level, run_at
        from graphile_worker._private_jobs where key = given.key and locked_at is null
      ) as waiting on true
      -- Among new jobs with the same key, the time of the last one that replaces the time applies, or else the time of the first one.
      window same_key as (partition by coalesce(given.key, given.n::text)
        order by not given.keeps, case when given.keeps then -given.n else given.n end rows between unbounded preceding and unbounded following)
      order by coalesce(given.key, given.n::text), given.n desc
    ), specs as (
      select keeps_due, array_agg((task, payload, queue, due, "maxAttempts", key, place,
        array_remove(array['${SHOP}' || shop, case when "isLong" then '${LONG}' end], null))::graphile_worker.job_spec order by n) as jobs
      from placed group by keeps_due
    )
    select keeps_due, jobs from specs
    loop
      -- add_jobs first sets locked jobs aside, then inserts. If a worker takes a job in between, add_jobs does not add that job.
      for tries in 1..10 loop
        select array_agg(added.key) filter (where added.key is not null),
          array_agg(case when added.revision = 0 and added.run_at <= now() then substring(added.flags::text from '${SHOP}([0-9]+)') end)
        into added_keys, added_ready from graphile_worker.add_jobs(missing, keeps_its_time) as added;
        return query select unnest(added_ready);
        missing := array(select spec from unnest(missing) as spec
          where spec.job_key is not null and spec.job_key <> all (coalesce(added_keys, '{}')));
        exit when cardinality(missing) = 0;
      end loop;
      if cardinality(missing) > 0 then raise exception 'workers take jobs faster than the new jobs can be added'; end if;
    end loop;
  end $$`;
}

/** Returns SQL for the level of a shop's next job. */
function toShopLevel(shop: string, levels: string): string {
  return `coalesce((${levels}::jsonb ->> (${shop})::text)::int, 0)`;
}
