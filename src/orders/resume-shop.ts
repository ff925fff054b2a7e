import { In, type EntityManager } from 'typeorm';
import { levelOf } from '../log.ts';
import type { App } from '../app.ts';
import { PrintOrders, type PrintOrder } from '../database/entities/print-orders.ts';
import { Shops, type Shop } from '../database/entities/shops.ts';
import { enqueueConnectionUpdate } from '../products/connection-metafields/enqueue-connection-update.ts';
import { recheckLinks } from '../products/links/recheck-links.ts';
import { enqueueCheckLinks } from '../products/links/enqueue-check-links.ts';
import { PrintServiceError } from '../print/errors.ts';
import { readSettings } from '../shops/settings/settings.ts';
import { resumeBackfills } from './enqueue/enqueue-backfill.ts';
import { changeState } from './record/change-state.ts';
import { enqueueSaleReading } from './enqueue/enqueue-plan.ts';
import { enqueuePlan } from './enqueue/enqueue-plan.ts';
import { enqueueStoreUpdate } from './enqueue/enqueue-store-update.ts';
import { enqueueLostSubmit, enqueueSubmit } from './enqueue/enqueue-submit.ts';
import { resolveAllHolds } from './record/hold-print-order.ts';
import { joinPrintAccounts } from './submit/join-print-accounts.ts';
import { enqueue, SHOP } from '../jobs/enqueue.ts';
import type { TaskName } from '../jobs/tasks.ts';
import { stateInSql } from './facts/order-state.ts';
import { toStepKeysSql } from './waits/unfinished.ts';
import { enqueueSyncVariants, enqueueResumeShop } from '../shops/enqueue-shop-jobs.ts';
import { enqueuePush } from './enqueue/enqueue-push.ts';
import { enqueueFollow } from './enqueue/enqueue-follow.ts';
import { HARMLESS_OUTCOMES } from './facts/print-order-predicates.ts';

/** Rows read per page. */
const PAGE = 500;
const PASSES = [
  'catch_up_storefront_orders',
  'catch_up_fulfillment_requests',
  'catch_up_store_products',
  'catch_up_stock',
  'catch_up_link_metafields',
] as const;
const RETRY_JOIN_MS = 5 * 60_000;

/**
 * Resumes orders after a change to the shop that they were waiting for, such as a new print key, a setting or a sign-in. Orders that are
 * waiting, or that were held before anything was sent, are planned again. Print orders that have not started switch to the shop's current
 * print account. Jobs that ended early are enqueued again, so that Platen resolves unknown outcomes, handles waiting events and pushes
 * packages.
 */
export async function resumeShop(app: App, { shopId }: { shopId: number }): Promise<void> {
  const shop = await app.db.manager.findOneBy(Shops, { id: shopId, state: 'installed' });
  if (!shop) return;
  await releaseHeldPrintOrders(app, shop);
  await joinEarlierAccounts(app, shop);
  for (const pass of PASSES) await enqueue(app.db, pass, { shopId });
  // Product metafields may be missing because a permission was revoked, and that permission may have been granted again.
  await enqueueConnectionUpdate(app.db, shopId);
  await resumeBackfills(app, shopId);
  await enqueueSyncVariants(app.db, shopId);
  // The key or a setting may have caused a print link's problem.
  await recheckLinks(app, app.db, { id: shopId });
  await enqueueCheckLinks(app.db, { shopId });
  await forEachPage<{ id: string }>(app, TO_PLAN, shopId, async ({ id }) => {
    await enqueuePlan(app.db.manager, id);
    // A setting also determines whether the store shows holds.
    await enqueueStoreUpdate(app.db, id);
  });
  await forEachPage<PrintOrderToContinue>(app, PRINT_ORDERS_TO_CONTINUE, shopId, (one) => continueWork(app, one));
  await forEachPage<{ id: string }>(app, UNREAD_SALES, shopId, ({ id }) => enqueueSaleReading(app.db, id));
  await runWaitingJobs(app, shopId);
  const { tagsOrders, writesOrderMetafields } = readSettings(shop);
  const toUpdate = tagsOrders || writesOrderMetafields ? TO_UPDATE : WITH_TAGS_OR_METAFIELDS;
  const update = ({ id }: { id: string }): Promise<void> => enqueueStoreUpdate(app.db, id);
  await forEachPage<{ id: string }>(app, toUpdate, shopId, update, [app.clock.now()]);
}

