import { In } from 'typeorm';
import type { App } from '../app.ts';
import { PrintOrders } from '../database/entities/print-orders.ts';
import { Shops, type Shop } from '../database/entities/shops.ts';
import { hasJobSql } from '../jobs/has-job.ts';
import type { PassResult } from '../jobs/tasks.ts';
import { lockOrders } from '../orders/rows/lock-orders.ts';
import {
  fulfillUntrackedParcels,
  holdForMissingTracking,
  IS_LINE_UNTRACKED,
  NO_TRACKING,
} from '../orders/follow/fulfill-untracked-parcels.ts';
import { enqueueFollow } from '../orders/enqueue/enqueue-follow.ts';
import { changeState } from '../orders/record/change-state.ts';
import { readSettings, type Settings } from '../shops/settings/settings.ts';
import { stateInSql } from '../orders/facts/order-state.ts';
import { enqueuePush } from '../orders/enqueue/enqueue-push.ts';
import { isActiveSql } from '../database/is-active.ts';

const PAGE = 100;
/** A push that has not run within this time after its gathering time is considered lost. */
const GRACE_SECONDS = 60;
/** How long Platen waits for the tracking code of a shipped order whose codes cannot be read from the service. */
const NO_TRACKING_SECONDS = 24 * 3600;
/** How long after its last push Platen tries to finish a print order. */
const FINISH_SECONDS = 30 * 24 * 3600;

/** SQL: all units of print order `p` that are still ordered are fulfilled in the store. */
const ALL_FULFILLED = `not exists (
  select from print_order_lines l
  join order_lines o on o.storefront_order_id = p.storefront_order_id and o.shopify_line_item_id = l.shopify_line_item_id
  where l.print_order_id = p.id and o.fulfilled_quantity < o.ordered_quantity)`;

/** How often Platen checks the service for the tracking code of an order that was fulfilled without one. */
const CODE_CHECK_SECONDS = 3600;

/** The pause after the store refused a fulfillment. A change to the order ends the pause early. */
const REFUSED_SECONDS = 3600;

const HAS_JOB = `${hasJobSql("'push:' || p.storefront_order_id")} as has_job`;

/** Packages that were not pushed. A refused package is retried after a pause, or once the store shows that everything is fulfilled. */
const TO_PUSH = `
  select p.storefront_order_id as id, p.shop_id, min(k.confirmed_at) as since, ${HAS_JOB}
  from packages k join print_orders p on p.id = k.print_order_id
  where k.pushed_at is null and k.confirmed_at is not null and p.storefront_order_id > $1
    and exists (select from shops s where s.id = p.shop_id and ${isActiveSql()})
    and (k.refused_at is null or k.refused_at < $3 or ${ALL_FULFILLED})
  group by p.storefront_order_id, p.shop_id order by p.storefront_order_id limit $2`;

/** Print orders whose packages were pushed recently, but that could not be finished at that time, for example because they were on hold. */
const TO_FINISH = `
  select p.storefront_order_id as id, p.shop_id, max(k.pushed_at) as since, ${HAS_JOB}
  from print_orders p join packages k on k.print_order_id = p.id
  where ${stateInSql('followed')} and p.storefront_order_id > $1
    and exists (select from shops s where s.id = p.shop_id and ${isActiveSql()}) and ${ALL_FULFILLED}
    and (exists (select from print_order_lines l
        join order_lines o on o.storefront_order_id = p.storefront_order_id and o.shopify_line_item_id = l.shopify_line_item_id
        where l.print_order_id = p.id and o.fulfilled_quantity > 0)
      or p.shipped_at is not null and exists (select from storefront_orders o where o.id = p.storefront_order_id and o.canceled_at is null))
  group by p.storefront_order_id, p.shop_id having bool_and(k.pushed_at is not null) and max(k.pushed_at) > $3
  order by p.storefront_order_id limit $2`;

/** Print orders that shipped without a package. In the earlier interfaces, the poll of open print orders reads the codes. */
const WITHOUT_TRACKING = `
  select p.id, p.shop_id, p.shipped_at as since from print_orders p
  where p.state = 'shipped' and p.print_interface = 'current' and p.shipped_at < $3 and p.id > $1
    and exists (select from shops s where s.id = p.shop_id and ${isActiveSql()})
    and not exists (select from packages k where k.print_order_id = p.id)
  order by p.id limit $2`;

/**
 * Shipped print orders with items that no package contains, and without an open hold for this reason. If such a hold was resolved, the
 * waiting time starts at its resolution.
 */
const UNTRACKED = `
  select p.id, p.shop_id, greatest(p.shipped_at, (select max(h.resolved_at) from holds h where h.print_order_id = p.id and h.code = '${NO_TRACKING}')) as since
  from print_orders p
  where ${stateInSql('shipped')} and p.shipped_at < $3 and p.id > $1
    and p.fenced_at is null and p.print_again_at is null and p.service_order_id is not null
    and exists (select from shops s where s.id = p.shop_id and ${isActiveSql()})
    and not exists (select from holds h where h.print_order_id = p.id and h.code = '${NO_TRACKING}' and h.resolved_at is null)
    and exists (select from print_order_lines l where ${IS_LINE_UNTRACKED})
  order by p.id limit $2`;

