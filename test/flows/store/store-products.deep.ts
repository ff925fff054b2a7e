import { beforeAll, expect, test } from 'vitest';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { PrintLinks, VariantConnections } from '../../../src/database/entities/products.ts';
import type { PlacedOrder } from '../../helpers/platen.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { untilIdle } from '../../helpers/until-idle.ts';
import { eventually } from '../../helpers/eventually.ts';

// Events and webhooks arrive at the endpoints as they do in production: signed by the store, unsigned by the service.

interface DemoVariant {
  sku: string;
  variantId: string;
}

let storeId: string;
let variants: DemoVariant[];

testPlaten({ advanceSeconds: null });
beforeAll(async () => {
  storeId = ((await platen.control('print', 'POST', '/stores', {})) as { id: string }).id;
  variants = (await platen.control('store', 'GET', '/variants')) as DemoVariant[];
}, 60_000);

const idOf = (sku: string) => variants.find((one) => one.sku === sku)?.variantId ?? '';
const digits = (gid: string) => gid.split('/').at(-1) ?? '';
const readAt = async ({ id }: PlacedOrder) =>
  (await platen.app.db.manager.findOneByOrFail(StorefrontOrders, { shopifyOrderId: id })).readAt;
const connection = (sku: string) =>
  platen.app.db.manager.findOneBy(VariantConnections, { shopId: platen.shop.id, shopifyVariantId: idOf(sku) });
const holdsOf = async ({ id }: PlacedOrder) => (await platen.listed(id)).holds.map(({ code }) => code);

/** Adds a product with a single variant at the service for the product of this SKU. */
async function addProduct(sku: string, connectionStatus: string): Promise<{ id: string }> {
  const [row]: { id: string | null }[] = await platen.app.db.query(
    'select shopify_product_id as id from variant_connections where shopify_variant_id = $1',
    [idOf(sku)],
  );
  // Platen learns which product a variant belongs to only from the hourly poll.
  if (!row?.id) throw new Error(`The product of ${sku} is unknown.`);
  const variant = { title: sku, externalId: digits(idOf(sku)), connectionStatus };
  return (await platen.control('print', 'POST', `/stores/${storeId}/products`, {
    title: sku,
    externalId: digits(row.id),
    variants: [variant],
  })) as { id: string };
}

test('an order for an unconnected variant is held, and resumes once the variant is connected', async () => {
  await platen.app.db.query(`select graphile_worker.add_job('catch_up_store_products', $1::json)`, [
    JSON.stringify({ shopId: platen.shop.id }),
  ]);
  await untilIdle(platen.app);
  const mug = await addProduct('MUG-11OZ', 'not_connected');
  const poster = await addProduct('POSTER-13X18', 'not_connected');
  await eventually(() => connection('MUG-11OZ')).toMatchObject({ status: 'not_connected' });
  await eventually(() => connection('POSTER-13X18')).toMatchObject({ status: 'not_connected' });
  await platen.app.db.manager.delete(PrintLinks, { sku: 'CARDS' });

  const held = await platen.placeSkus({ 'MUG-11OZ': 1 });
  const others = [await platen.placeSkus({ 'POSTER-13X18': 1 }), await platen.placeSkus({ CARDS: 1 })];
  for (const order of [held, ...others]) await platen.untilState(order.id, 'held');
  expect([await holdsOf(held), ...(await Promise.all(others.map(holdsOf)))]).toEqual([
    ['not_connected'],
    ['not_connected'],
    ['no_print_link'],
  ]);
  expect((await platen.listed(held.id)).holds[0]?.remedy).toMatch(/Connect the variant .+ resumes automatically/);
  await untilIdle(platen.app);
  const before = await Promise.all(others.map(readAt));

  await platen.control('print', 'POST', `/store-products/${mug.id}`, {
    variants: [{ id: await variantOf(mug.id), connectionStatus: 'connected' }],
  });
  await platen.untilState(held.id, 'printing');
  await untilIdle(platen.app);
  expect(await Promise.all(others.map(readAt))).toEqual(before);
  expect(await holdsOf(others[0] as PlacedOrder)).toEqual(['not_connected']);

  // A variant marked as not printed is left to the merchant.
  await platen.control('print', 'POST', `/store-products/${poster.id}`, {
    variants: [{ id: await variantOf(poster.id), connectionStatus: 'ignored' }],
  });
  await platen.untilState(others[0]?.id ?? '', 'nothing_to_do');
});

async function variantOf(productId: string): Promise<string> {
  const products = (await platen.control('print', 'GET', `/stores/${storeId}/products`)) as {
    id: string;
    variants: { id: string }[];
  }[];
  return products.find(({ id }) => id === productId)?.variants[0]?.id ?? '';
}