/**
 * Checks whether the new key opens an account that the shop used earlier. If the check fails, only the print orders that were started with
 * an earlier key wait.
 */
async function joinEarlierAccounts(app: App, shop: Shop): Promise<void> {
  try {
    await joinPrintAccounts(app, shop);
  } catch (error) {
    if (!(error instanceof PrintServiceError)) throw error;
    app.log[levelOf(error)](
      { shopId: shop.id, operation: error.operation, outcome: error.outcome },
      'could not check whether the print key belongs to an earlier account',
    );
    const runAt = new Date(app.clock.now().getTime() + RETRY_JOIN_MS);
    await enqueueResumeShop(app.db, shop.id, { runAt });
  }
}

const TO_PLAN = `
  select o.id from storefront_orders o
  where o.shop_id = $1 and o.id > $2
    and (o.outcome = 'waiting'
      or exists (select from holds h where h.storefront_order_id = o.id and h.resolved_at is null)
      or exists (select from print_orders p where p.storefront_order_id = o.id and ${stateInSql('unsent')} and p.closed_at is null)
      -- Print orders that ended when the shop left or removed Platen are wanted again.
      or (o.outcome = 'planned' and exists (
        select from print_orders p where p.storefront_order_id = o.id and p.closed_reason in ('uninstalled', 'left') and p.fenced_at is not null)))
  order by o.id limit $3`;

/** Unfinished orders, orders that changed in the last week and redacted orders that still have metafields in the store. */
const RECENT = `
  select o.id from storefront_orders o
  where o.shop_id = $1 and o.id > $2 and ((o.redacted_at is not null and o.told ? 'metafields') or exists (
    select from print_orders p where p.storefront_order_id = o.id
      and (p.updated_at > $4::timestamptz - interval '7 days' or (p.fenced_at is null and not ${stateInSql('ended')}))))`;
/**
 * If the shop's setting for tags or metafields is on, all recent orders are updated. If both are off, only orders that still have Platen's
 * tags or metafields are updated.
 */
const TO_UPDATE = `${RECENT} order by o.id limit $3`;
const WITH_TAGS_OR_METAFIELDS = `${RECENT} and o.told ?| array['tags', 'triedTags', 'metafields'] order by o.id limit $3`;

/** Print orders whose next step no plan enqueues. Excludes print orders that only have to be followed, because a poll follows them. */
const PRINT_ORDERS_TO_CONTINUE = `
  select * from (
    select p.id, p.storefront_order_id as "storefrontOrderId",
      p.fenced_at is null and (${stateInSql('sending')} or p.closed_at is not null or p.cancel_requested_at is not null
        or (p.state = 'held' and p.submit_way = 'direct' and p.confirm_started_at is not null and p.confirmed_at is null)) as "isUnsettled",
      exists (select from packages k where k.print_order_id = p.id and k.confirmed_at is null)
        or exists (select from deliveries d where d.print_order_id = p.id and d.handled_at is null) as "hasNews",
      exists (select from packages k where k.print_order_id = p.id and k.confirmed_at is not null and k.pushed_at is null) as "hasToPush"
    from print_orders p where p.shop_id = $1 and p.id > $2) one
  where "isUnsettled" or "hasNews" or "hasToPush" order by id limit $3`;

