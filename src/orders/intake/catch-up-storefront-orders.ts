import { IsNull, MoreThan } from 'typeorm';
import type { App } from '../../app.ts';
import { Holds, StorefrontOrders } from '../../database/entities/orders.ts';
import { Shops } from '../../database/entities/shops.ts';
import type { PassResult } from '../../jobs/tasks.ts';
import { assignedFulfillmentOrders } from '../../shopify/calls/fulfillment-orders.ts';
import { ordersUpdatedSince } from '../../shopify/calls/orders.ts';
import { notePollNews } from '../../shops/poll-news.ts';
import { openAdmin } from '../../shops/tokens/tokens.ts';
import { enqueuePlan } from '../enqueue/enqueue-plan.ts';
import type { HoldCode } from '../facts/hold-codes.ts';
import type { OutcomeReason } from '../facts/outcome-reasons.ts';
import { receiveOrder } from './receive-order.ts';
import { waitsForPlan } from './waits-for-plan.ts';

/** The store's index may lag, and clocks differ: each pass looks this far behind where the last one ended. */
const OVERLAP_MS = 5 * 60_000;
/** By a minute the store's clock and ours may differ, and a reading is noted up to half a minute after it began. */
const CLOCKS_DIFFER_MS = 90_000;
/** A webhook of a change that is younger than this may be on its way. */
const ON_ITS_WAY_MS = 60_000;
/** How often an order is read again that waits for something in the store which may change no date of it. */
const LOOK_AGAIN_MS = 60 * 60_000;
/** Orders taken up again in one pass because the store had not routed them yet. */
const MOST_WAITING = 200;
/** Orders with hidden customer data that are read again in one pass, to see whether it is hidden still. */
const HIDDEN_PROBES = 5;
/** After one of them was seen to go on, the others follow within this time, many in a pass. */
const REVEALED_MS = 60 * 60_000;

/**
 * Finds the orders whose webhooks were lost: all that changed since the last pass, with an overlap. The cursor moves only
 * after the orders of a page are taken in. An order, or a change of one, that no webhook told of is news. Throws ShopifyError.
 */
export async function catchUpStorefrontOrders(app: App, { shopId }: { shopId: number }): Promise<PassResult> {
  const result = { found: 0, mended: 0 };
  const shop = await app.db.manager.findOneBy(Shops, { id: shopId, state: 'installed' });
  if (!shop) return result;
  const admin = await openAdmin(app, shop);
  const since = new Date((shop.ordersReadUntil ?? shop.takesOrdersFrom).getTime() - OVERLAP_MS);
  let cursor = shop.ordersReadUntil;
  for await (const { orders } of ordersUpdatedSince(admin, since)) {
    for (const { id, name, createdAt, updatedAt } of orders) {
      const { isUnread, isNews } = await compare(app, shop.id, id, new Date(updatedAt));
      if (isUnread) await receiveOrder(app, shop, id, { name, placedAt: new Date(createdAt) });
      result.found += Number(isUnread);
      result.mended += Number(isNews);
    }
    const last = orders.at(-1);
    if (!last) continue;
    const ordersReadUntil = new Date(last.updatedAt);
    const moved = await app.db.manager.update(
      Shops,
      { id: shop.id, ordersReadUntil: cursor ?? IsNull() },
      { ordersReadUntil },
    );
    // It was set back meanwhile: whoever did so has the orders from there read.
    if (moved.affected === 0) break;
    cursor = ordersReadUntil;
  }
  if (result.mended > 0) await notePollNews(app, 'shopify', [shop.id]);
  await planWaiting(app, shopId);
  await planHidden(app, shopId);
  return result;
}

/**
 * Whether an order is to be read again: it was changed after it was last read, or may have been, as clocks differ; in doubt once that
 * time has passed, so that one more reading is enough: the passes until then list it again. And whether it surely was changed, a while
 * ago, and no webhook had it read: none is on its way, and no plan of it waits.
 */
