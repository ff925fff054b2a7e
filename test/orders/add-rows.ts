import { randomUUID } from 'node:crypto';
import type { App } from '../../src/app.ts';
import { StorefrontOrders, type StorefrontOrder } from '../../src/database/entities/orders.ts';
import { PrintOrders, type PrintOrder } from '../../src/database/entities/print-orders.ts';

/** Adds an order that was placed now, unless these changes say otherwise. */
export async function addOrder(
  { db, clock }: App,
  shop: { id: number },
  change: Partial<StorefrontOrder> = {},
): Promise<StorefrontOrder> {
  const shopifyOrderId = `gid://shopify/Order/${randomUUID()}`;
  const row = { shopId: shop.id, shopifyOrderId, name: '#1', placedAt: clock.now(), ...change };
  await db.manager.insert(StorefrontOrders, row as never);
  return db.manager.findOneByOrFail(StorefrontOrders, { shopId: shop.id, shopifyOrderId: row.shopifyOrderId });
}

/** Adds a quoted print order of an order, without lines. */
export async function addPrintOrder(
  { db }: App,
  order: StorefrontOrder,
  change: Partial<PrintOrder> = {},
): Promise<PrintOrder> {
  const row = {
    shopId: order.shopId,
    storefrontOrderId: order.id,
    shopifyFulfillmentOrderId: 'gid://shopify/FulfillmentOrder/1',
    part: 1,
    reference: randomUUID(),
    state: 'quoted' as const,
    submitWay: 'draft' as const,
    planSha256: 'f'.repeat(64),
    ...change,
  };
  await db.manager.insert(PrintOrders, row as never);
  return db.manager.findOneByOrFail(PrintOrders, { reference: row.reference });
}