/** Orders for which the amount paid could not be read while the store was inaccessible. No other job reads the amount again. */
const UNREAD_SALES = `
  select o.id from storefront_orders o
  where o.shop_id = $1 and o.id > $2 and o.redacted_at is null
    and exists (select from print_orders p join print_receipts r on r.print_order_id = p.id where p.storefront_order_id = o.id)
    and not exists (select from order_sales s where s.storefront_order_id = o.id)
  order by o.id limit $3`;

interface PrintOrderToContinue {
  id: string;
  storefrontOrderId: string;
  isUnsettled: boolean;
  hasNews: boolean;
  hasToPush: boolean;
}

/** Tasks that are scheduled for a later time only because the store could not be called. */
const STORE_TASKS = [
  'handle_delivery',
  'update_store',
  'keep_carrier_service',
  'keep_variants',
  'check_print_links',
  'read_store_product',
  'read_product',
  'read_new_variants',
  'write_connections',
  'backfill',
] as const satisfies TaskName[];

/**
 * Runs the shop's jobs now that were waiting for a scope, a key, a payment or the store: jobs of failing steps, and jobs of tasks that wait
 * for nothing else. Jobs that wait for a time, such as the delay or the gathering of tracking codes, keep their time.
 */
async function runWaitingJobs(app: App, shopId: number): Promise<void> {
  for (let moved = PAGE; moved === PAGE;)
    [{ moved }] = (await app.db.query(RUN_WAITING_JOBS, [shopId, STORE_TASKS, PAGE, app.clock.now()])) as [
      { moved: number },
    ];
}

const RUN_WAITING_JOBS = `
  select count(*)::int as moved from graphile_worker.reschedule_jobs(array(
    select j.id from graphile_worker.jobs j
    where j.locked_at is null and j.attempts < j.max_attempts and j.run_at > $4
      and ((j.task_identifier = any($2::text[]) and j.flags ? ('${SHOP}' || $1::int))
        or j.key in (select unnest(${toStepKeysSql('w.step', 'w.storefront_order_id', 'w.print_order_id')}) from step_waits w where w.shop_id = $1))
    order by j.run_at, j.id limit $3), run_at => $4)`;

/** Enqueues a print order's next jobs. The time of a job that is already scheduled does not change. */
async function continueWork(
  app: App,
  { id, storefrontOrderId, isUnsettled, hasNews, hasToPush }: PrintOrderToContinue,
): Promise<void> {
  const printOrder = { id, storefrontOrderId };
  if (isUnsettled) await enqueueLostSubmit(app.db, printOrder);
  if (hasNews) await enqueueFollow(app.db, printOrder, { keyMode: 'preserve_run_at' });
  if (hasToPush) await enqueuePush(app.db, storefrontOrderId, { keyMode: 'preserve_run_at' });
}

async function forEachPage<Row extends { id: string }>(
  app: App,
  query: string,
  shopId: number,
  act: (row: Row) => Promise<void>,
  more: readonly unknown[] = [],
): Promise<void> {
  for (let after = '0'; ;) {
    const page: Row[] = await app.db.query(query, [shopId, after, PAGE, ...more]);
    for (const row of page) await act(row);
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.id;
  }
}

const HAS_ONLY_HARMLESS_ATTEMPTS = `not exists (select from submit_attempts a where a.print_order_id = p.id
  and coalesce(a.outcome, 'unclear') not in (${HARMLESS_OUTCOMES.map((outcome) => `'${outcome}'`).join(', ')}))`;

async function releaseHeldPrintOrders(app: App, shop: Shop): Promise<void> {
  await app.db.transaction(async (manager) => {
    await switchAccount(manager, shop);
    // The key may work now. If not, the next refused request opens the hold again.
    await manager.query(
      `update holds set resolved_at = $2 where shop_id = $1 and code = 'print_account_refused' and resolved_at is null`,
      [shop.id, app.clock.now()],
    );
    await closeRefusedPromises(manager, shop, app.clock.now());
  });
  const toRelease = `select p.id from print_orders p where p.shop_id = $1 and p.id > $2 and ${RELEASABLE} order by p.id limit $3`;
  await forEachPage<{ id: string }>(app, toRelease, shop.id, ({ id }) =>
    app.db.transaction((manager) => releasePrintOrder(app, manager, id)),
  );
}