async function compare(
  app: App,
  shopId: number,
  shopifyOrderId: string,
  updatedAt: Date,
): Promise<{ isUnread: boolean; isNews: boolean }> {
  const known = await app.db.manager.findOneBy(StorefrontOrders, { shopId, shopifyOrderId });
  const readMs = known?.readAt?.getTime() ?? null;
  const changedMs = updatedAt.getTime();
  const ageMs = app.now().getTime() - changedMs;
  const isSure = readMs === null || readMs < changedMs;
  const isDoubtful = !isSure && readMs < changedMs + CLOCKS_DIFFER_MS && ageMs >= CLOCKS_DIFFER_MS;
  const isLost = isSure && ageMs > ON_ITS_WAY_MS && (known === null || !(await waitsForPlan(app, known)));
  return { isUnread: isSure || isDoubtful, isNews: isLost };
}

/**
 * Routing an order to its locations, and the end of a hold or a schedule there, may change no date of the order: it is read again, also
 * when the rest of the order is printed already.
 */
async function planWaiting(app: App, shopId: number): Promise<void> {
  const unrouted: OutcomeReason = 'no_fulfillment_orders';
  const later: OutcomeReason[] = ['on_hold', 'scheduled', 'needs_request'];
  const waiting: { id: string }[] = await app.db.query(
    `select id from (
       select id, read_at from storefront_orders
       where shop_id = $1 and outcome = 'waiting' and (outcome_reason = $2 or (outcome_reason = any($3::text[]) and read_at < $4))
       union all
       select id, read_at from storefront_orders
       where shop_id = $1 and outcome = 'planned' and outcome_reason is not null and outcome_reason = any($3::text[]) and read_at < $4
     ) o order by read_at limit $5`,
    [shopId, unrouted, later, new Date(app.now().getTime() - LOOK_AGAIN_MS), MOST_WAITING],
  );
  for (const { id } of waiting) await enqueuePlan(app.db.manager, id);
}

/** The approval for customer data is given to the app, and no date of an order changes: a few are read again to see, then all. */
async function planHidden(app: App, shopId: number): Promise<void> {
  const code: HoldCode = 'protected_data';
  const hidden: { id: string }[] = await app.db.query(
    `select id from storefront_orders
     where shop_id = $1 and outcome = 'planned'
       and id in (select storefront_order_id from holds where shop_id = $1 and code = $2 and resolved_at is null)
     order by read_at limit $3`,
    [shopId, code, MOST_WAITING],
  );
  if (hidden.length === 0) return;
  const lately = MoreThan(new Date(app.now().getTime() - REVEALED_MS));
  const isRevealed = await app.db.manager.existsBy(Holds, { shopId, code, resolvedAt: lately });
  for (const { id } of isRevealed ? hidden : hidden.slice(0, HIDDEN_PROBES)) await enqueuePlan(app.db.manager, id);
}

/**
 * Finds requests and cancellations of fulfilment whose callbacks were lost. Those that wait are planned each time, until they are
 * answered; a request of an order that was not known is news. Throws ShopifyError.
 */
export async function catchUpFulfillmentRequests(app: App, { shopId }: { shopId: number }): Promise<PassResult> {
  const shop = await app.db.manager.findOneBy(Shops, { id: shopId, state: 'installed' });
  if (!shop) return { found: 0, mended: 0 };
  const admin = await openAdmin(app, shop);
  const orderIds = new Set<string>();
  for (const status of ['FULFILLMENT_REQUESTED', 'CANCELLATION_REQUESTED'] as const) {
    for await (const { orderId } of assignedFulfillmentOrders(admin, status)) orderIds.add(orderId);
  }
  let mended = 0;
  for (const shopifyOrderId of orderIds) {
    if (!(await app.db.manager.existsBy(StorefrontOrders, { shopId, shopifyOrderId }))) mended += 1;
    await receiveOrder(app, shop, shopifyOrderId);
  }
  return { found: orderIds.size, mended };
}
