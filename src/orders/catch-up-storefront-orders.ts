import type { App } from '../app.ts';
import { StorefrontOrders } from '../database/orders.ts';
import { Shops } from '../database/shops.ts';
import { assignedFulfillmentOrders } from '../shopify/fulfillment-orders.ts';
import { ordersUpdatedSince } from '../shopify/orders.ts';
import { openAdmin } from '../shops/tokens.ts';
import { enqueuePlan } from './enqueue-plan.ts';
import { receiveOrder } from './receive-order.ts';

/** The store's index may lag, and clocks differ: each pass looks this far behind where the last one ended. */
const OVERLAP_MS = 5 * 60_000;
/** By so much the store's clock and ours may differ. */
const CLOCKS_DIFFER_MS = 60_000;
/** Orders taken up again in one pass because the store had not routed them yet. */
const MOST_WAITING = 200;

/**
 * Finds the orders whose webhooks were lost: all that changed since the last pass, with an overlap. The cursor moves only
 * after the orders of a page are taken in. Returns how many orders were read. Throws ShopifyError.
 */
export async function catchUpStorefrontOrders(app: App, { shopId }: { shopId: number }): Promise<number> {
  const shop = await app.db.manager.findOneBy(Shops, { id: shopId, state: 'installed' });
  if (!shop) return 0;
  const admin = await openAdmin(app, shop);
  const since = new Date((shop.ordersReadUntil ?? shop.takesOrdersFrom).getTime() - OVERLAP_MS);
  let read = 0;
  for await (const { orders } of ordersUpdatedSince(admin, since)) {
    for (const { id, name, createdAt, updatedAt } of orders) {
      if (await isNews(app, shop.id, id, new Date(updatedAt)))
        await receiveOrder(app, shop, id, { name, placedAt: new Date(createdAt) });
    }
    read += orders.length;
    const last = orders.at(-1);
    if (last) await app.db.manager.update(Shops, { id: shop.id }, { ordersReadUntil: new Date(last.updatedAt) });
  }
  await planWaiting(app, shopId);
  return read;
}

/** An order that was read after its last change has nothing new to say. */
async function isNews(app: App, shopId: number, shopifyOrderId: string, updatedAt: Date): Promise<boolean> {
  const known = await app.db.manager.findOneBy(StorefrontOrders, { shopId, shopifyOrderId });
  const readAt = known?.readAt ?? null;
  return readAt === null || readAt.getTime() < updatedAt.getTime() + CLOCKS_DIFFER_MS;
}

/** Routing an order to its locations changes no date of the order: those that wait for it are read again. */
async function planWaiting(app: App, shopId: number): Promise<void> {
  const waiting = await app.db.manager.find(StorefrontOrders, {
    where: { shopId, outcome: 'waiting', outcomeReason: 'no_fulfillment_orders' },
    order: { readAt: 'ASC' },
    take: MOST_WAITING,
  });
  for (const { id } of waiting) await enqueuePlan(app, app.db.manager, id);
}

/** Finds requests and cancellations of fulfilment whose callbacks were lost. Returns how many wait. Throws ShopifyError. */
export async function catchUpFulfillmentRequests(app: App, { shopId }: { shopId: number }): Promise<number> {
  const shop = await app.db.manager.findOneBy(Shops, { id: shopId, state: 'installed' });
  if (!shop) return 0;
  const admin = await openAdmin(app, shop);
  const orderIds = new Set<string>();
  for (const status of ['FULFILLMENT_REQUESTED', 'CANCELLATION_REQUESTED'] as const) {
    for await (const { orderId } of assignedFulfillmentOrders(admin, status)) orderIds.add(orderId);
  }
  for (const orderId of orderIds) await receiveOrder(app, shop, orderId);
  return orderIds.size;
}