/** Print orders that were recently fulfilled without a tracking code. No other poll checks whether a code has become available. */
const MISSING_CODE = `
  select p.id, p.shop_id, p.followed_at as since, p.storefront_order_id as "storefrontOrderId"
  from packages k join print_orders p on p.id = k.print_order_id
  where k.tracking_code = '' and k.seen_at > $3 and p.state = 'fulfilled' and p.id > $1
    and exists (select from shops s where s.id = p.shop_id and ${isActiveSql()})
    and not exists (select from packages c where c.print_order_id = p.id and c.tracking_code <> '')
  order by p.id limit $2`;

interface Candidate {
  id: string;
  shop_id: number;
  since: Date | null;
  storefrontOrderId?: string;
  /** Whether a push for the order is waiting or running. */
  has_job?: boolean;
}

/**
 * Enqueues pushes that were lost or were refused a while ago, and marks orders that shipped without a tracking code. `fixed` includes
 * pushes without a job, because nothing else would have enqueued them.
 */
export async function catchUpPackages(app: App): Promise<PassResult> {
  const pushes = await forEachPage(app, TO_PUSH, [secondsAgo(app, REFUSED_SECONDS)], (one, settings) =>
    enqueueLostPush(app, one, settings.gatherSeconds),
  );
  const ends = await forEachPage(app, TO_FINISH, [secondsAgo(app, FINISH_SECONDS)], (one) =>
    enqueueLostPush(app, one, 0),
  );
  const dayAgo = secondsAgo(app, NO_TRACKING_SECONDS);
  const untracked = await forEachPage(app, WITHOUT_TRACKING, [dayAgo], (one, settings) =>
    markUntracked(app, one, settings),
  );
  const settled = await forEachPage(app, UNTRACKED, [dayAgo], (one, settings) => settleUntracked(app, one, settings));
  await forEachPage(app, MISSING_CODE, [secondsAgo(app, FINISH_SECONDS)], (one) => enqueueCodeCheck(app, one));
  const found = settled.done + pushes.done + ends.done + untracked.done;
  return { found, fixed: pushes.lost + ends.lost + untracked.done + settled.done };
}

function secondsAgo(app: App, seconds: number): Date {
  return new Date(app.clock.now().getTime() - seconds * 1000);
}

/** Calls `act` for each row of a query, with the shop's settings. `done` counts the rows handled, and `lost` those without a job. */
async function forEachPage(
  app: App,
  query: string,
  parameters: unknown[],
  act: (one: Candidate, settings: Settings) => Promise<boolean>,
): Promise<{ done: number; lost: number }> {
  const counted = { done: 0, lost: 0 };
  for (let after = '0'; ;) {
    const page: Candidate[] = await app.db.query(query, [after, PAGE, ...parameters]);
    const settings = await readSettingsOf(app, page);
    for (const one of page) {
      const ofShop = settings.get(one.shop_id);
      if (!ofShop || !(await act(one, ofShop))) continue;
      counted.done += 1;
      counted.lost += Number(one.has_job === false);
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) return counted;
    after = last.id;
  }
}

async function readSettingsOf(app: App, page: readonly Candidate[]): Promise<Map<number, Settings>> {
  const ids = new Set(page.map((one) => one.shop_id));
  const shops: Shop[] = await app.db.manager.findBy(Shops, { id: In([...ids]) });
  return new Map(shops.map((shop) => [shop.id, readSettings(shop)]));
}

async function enqueueLostPush(app: App, { id, since }: Candidate, gatherSeconds: number): Promise<boolean> {
  if (secondsSince(app, since) < gatherSeconds + GRACE_SECONDS) return false;
  await enqueuePush(app.db, id, { keyMode: 'preserve_run_at' });
  return true;
}

function secondsSince(app: App, moment: Date | null): number {
  return moment === null ? Infinity : (app.clock.now().getTime() - moment.getTime()) / 1000;
}

/** Fulfills a print order without tracking or holds it for the merchant, depending on the shop's setting. */
async function settleUntracked(
  app: App,
  { id, since }: Candidate,
  { noTrackingDays: days, fulfillsWithoutTracking }: Settings,
): Promise<boolean> {
  if (secondsSince(app, since) < days * 24 * 3600) return false;
  return app.db.transaction(async (manager) => {
    const { storefrontOrderId } = await manager.findOneByOrFail(PrintOrders, { id });
    await lockOrders(manager, [storefrontOrderId]);
    const printOrder = await manager.findOneByOrFail(PrintOrders, { id });
    if (fulfillsWithoutTracking) return fulfillUntrackedParcels(app, manager, printOrder, 'platen');
    await holdForMissingTracking(manager, printOrder, days);
    return true;
  });
}

async function enqueueCodeCheck(app: App, { id, since, storefrontOrderId = '' }: Candidate): Promise<boolean> {
  if (secondsSince(app, since) < CODE_CHECK_SECONDS) return false;
  await enqueueFollow(app.db.manager, { id, storefrontOrderId });
  return true;
}

/**
 * Changes an order's state to show that it has no tracking code. Without the extended calls, only events report codes, and a lost event is
 * not repeated.
 */
async function markUntracked(app: App, { id }: Candidate, { extendedCalls }: Settings): Promise<boolean> {
  if (extendedCalls) return false;
  return app.db.transaction(async (manager) => {
    const printOrder = await manager.findOneByOrFail(PrintOrders, { id });
    const { reference } = printOrder;
    return changeState(manager, printOrder, {
      to: 'shipped_no_tracking',
      kind: 'shipped_no_tracking',
      message: `${reference} was shipped more than a day ago, but the print service has not reported a tracking code. Check its dashboard.`,
    });
  });
}
