import { addReady, readLevels } from './backlogs.ts';
import { LEVEL_STEP, ORDERS, toClassSql, toPriorityLevelSql } from './priorities.ts';
import type { TaskName, TaskPayloads } from './tasks.ts';

/** What runs SQL: a TypeORM EntityManager (then the job is part of its transaction) or a DataSource. */
export interface Queryable {
  query(sql: string, parameters?: unknown[]): Promise<unknown>;
}

export interface EnqueueOptions {
  /** Jobs of one queue never run in parallel, in the order of `runAt`. */
  queue?: string;
  /** A waiting job of the same key is replaced. */
  key?: string;
  /** The time of a replaced job: the new one (default), its own if it has not been tried yet, or the earlier of both. */
  keyMode?: 'replace' | 'preserve_run_at' | 'earlier';
  /** Not before this time; default: now. */
  runAt?: Date;
  /** Default 25. */
  maxAttempts?: number;
  /** A class of `priorities.ts`; within the level that the shop's backlog gives the job, smaller runs first. Default: ORDERS. */
  priority?: number;
}

/** What the flag of a job begins with that belongs to a shop; the shop's id follows. */
export const SHOP = 'shop:';

/** The flag of a job that goes through many things and may take minutes. */
export const LONG = 'long';

/** Held shared by whoever enqueues and exclusively while idle queues are deleted, see `deleteIdleQueues`. */
export const ENQUEUE_LOCK = '5788046901275';

/** Where the shop of a job is found, by what its payload names; jobs that name none of these belong to no shop. */
const SHOP_OF = {
  shopId: '$9::int',
  storefrontOrderId: 'select shop_id from storefront_orders where id = $9::bigint',
  printOrderId: 'select shop_id from print_orders where id = $9::bigint',
  deliveryId: 'select shop_id from deliveries where id = $9::bigint',
  backfillId: 'select shop_id from backfills where id = $9::bigint',
  newProductId: 'select shop_id from new_products where id = $9::bigint',
} as const;

/** A payload with one of these is about one thing. All others go through many, and may take long. */
const ONE_THING = [
  'storefrontOrderId',
  'printOrderId',
  'deliveryId',
  'newProductId',
  'storeProductId',
  'shopifyProductId',
];

/**
 * SQL: adds a job for each row of a `from` that has a `shop_id`, in the statement that makes the row; `from`, the values of the payload,
 * the class and the levels (`readLevels`) are SQL expressions. Like `enqueue`, for one thing and without a key. The caller notes
 * the job with `addReady`.
 */
export function enqueueFor<T extends TaskName>(
  from: string,
  task: T,
  payload: Record<keyof TaskPayloads[T] & string, string>,
  { priority, levels }: { priority: string; levels: string },
): string {
  const pairs = Object.entries(payload).map(([name, value]) => `'${name}', ${String(value)}`);
  return `select graphile_worker.add_job(identifier => '${task}', payload => json_build_object(${pairs.join(', ')}),
      priority => ${priority} + ${LEVEL_STEP} * ${toShopLevel(`${from}.shop_id`, levels)}, flags => array['${SHOP}' || ${from}.shop_id])
    from ${from}, (select pg_advisory_xact_lock_shared(${ENQUEUE_LOCK})) as lock`;
}

/**
 * Adds a job that starts within milliseconds of the commit, or never when the transaction rolls back. A shop that has many jobs ready
 * already gets a later level (`priorities.ts`), so that the jobs of other shops do not wait behind all of them.
 *
 * With a key there is at most one waiting job of it: a second call replaces task, payload, queue and times of the first
 * and resets its attempts; of both levels and classes the job keeps the better one. A job that runs already is not touched, since it may
 * have read what changed: the call makes a new job, the running one loses the key and is no longer retried. So a job may enqueue
 * itself again under its own key and return: the new one runs at its `runAt`, and when both have the same queue not before the running
 * one has ended. If it throws after that, the new job is the retry.
 */
export async function enqueue<T extends TaskName>(
  queryable: Queryable,
  task: T,
  payload: TaskPayloads[T],
  options: EnqueueOptions = {},
): Promise<void> {
  const names = Object.keys(SHOP_OF) as (keyof typeof SHOP_OF)[];
  const [name] = names.filter((one) => one in payload);
  const isLater = options.runAt !== undefined && options.runAt.getTime() > Date.now();
  const parameters = [
    task,
    JSON.stringify(payload),
    options.queue ?? null,
    options.runAt?.toISOString() ?? null,
    options.maxAttempts ?? null,
    options.key ?? null,
    options.priority ?? ORDERS,
    options.keyMode ?? null,
    name === undefined ? null : toId((payload as Record<string, unknown>)[name]),
    // What becomes ready later is not behind what is ready now.
    isLater ? '{}' : readLevels(),
    ONE_THING.some((one) => one in payload) ? null : LONG,
  ];
  const added = (await queryable.query(toAdd(name), parameters)) as { shop: number | null; revision: number }[];
  const [job] = added;
  if (job && job.shop !== null && job.revision === 0 && !isLater) addReady(String(job.shop));
}

/** null for what is no id of a row: such a job belongs to no shop. */
function toId(value: unknown): string | null {
  const text = String(value);
  return /^\d{1,18}$/.test(text) ? text : null;
}

function toAdd(name: keyof typeof SHOP_OF | undefined): string {
  return `
    select added.shop, (added.job).revision from (
      select shop.id as shop, graphile_worker.add_job(
        identifier => $1::text, payload => $2::json, queue_name => $3::text,
        run_at => case when $8 = 'earlier' then least(coalesce($4, now()), waiting.run_at) else $4::timestamptz end,
        max_attempts => $5::int, job_key => $6::text, job_key_mode => nullif($8, 'earlier'),
        priority => least($7::int, waiting.class) + ${LEVEL_STEP} * least(${toShopLevel('shop.id', '$10')}, waiting.level),
        flags => array_remove(array['${SHOP}' || shop.id, $11::text], null)
      ) as job
      from (select pg_advisory_xact_lock_shared(${ENQUEUE_LOCK})) as lock
      cross join (select (${SHOP_OF[name ?? 'shopId']}) as id) as shop
      left join (
        select ${toClassSql('priority')} as class, ${toPriorityLevelSql('priority')} as level, run_at
        from graphile_worker._private_jobs where key = $6 and locked_at is null
      ) as waiting on true
    ) as added`;
}

/** SQL: the level of a shop's next job. */
function toShopLevel(shop: string, levels: string): string {
  return `coalesce((${levels}::jsonb ->> (${shop})::text)::int, 0)`;
}
