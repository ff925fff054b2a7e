import { planStorefrontOrder } from '../../../src/orders/plan/plan-storefront-order.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { VariantConnections } from '../../../src/database/entities/products.ts';
import { findOrder } from '../../../src/orders/manual-actions/find-order.ts';
import { showOrder } from '../../../src/orders/manual-actions/show-order.ts';
import { openTestShop, type TestShop } from '../../shipments/test-shop.ts';

let world: TestShop;
beforeAll(async () => {
  world = await openTestShop();
  await world.set({ delayMinutes: 0 });
});
afterAll(() => world.close());

/** Plans an order for a variant that is not connected at the print service, and returns the order's IDs. */
async function orderOfNotConnected(sku: string) {
  const { app, shop } = world;
  const body = { title: 'Cap', variants: [{ title: 'One size', sku }] };
  const made = await world.inStore<{ productId: string; variants: { variantId: string }[] }>('/products', body);
  const shopifyVariantId = made.variants[0]?.variantId ?? '';
  const reason = 'not_connected_at_service';
  const connection = { shopId: shop.id, shopifyVariantId, status: 'not_connected' as const, reason };
  await app.db.manager.insert(VariantConnections, { ...connection, storeProductId: 'cap' });
  const { id: shopifyOrderId, name } = await world.buy({ [sku]: 1 });
  const order = { shopId: shop.id, shopifyOrderId, name, placedAt: app.clock.now() };
  const { id: storefrontOrderId } = await app.db.manager.save(StorefrontOrders, order);
  const plan = () => planStorefrontOrder(app, { storefrontOrderId });
  await plan();
  const digits = (id: string) => id.split('/').at(-1) ?? '';
  const [product, variant] = [digits(made.productId), digits(shopifyVariantId)];
  return { name, storefrontOrderId, shopifyVariantId, product, variant, plan };
}

async function urlsOf(name: string): Promise<(string | null)[][]> {
  const { app, shop } = world;
  const { holds } = await showOrder(app, await findOrder(app, shop, name));
  return holds.map(({ code, adminUrl }) => [code, adminUrl]);
}
const remove = (kind: 'variants' | 'products', id: string) =>
  fetch(`${world.storeUrl}/_control/${kind}/${id}`, { method: 'DELETE' });

test('a hold for a variant that is not connected links to the variant in the Shopify admin', async () => {
  const { name, product, variant } = await orderOfNotConnected('CAP-1');
  const url = `https://admin.shopify.com/store/demo/products/${product}/variants/${variant}`;
  expect(await urlsOf(name)).toEqual([['not_connected', url]]);
});

test('a hold links to the product if the variant is deleted, and to nothing if the product is deleted', async () => {
  const { app } = world;
  const { name, shopifyVariantId, product, variant, plan } = await orderOfNotConnected('CAP-2');
  await app.db.manager.update(VariantConnections, { shopifyVariantId }, { deletedInStoreAt: app.clock.now() });
  await remove('variants', variant);
  await plan();
  const url = `https://admin.shopify.com/store/demo/products/${product}`;
  expect(await urlsOf(name)).toEqual([['not_connected', url]]);
  await remove('products', product);
  await plan();
  expect(await urlsOf(name)).toEqual([['not_connected', null]]);
});
