import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ConnectionMetafields } from '../../../src/database/entities/store-products.ts';
import { Shops } from '../../../src/database/entities/shops.ts';
import { clearConnectionStatus } from '../../../src/products/connection-metafields/clear-connection-status.ts';
import { catchUpStoreProducts } from '../../../src/products/store-products/catch-up-store-products.ts';
import { settingsWithoutScope } from '../../../src/shops/tokens/scopes.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { readJobPayloads } from '../../http/test-app.ts';
import { openConnections, type ConnectionWorld } from './connection-world.ts';

let world: ConnectionWorld;
beforeAll(async () => void (world = await openConnections()));
beforeEach(() => world.clear());
afterAll(() => world.close());

const SET = 'SetProductMetafields';
const setCalls = () => world.calls(SET);

/** Adds a product with three variants: one connected, one not connected and one ignored. */
async function addMixedProduct() {
  const { id, variantIds } = await world.addProduct('Mixed', 3);
  const statuses = ['connected', 'not_connected', 'ignored'];
  const variants = variantIds.map((variantId, index) => ({
    id: variantId,
    productId: id,
    status: statuses[index] ?? '',
  }));
  await world.connect(variants);
  return { id, variants, statuses: Object.fromEntries(variants.map((one) => [one.id, one.status])) };
}

test("one call writes the variants' statuses and the products' counts, and both metafields are defined", async () => {
  const { id, statuses } = await addMixedProduct();
  await world.write();
  expect(await world.shown()).toEqual({ ...statuses, [id]: '1 not connected, 1 connected, 1 ignored' });
  expect(await setCalls()).toBe(1);
  expect(await world.calls('CreateMetafieldDefinition')).toBe(2);
});

test('only changed metafield values are written, and each is written once', async () => {
  const { id, variants, statuses } = await addMixedProduct();
  await world.write();
  await world.write();
  expect(await setCalls()).toBe(1);
  const [, second] = variants;
  if (!second) throw new Error('no variant');
  await world.connect([{ ...second, status: 'connected' }]);
  await world.write();
  expect(await world.shown()).toEqual({ ...statuses, [second.id]: 'connected', [id]: '2 connected, 1 ignored' });
  expect([await setCalls(), await world.calls('CreateMetafieldDefinition')]).toEqual([2, 2]);
});

test('a variant that is missing from the store does not affect other variants, and is retried only after a day', async () => {
  const { id, variantIds } = await world.addProduct('Many', 23);
  const gone = { id: 'gid://shopify/ProductVariant/1', productId: 'gid://shopify/Product/1', status: 'connected' };
  await world.connect([gone, ...variantIds.map((variantId) => ({ id: variantId, productId: id }))]);
  await world.write();
  const shown = await world.shown();
  expect(Object.keys(shown).toSorted()).toEqual([id, ...variantIds].toSorted());
  const calls = await setCalls();
  await world.write();
  expect(await setCalls()).toBe(calls);
  world.later(86_401);
  await world.write();
  expect(await setCalls()).toBe(calls + 1);
});

test('metafields of variants that have no connection or were deleted in the store are removed', async () => {
  const { id, variants } = await addMixedProduct();
  await world.write();
  const [first, second] = variants.map((one) => one.id);
  await world.app.db.query('delete from variant_connections where shopify_variant_id = $1', [first]);
  const gone = 'update variant_connections set deleted_in_store_at = now() where shopify_variant_id = $1';
  await world.app.db.query(gone, [second]);
  await world.write();
  expect(await world.shown()).toEqual({ [variants[2]?.id ?? '']: 'ignored', [id]: '1 ignored' });
  expect(await world.app.db.manager.countBy(ConnectionMetafields, { shopId: world.shop.id })).toBe(2);
});

test("a metafield that someone removed or overwrote is written again only when the variant's status changes", async () => {
  const { variants } = await addMixedProduct();
  await world.write();
  const [first, second] = variants;
  if (!first || !second) throw new Error('no variants');
  const edit = { namespace: '$app', key: 'connection_status', type: 'single_line_text_field' };
  await world.inStore('/metafields', { ...edit, ownerId: first.id, value: null });
  await world.inStore('/metafields', { ...edit, ownerId: second.id, value: 'mine' });
  await world.write();
  expect(await world.shown()).toMatchObject({ [second.id]: 'mine' });
  expect(await world.shown()).not.toHaveProperty([first.id]);
  await world.connect([first, second].map((one) => ({ ...one, status: 'ignored' })));
  await world.write();
  expect(await world.shown()).toMatchObject({ [first.id]: 'ignored', [second.id]: 'ignored' });
});

test('without the permission, nothing is written, and the setting is reported until the permission is granted', async () => {
  const { id } = await addMixedProduct();
  await world.grant({ revoke: ['write_products'] });
  await world.write();
  expect(await setCalls()).toBe(0);
  const shop = await world.app.db.getRepository(Shops).findOneByOrFail({ id: world.shop.id });
  expect(await settingsWithoutScope(world.app, shop)).toEqual([
    { setting: 'writesConnectionStatus', scope: 'write_products' },
  ]);
  await world.grant({ grant: ['write_products'] });
  await world.write();
  expect(await world.shown()).toHaveProperty([id]);
});

test('switching the setting off removes all metafields and their definitions', async () => {
  await addMixedProduct();
  await world.write();
  await changeSettings(world.app, world.shop, { writesConnectionStatus: false });
  expect(await readJobPayloads(world.app.db, 'write_connections')).toHaveLength(1);
  await world.write();
  expect(await world.shown()).toEqual({});
  expect(await world.app.db.manager.count(ConnectionMetafields)).toBe(0);
  expect(await world.calls('DeleteMetafieldDefinition')).toBeGreaterThan(1);
});

test('a call whose response was lost is retried, and its metafields can be removed later', async () => {
  const { variants } = await addMixedProduct();
  await world.inStore('/faults', [{ operation: SET, rate: 1, kind: 'reset', effect: 'done', times: 1 }]);
  await world.write();
  expect(await setCalls()).toBe(2);
  expect(Object.keys(await world.shown())).toHaveLength(variants.length + 1);
  const { cleared, isDone } = await clearConnectionStatus(world.app, world.shop);
  expect([cleared, isDone, await world.shown()]).toEqual([variants.length + 1, true, {}]);
});

test("another shop's connections are not counted", async () => {
  const { id } = await addMixedProduct();
  const other = await world.app.db
    .getRepository(Shops)
    .save({ domain: 'elsewhere.myshopify.com', currency: 'USD', takesOrdersFrom: new Date() });
  await world.app.db.query(
    `insert into variant_connections (shop_id, shopify_variant_id, shopify_product_id, status) values ($1, 'gid://shopify/ProductVariant/9', $2, 'ignored')`,
    [other.id, id],
  );
  await world.write();
  expect((await world.shown())[id]).toBe('1 not connected, 1 connected, 1 ignored');
  await world.app.db.query('delete from shops where id = $1', [other.id]);
});

test('the hourly poll enqueues a lost job again, even for a shop without a print account', async () => {
  await addMixedProduct();
  const { printAccountId } = world.shop;
  await world.app.db.getRepository(Shops).update({ id: world.shop.id }, { printAccountId: null });
  await catchUpStoreProducts(world.app, { shopId: world.shop.id });
  await world.app.db.getRepository(Shops).update({ id: world.shop.id }, { printAccountId });
  expect(await readJobPayloads(world.app.db, 'write_connections')).toHaveLength(1);
});
