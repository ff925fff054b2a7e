import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Holds, OrderLines, StorefrontOrders } from '../../src/database/entities/orders.ts';
import { VariantConnections, type ConnectionStatus } from '../../src/database/entities/products.ts';
import type { Shop } from '../../src/database/entities/shops.ts';
import { planConnectedOrders } from '../../src/orders/plan-connected-orders.ts';
import { addShop, readJobPayloads, openTestApp, type OpenTestApp } from '../http/test-app.ts';

let app: OpenTestApp;
let shop: Shop;

beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());
beforeEach(async () => {
  await app.db.query('delete from shops; delete from graphile_worker._private_jobs');
  shop = await addShop(app.db);
});

let number = 1000;

/** Adds an order with one held line for this variant. */
async function addHeld(
  shopifyVariantId: string | null,
  { code = 'not_connected', of = shop, resolvedAt = null as Date | null } = {},
): Promise<string> {
  number += 1;
  const placed = { shopId: of.id, shopifyOrderId: `gid://shopify/Order/${number}`, name: `#${number}` };
  const { identifiers } = await app.db.manager.insert(StorefrontOrders, { ...placed, placedAt: new Date() });
  const storefrontOrderId = String(identifiers[0]?.['id']);
  const line = { storefrontOrderId, shopifyLineItemId: `gid://shopify/LineItem/${number}` };
  await app.db.manager.insert(OrderLines, { ...line, shopifyVariantId, decision: 'held' });
  await app.db.manager.insert(Holds, { ...line, shopId: of.id, code, message: 'It waits.', resolvedAt });
  return storefrontOrderId;
}

async function connect(of: Shop, statuses: Record<string, ConnectionStatus>): Promise<void> {
  const rows = Object.entries(statuses).map(([shopifyVariantId, status]) => ({
    shopId: of.id,
    shopifyVariantId,
    status,
  }));
  await app.db.manager.insert(VariantConnections, rows);
}

test('only orders held for a variant that is now connected or ignored are planned again', async () => {
  const other = await addShop(app.db);
  await connect(shop, { fixed: 'connected', ours: 'ignored', wanting: 'not_connected' });
  await connect(other, { fixed: 'not_connected', wanting: 'connected' });
  // These lines include one whose variant no longer has a status, and one whose variant was never recorded.
  const planned = [await addHeld('fixed'), await addHeld('ours'), await addHeld('forgotten'), await addHeld(null)];
  planned.push(await addHeld('ours', { code: 'no_print_link' }));
  await addHeld('wanting');
  await addHeld('fixed', { code: 'no_print_link' });
  await addHeld(null, { code: 'no_print_link' });
  await addHeld('fixed', { resolvedAt: new Date() });
  await addHeld('wanting', { of: other });
  await planConnectedOrders(app, { shopId: shop.id });
  expect(await readJobPayloads(app.db, 'plan_order')).toEqual(
    planned.map((storefrontOrderId) => ({ storefrontOrderId })),
  );
  await planConnectedOrders(app, { shopId: shop.id });
  expect(await readJobPayloads(app.db, 'plan_order')).toHaveLength(5);
});

test('no order is planned while no variant is connected', async () => {
  await connect(shop, { wanting: 'not_connected' });
  await addHeld('wanting');
  await planConnectedOrders(app, { shopId: shop.id });
  expect(await readJobPayloads(app.db, 'plan_order')).toEqual([]);
});