/**
 * Switches print orders that have not started to the shop's current print account. Print orders of the earlier interfaces need new quotes,
 * because a promise is valid only in the account that issued it.
 */
async function switchAccount(manager: EntityManager, { id: shopId, printAccountId }: Shop): Promise<void> {
  if (printAccountId === null) return;
  const toGive = `p.shop_id = $1 and p.print_account_id is distinct from $2 and p.state in ('planned', 'quoted', 'held') and p.service_order_id is null
    and p.fenced_at is null and ${HAS_ONLY_HARMLESS_ATTEMPTS}`;
  const promised: PrintOrder[] = await findByIds(
    manager,
    `select p.id from print_orders p where ${toGive} and p.print_interface <> 'current' and p.state = 'quoted'`,
    [shopId, printAccountId],
  );
  for (const printOrder of promised) {
    const message = `${printOrder.reference} is quoted again because the shop now uses another print account.`;
    await changeState(manager, printOrder, { to: 'planned', kind: 'quoted_anew', message });
  }
  await manager.query(
    `update print_orders p set print_account_id = $2,
       body_sha256 = case when p.print_interface <> 'current' then null else p.body_sha256 end
     where ${toGive}`,
    [shopId, printAccountId],
  );
}

/**
 * SQL: print order `p` was held before anything was created for it at the service. A person must decide about an unknown order, whatever
 * changes in the shop.
 */
const RELEASABLE = `p.state = 'held' and p.service_order_id is null and p.closed_at is null and p.print_again_at is null and ${HAS_ONLY_HARMLESS_ATTEMPTS}
  and not exists (select from holds h where h.print_order_id = p.id and h.code = 'unknown_print_order' and h.resolved_at is null)`;

/**
 * Releases a held print order. If the service refused the create request, the same body is sent again. If the service refused the quote,
 * the quote is requested again.
 */
async function releasePrintOrder(app: App, manager: EntityManager, id: string): Promise<void> {
  const held = `select p.id from print_orders p where p.id = $1 and ${RELEASABLE} for no key update`;
  const [printOrder] = await findByIds(manager, held, [id]);
  if (!printOrder) return;
  const to = printOrder.bodySha256 === null ? 'planned' : 'quoted';
  const message = `${printOrder.reference} resumes because the shop's settings or accounts have changed.`;
  if (await changeState(manager, printOrder, { to, kind: 'released', message }))
    await resolveAllHolds(manager, id, app.clock.now());
}

async function findByIds(manager: EntityManager, query: string, parameters: unknown[]): Promise<PrintOrder[]> {
  const rows: { id: string }[] = await manager.query(query, parameters);
  return manager.find(PrintOrders, { where: { id: In(rows.map(({ id }) => id)) }, order: { id: 'ASC' } });
}

/**
 * Closes print orders that an earlier interface refused, because Platen never sends a refused reference again through these interfaces.
 * Platen requests new quotes for their successors.
 */
async function closeRefusedPromises(manager: EntityManager, shop: Shop, now: Date): Promise<void> {
  const [closed]: [{ id: string; storefront_order_id: string }[], number] = await manager.query(
    `update print_orders p set closed_at = $2, closed_reason = 'refused'
     where p.shop_id = $1 and p.state = 'held' and p.print_interface <> 'current' and p.service_order_id is null and p.closed_at is null
       and exists (select from submit_attempts a where a.print_order_id = p.id) and ${HAS_ONLY_HARMLESS_ATTEMPTS}
     returning p.id, p.storefront_order_id`,
    [shop.id, now],
  );
  for (const { id, storefront_order_id: storefrontOrderId } of closed)
    await enqueueSubmit(manager, { id, storefrontOrderId });
}
