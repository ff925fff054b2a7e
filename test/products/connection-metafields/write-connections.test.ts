import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ConnectionMetafields } from '../../../src/database/entities/store-products.ts';
import { Shops } from '../../../src/database/entities/shops.ts';
import { clearConnectionStatus } from '../../../src/products/connection-metafields/clear-connection-status.ts';
import { saveLink } from '../../../src/products/links/save-link.ts';
import { catchUpStoreProducts } from '../../../src/products/store-products/catch-up-store-products.ts';
import { installShop } from '../../../src/shops/install/install.ts';
import { settingsWithoutScope } from '../../../src/shops/tokens/scopes.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { uninstallShop } from '../../../src/shops/install/uninstall.ts';
import { jobsOf } from '../../http/test-app.ts';
import { sessionTokenOf } from '../../shops/open-store.ts';
import { openConnections, type ConnectionWorld } from './connection-world.ts';

let world: ConnectionWorld;
beforeAll(async () => void (world = await openConnections()));
beforeEach(() => world.clear());
afterAll(() => world.close());

const SET = 'SetProductMetafields';
const setCalls = () => world.calls(SET);

/** A product of three variants: connected, not connected, ignored. */
async function addMixed() {
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

test('each variant says how it is connected and the product how many are, in one call, and both are defined', async () => {
  const { id, statuses } = await addMixed();
  await world.write();
  expect(await world.shown()).toEqual({ ...statuses, [id]: '1 not connected, 1 connected, 1 ignored' });
  expect(await setCalls()).toBe(1);
  expect(await world.calls('CreateMetafieldDefinition')).toBe(2);
});

test('nothing is written twice, and what changed is written alone', async () => {
  const { id, variants, statuses } = await addMixed();
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

test('a variant that the store has lost keeps none of the other 24 out, and is not tried again before a day has passed', async () => {
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

test('a variant of which nothing is known any more loses its metafield, and so does one that was deleted in the store', async () => {
  const { id, variants } = await addMixed();
  await world.write();
  const [first, second] = variants.map((one) => one.id);
  await world.app.db.query('delete from variant_connections where shopify_variant_id = $1', [first]);
  const gone = 'update variant_connections set deleted_in_store_at = now() where shopify_variant_id = $1';
  await world.app.db.query(gone, [second]);
  await world.write();
  expect(await world.shown()).toEqual({ [variants[2]?.id ?? '']: 'ignored', [id]: '1 ignored' });
  expect(await world.app.db.manager.countBy(ConnectionMetafields, { shopId: world.shop.id })).toBe(2);
});

test('a metafield that somebody took away or wrote over is written anew when the status changes, and not before', async () => {
  const { variants } = await addMixed();
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

test('without the permission nothing is written and the merchant is told; given again, it is written', async () => {
  const { id } = await addMixed();
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

test('a permission that is taken back unnoticed ends the job without a failure, and is known from then on', async () => {
  await addMixed();
  await world.inStore(`/shops/${world.shop.domain}/scopes`, { revoke: ['write_products'] });
  await world.write();
  expect(await world.shown()).toEqual({});
  expect(await settingsWithoutScope(world.app, world.shop)).toEqual([]);
  const shop = await world.app.db.getRepository(Shops).findOneByOrFail({ id: world.shop.id });
  expect(await settingsWithoutScope(world.app, shop)).toHaveLength(1);
});

test('a shop that has not chosen it, and one that is uninstalled, write nothing', async () => {
  await addMixed();
  await world.set({ writesConnectionStatus: false });
  await world.write();
  await world.set({ writesConnectionStatus: true });
  await world.app.db.getRepository(Shops).update({ id: world.shop.id }, { state: 'uninstalled' });
  await world.write();
  expect([await setCalls(), await world.shown()]).toEqual([0, {}]);
});

test('switched off, everything that was written is taken away', async () => {
  await addMixed();
  await world.write();
  await changeSettings(world.app, world.shop, { writesConnectionStatus: false });
  expect(await jobsOf(world.app.db, 'write_connections')).toHaveLength(1);
  await world.write();
  expect(await world.shown()).toEqual({});
  expect(await world.app.db.manager.count(ConnectionMetafields)).toBe(0);
  expect(await world.calls('DeleteMetafieldDefinition')).toBeGreaterThan(1);
});

test('definitions that could not be taken away are taken away by the job that goes on', async () => {
  await addMixed();
  await world.write();
  await world.set({ writesConnectionStatus: false });
  const fault = { operation: 'DeleteMetafieldDefinition', rate: 1, kind: 'status', status: 500, times: 1 };
  await world.inStore('/faults', [{ ...fault, effect: 'none' }]);
  const calls = await world.calls('DeleteMetafieldDefinition');
  await world.write();
  // The one that failed, and both of the next try.
  expect(await world.calls('DeleteMetafieldDefinition')).toBe(calls + 3);
  expect(await world.app.db.manager.count(ConnectionMetafields)).toBe(0);
});

test('switching it on is refused without the permission, and has everything written with it', async () => {
  await world.set({ writesConnectionStatus: false });
  await world.grant({ revoke: ['write_products'] });
  const switchOn = () => changeSettings(world.app, world.shop, { writesConnectionStatus: true });
  await expect(switchOn()).rejects.toThrow(/write_products/);
  await world.grant({ grant: ['write_products'] });
  await switchOn();
  expect(await jobsOf(world.app.db, 'write_connections')).toHaveLength(1);
});

test('a change of a connection has it written, changes that come together once, and only where the shop wants it', async () => {
  const link = (variantId: string) => saveLink(world.app, world.shop, { variantId, productUid: 'mug' });
  await link('1');
  await link('2');
  expect(await jobsOf(world.app.db, 'write_connections')).toHaveLength(1);
  await world.app.db.query('delete from graphile_worker._private_jobs');
  await world.set({ writesConnectionStatus: false });
  await link('3');
  expect(await jobsOf(world.app.db, 'write_connections')).toEqual([]);
});

test('the hourly pass makes up for a lost job, also in a shop without a print account', async () => {
  await addMixed();
  const { printAccountId } = world.shop;
  await world.app.db.getRepository(Shops).update({ id: world.shop.id }, { printAccountId: null });
  await catchUpStoreProducts(world.app, { shopId: world.shop.id });
  await world.app.db.getRepository(Shops).update({ id: world.shop.id }, { printAccountId });
  expect(await jobsOf(world.app.db, 'write_connections')).toHaveLength(1);
});

test('an answer that was lost is asked for again, and what it may have written is taken away in its time', async () => {
  const { variants } = await addMixed();
  await world.inStore('/faults', [{ operation: SET, rate: 1, kind: 'reset', effect: 'done', times: 1 }]);
  await world.write();
  expect(await setCalls()).toBe(2);
  expect(Object.keys(await world.shown())).toHaveLength(variants.length + 1);
  const { cleared, isDone } = await clearConnectionStatus(world.app, world.shop);
  expect([cleared, isDone, await world.shown()]).toEqual([variants.length + 1, true, {}]);
});

test('another shop’s products are not touched', async () => {
  const { id } = await addMixed();
  const other = await world.app.db.getRepository(Shops).save({
    domain: 'elsewhere.myshopify.com',
    currency: 'USD',
    takesOrdersFrom: new Date(),
  });
  await world.app.db.query(
    `insert into variant_connections (shop_id, shopify_variant_id, shopify_product_id, status) values ($1, 'gid://shopify/ProductVariant/9', $2, 'ignored')`,
    [other.id, id],
  );
  await world.write();
  expect((await world.shown())[id]).toBe('1 not connected, 1 connected, 1 ignored');
  await world.app.db.query('delete from shops where id = $1', [other.id]);
});

test('after a new install everything is written anew', async () => {
  await addMixed();
  await world.write();
  const calls = await setCalls();
  await uninstallShop(world.app, world.shop);
  expect(await world.app.db.manager.count(ConnectionMetafields)).toBe(0);
  const { domain } = world.shop;
  await installShop(world.app, { domain, sessionToken: sessionTokenOf(domain) });
  expect(await jobsOf(world.app.db, 'resume_shop')).toHaveLength(1);
  await world.write();
  expect(await setCalls()).toBe(calls + 1);
});
