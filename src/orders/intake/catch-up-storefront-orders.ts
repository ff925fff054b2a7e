import { IsNull, MoreThan } from 'typeorm';
import type { App } from '../../app.ts';
import { Holds, StorefrontOrders } from '../../database/entities/orders.ts';
import { Shops } from '../../database/entities/shops.ts';
import type { PassResult } from '../../jobs/tasks.ts';
import { assignedFulfillmentOrders } from '../../shopify/calls/fulfillment-orders.ts';
import { listOrdersUpdatedSince } from '../../shopify/calls/orders.ts';
import { recordPolledChanges } from '../../shops/record-polled-changes.ts';
import { openAdmin } from '../../shops/tokens/tokens.ts';
import { enqueuePlan } from '../enqueue/enqueue-plan.ts';
import type { HoldCode } from '../facts/hold-codes.ts';
import type { OutcomeReason } from '../facts/outcome-reasons.ts';
import { toStorableTime } from '../../to-storable-time.ts';
import { receiveOrder } from './receive-order.ts';
import { hasWaitingPlan } from '../enqueue/has-waiting-plan.ts';

/** Each pass overlaps the previous one by this much, because the store's index may lag and clocks may differ. */
const OVERLAP_MS = 5 * 60_000;
/** The store's clock may be off by a minute, and a reading is recorded up to half a minute after its start. */
const MAX_CLOCK_SKEW_MS = 90_000;
/** The webhook about a change that is more recent than this may still arrive. */
const WEBHOOK_DELAY_MS = 60_000;
/**
 * The minimum time between two readings of an order that is on hold, scheduled or not requested in the store. When such a wait ends, the
 * order's update time may not change. Every pass plans the orders that have no fulfillment orders yet.
 */
const REREAD_MS = 60 * 60_000;
/** Maximum number of waiting orders that one pass plans again. */
const MAX_WAITING = 200;
/** The number of orders with hidden customer data that one pass reads again, to check whether the data is still hidden. */
const HIDDEN_PROBES = 5;
/**
 * If an order with hidden customer data has resumed within this time, a pass reads up to MAX_WAITING such orders instead of HIDDEN_PROBES.
 */
const REVEALED_MS = 60 * 60_000;

/**
 * Finds orders whose webhooks were lost by reading every order that has changed since the last pass, with an overlap. The cursor moves
 * only after a page's orders are stored. `fixed` counts orders and changes that no webhook reported. Throws ShopifyError.
 */
export async function catchUpStorefrontOrders(app: App, { shopId }: { shopId: number }): Promise<PassResult> {
  const result = { found: 0, fixed: 0 };
  const shop = await app.db.manager.findOneBy(Shops, { id: shopId, state: 'installed' });
  if (!shop) return result;
  const admin = await openAdmin(app, shop);
  const since = new Date((shop.ordersReadUntil ?? shop.takesOrdersFrom).getTime() - OVERLAP_MS);
  let cursor = shop.ordersReadUntil;
  for await (const { orders } of listOrdersUpdatedSince(admin, since)) {
    for (const { id, name, createdAt, updatedAt } of orders) {
      const { isUnread, isNews } = await compareOrder(app, shop.id, id, toStorableTime(new Date(updatedAt)));
      if (isUnread) await receiveOrder(app, shop, id, { name, placedAt: new Date(createdAt) });
      result.found += Number(isUnread);
      result.fixed += Number(isNews);
    }
    const ordersReadUntil = toStorableTime(new Date(orders.at(-1)?.updatedAt ?? Number.NaN));
    if (ordersReadUntil === null) continue;
    const moved = await app.db.manager.update(
      Shops,
      { id: shop.id, ordersReadUntil: cursor ?? IsNull() },
      { ordersReadUntil },
    );
    // Another process has moved the cursor since this pass read it. A later pass continues from the new position.
    if (moved.affected === 0) break;
    cursor = ordersReadUntil;
  }
  if (result.fixed > 0) await recordPolledChanges(app, 'shopify', [shop.id]);
  await planWaitingOrders(app, shopId);
  await planHiddenOrders(app, shopId);
  return result;
}

/**
 * Compares an order's update time in the store with Platen's last reading. `isUnread` means that the order has changed since the reading,
 * or may have changed, because the store's clock may differ. For a possible change, the order is read again only after the maximum clock
 * difference, so that one more reading is enough. `isNews` means that the order certainly changed a while ago, but neither a webhook nor a
 * waiting plan accounts for the change.
 */
