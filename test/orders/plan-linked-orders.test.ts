import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Holds, OrderLines, StorefrontOrders } from '../../src/database/entities/orders.ts';
import { PrintLinks, VariantConnections, type ConnectionStatus } from '../../src/database/entities/products.ts';
import type { Shop } from '../../src/database/entities/shops.ts';
import { planConnectedOrders } from '../../src/orders/plan-connected-orders.ts';
import { planLinkedOrders } from '../../src/orders/plan-linked-orders.ts';
import { addShop, readJobPayloads, openTestApp, type OpenTestApp } from '../http/test-app.ts';

let app: OpenTestApp;
let shop: Shop;

beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());
beforeEach(async () => {
  await app.db.query('delete from shops');
  await app.db.query('delete from graphile_worker._private_jobs');
  shop = await addShop(app.db);
});

let number = 1000;

interface Held {
  code?: string;
  variantId?: string | null;
  sku?: string | null;
  of?: Shop;
  resolvedAt?: Date | null;
}

/** Adds an order with one line and a hold with this code. Without a code, the line is left to the merchant. */
async function addOrder({ code, variantId = null, sku = null, of = shop, resolvedAt = null }: Held): Promise<string> {
  const shopifyOrderId = `gid://shopify/Order/${(number += 1)}`;
  const placed = { shopId: of.id, shopifyOrderId, name: `#${number}`, placedAt: new Date() };
  const { identifiers } = await app.db.manager.insert(StorefrontOrders, placed);
  const storefrontOrderId = String(identifiers[0]?.['id']);
  const shopifyLineItemId = `gid://shopify/LineItem/${number}`;
  const decision = code === undefined ? ('not_ours' as const) : ('held' as const);
  const line = { storefrontOrderId, shopifyLineItemId, shopifyVariantId: variantId, sku, decision };
  await app.db.manager.insert(OrderLines, line);
  const hold = { shopId: of.id, storefrontOrderId, shopifyLineItemId, message: 'It waits.', resolvedAt };
  if (code !== undefined) await app.db.manager.insert(Holds, { ...hold, code });
  return storefrontOrderId;
}

const link = { productUid: 'mug', fileUrl: null };

test('only orders held for a print link that now exists are planned again', async () => {
  const other = await addShop(app.db);
  await app.db.manager.insert(PrintLinks, [
    { shopId: shop.id, shopifyVariantId: 'linked', ...link },
    { shopId: shop.id, shopifyVariantId: null, sku: 'MUG', ...link },
    { shopId: shop.id, shopifyVariantId: 'another', sku: 'CUP', ...link },
    { shopId: other.id, shopifyVariantId: 'theirs', ...link },
  ]);
  const code = 'no_print_link';
  const planned = [
    await addOrder({ code, variantId: 'linked' }),
    await addOrder({ code, variantId: 'new', sku: ' MUG\u00a0' }),
    await addOrder({ code, variantId: null, sku: 'POSTER' }),
    await addOrder({ code: 'variant_deleted', variantId: 'gone', sku: 'MUG' }),
  ];
  await addOrder({ code, variantId: 'theirs' });
  await addOrder({ code, variantId: 'missing', sku: 'CUP' });
  await addOrder({ code, variantId: 'linked', resolvedAt: new Date() });
  await addOrder({ code: 'not_connected', variantId: 'linked' });
  await addOrder({ code: 'variant_deleted', variantId: 'linked', sku: 'POSTER' });
  await addOrder({ code: 'variant_deleted', sku: 'CUP' });
  await addOrder({ variantId: 'linked' });
  await addOrder({ code, variantId: 'theirs', of: other });
  await planLinkedOrders(app, { shopId: shop.id });
  expect(await readJobPayloads(app.db, 'plan_order')).toEqual(
    planned.map((storefrontOrderId) => ({ storefrontOrderId })),
  );
  await planLinkedOrders(app, { shopId: shop.id });
  expect(await readJobPayloads(app.db, 'plan_order')).toHaveLength(4);
});

test('only orders held for a variant that is now connected or ignored are planned again', async () => {
  const other = await addShop(app.db);
  const connect = (of: Shop, statuses: Record<string, ConnectionStatus>) =>
    app.db.manager.insert(
      VariantConnections,
      Object.entries(statuses).map(([shopifyVariantId, status]) => ({ shopId: of.id, shopifyVariantId, status })),
    );
  await connect(shop, { fixed: 'connected', ours: 'ignored', wanting: 'not_connected' });
  await connect(other, { fixed: 'not_connected', wanting: 'connected' });
  const code = 'not_connected';
  // These lines include one whose variant no longer has a status, and one whose variant was never recorded.
  const planned: string[] = [];
  for (const variantId of ['fixed', 'ours', 'forgotten', null]) planned.push(await addOrder({ code, variantId }));
  planned.push(await addOrder({ code: 'no_print_link', variantId: 'ours' }));
  await addOrder({ code, variantId: 'wanting' });
  await addOrder({ code: 'no_print_link', variantId: 'fixed' });
  await addOrder({ code: 'no_print_link' });
  await addOrder({ code, variantId: 'fixed', resolvedAt: new Date() });
  await addOrder({ code, variantId: 'wanting', of: other });
  for (const _time of [1, 2]) {
    await planConnectedOrders(app, { shopId: shop.id });
    expect(await readJobPayloads(app.db, 'plan_order')).toEqual(
      planned.map((storefrontOrderId) => ({ storefrontOrderId })),
    );
  }
});