async function compareOrder(
  app: App,
  shopId: number,
  shopifyOrderId: string,
  updatedAt: Date | null,
): Promise<{ isUnread: boolean; isNews: boolean }> {
  // The plan names the unreadable field.
  if (updatedAt === null) return { isUnread: true, isNews: false };
  const known = await app.db.manager.findOneBy(StorefrontOrders, { shopId, shopifyOrderId });
  const readMs = known?.readAt?.getTime() ?? null;
  const changedMs = updatedAt.getTime();
  const ageMs = app.clock.now().getTime() - changedMs;
  const isSure = readMs === null || readMs < changedMs;
  const isDoubtful = !isSure && readMs < changedMs + MAX_CLOCK_SKEW_MS && ageMs >= MAX_CLOCK_SKEW_MS;
  const isLost = isSure && ageMs > WEBHOOK_DELAY_MS && (known === null || !(await hasWaitingPlan(app.db, known)));
  return { isUnread: isSure || isDoubtful, isNews: isLost };
}

/**
 * Plans waiting orders again, including partly printed ones. The order's update time may not change when the store routes an order to its
 * locations, or when a hold, a schedule or a buyer's request ends.
 */
async function planWaitingOrders(app: App, shopId: number): Promise<void> {
  const unrouted: OutcomeReason = 'no_fulfillment_orders';
  const later: OutcomeReason[] = ['on_hold', 'scheduled', 'needs_request', 'former_location', 'edit_requested'];
  const waiting: { id: string }[] = await app.db.query(
    `select id from (
       select id, read_at from storefront_orders
       where shop_id = $1 and outcome = 'waiting' and (outcome_reason = $2 or (outcome_reason = any($3::text[]) and read_at < $4))
       union all
       select id, read_at from storefront_orders
       where shop_id = $1 and outcome = 'planned' and outcome_reason is not null and outcome_reason = any($3::text[]) and read_at < $4
     ) o order by read_at limit $5`,
    [shopId, unrouted, later, new Date(app.clock.now().getTime() - REREAD_MS), MAX_WAITING],
  );
  for (const { id } of waiting) await enqueuePlan(app.db.manager, id);
}

/**
 * Plans orders with hidden customer data again, because Shopify's approval of the app does not change the orders' update times. Each pass
 * reads a few orders as a probe, and reads the rest once one of them has resumed.
 */
async function planHiddenOrders(app: App, shopId: number): Promise<void> {
  const code: HoldCode = 'protected_data';
  const hidden: { id: string }[] = await app.db.query(
    `select id from storefront_orders
     where shop_id = $1 and outcome = 'planned'
       and id in (select storefront_order_id from holds where shop_id = $1 and code = $2 and resolved_at is null)
     order by read_at limit $3`,
    [shopId, code, MAX_WAITING],
  );
  if (hidden.length === 0) return;
  const lately = MoreThan(new Date(app.clock.now().getTime() - REVEALED_MS));
  const isRevealed = await app.db.manager.existsBy(Holds, { shopId, code, resolvedAt: lately });
  for (const { id } of isRevealed ? hidden : hidden.slice(0, HIDDEN_PROBES)) await enqueuePlan(app.db.manager, id);
}

/**
 * Finds fulfillment and cancellation requests whose callbacks were lost. Each pass plans the orders with open requests until Platen has
 * responded to the requests. `fixed` counts orders that were unknown to Platen. Throws ShopifyError.
 */
export async function catchUpFulfillmentRequests(app: App, { shopId }: { shopId: number }): Promise<PassResult> {
  const shop = await app.db.manager.findOneBy(Shops, { id: shopId, state: 'installed' });
  if (!shop) return { found: 0, fixed: 0 };
  const admin = await openAdmin(app, shop);
  const orderIds = new Set<string>();
  for (const status of ['FULFILLMENT_REQUESTED', 'CANCELLATION_REQUESTED'] as const) {
    for await (const { orderId } of assignedFulfillmentOrders(admin, status)) orderIds.add(orderId);
  }
  let fixed = 0;
  for (const shopifyOrderId of orderIds) {
    if (!(await app.db.manager.existsBy(StorefrontOrders, { shopId, shopifyOrderId }))) fixed += 1;
    await receiveOrder(app, shop, shopifyOrderId);
  }
  return { found: orderIds.size, fixed };
}
