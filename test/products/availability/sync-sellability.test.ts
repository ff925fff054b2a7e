import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listVariantsInStore } from '../../../src/products/variant-sync/list-variants-in-store.ts';
import { enqueueSyncAllVariants } from '../../../src/shops/enqueue-shop-jobs.ts';
import { openInStore, type InStoreWorld } from '../variant-sync/synced-variants.ts';

let world: InStoreWorld;
beforeAll(async () => void (world = await openInStore()));
beforeEach(async () => {
  await world.clear();
  await world.set({ hideOutOfStock: true, stockAtLocation: true });
});
afterAll(() => world.close());

const FREE = { tracked: false, inventoryPolicy: 'CONTINUE', available: { own: 0, service: 0 } };
const HIDDEN = { tracked: true, inventoryPolicy: 'DENY', available: { own: 0, service: 0 } };

async function hidden(...skus: string[]): Promise<void> {
  await world.connect(skus);
  for (const sku of skus) await world.reported(sku, { EU: 'out-of-stock', 'US-CA': 'not-supported' });
  await world.workAll();
}

test('variants that cannot be delivered to any region become unsellable with few calls, and are restored later', async () => {
  const calls = await world.callsOf(() => hidden('MUG-11OZ', 'MUG-15OZ', 'CARDS'));
  expect(calls).toMatchObject({ UpdateVariants: 1, ToggleInventory: 1 });
  expect(calls).not.toHaveProperty('SetQuantities');
  for (const sku of ['MUG-11OZ', 'MUG-15OZ', 'CARDS']) expect(await world.stockOf(sku)).toEqual(HIDDEN);
  expect(await listVariantsInStore(world.app, world.shop)).toMatchObject({ hidden: 3, problems: 0, due: 0 });
  expect(await world.callsOf(() => world.workAll())).toEqual({});
  await world.reported('CARDS', { EU: 'in-stock' });
  await world.workAll();
  expect(await world.stockOf('CARDS')).toEqual(FREE);
  expect(await world.stockOf('MUG-11OZ')).toEqual(HIDDEN);
  expect(await world.row('CARDS')).toMatchObject({ found: null, hiddenAt: null, stockNote: null });
});

test.each([
  { of: 'has stock at the merchant’s location', change: { location: 'own', available: 4 }, code: 'own_stock' },
  { of: 'is counted by the merchant', change: { location: 'own', tracked: true }, code: 'tracked_by_merchant' },
])('a variant that $of does not change and is listed with a problem', async ({ change, code }) => {
  await world.stock('CARDS', { ...change, beside: true });
  await world.connect(['CARDS']);
  await world.work();
  const before = await world.stockOf('CARDS');
  await hidden('CARDS');
  expect(await world.stockOf('CARDS')).toEqual(before);
  expect((await listVariantsInStore(world.app, world.shop, { onlyProblems: true })).variants).toMatchObject([
    { hiddenAt: null, stockNote: { code } },
  ]);
});

test('a disconnected variant is restored before it is removed from the location', async () => {
  await hidden('CARDS');
  await world.connect(['CARDS'], 'ignored');
  await world.workAll();
  expect(await world.stockOf('CARDS')).toEqual({ tracked: false, inventoryPolicy: 'CONTINUE', available: { own: 0 } });
});

test('a variant that the merchant makes sellable again stays sellable', async () => {
  await hidden('CARDS');
  await world.stock('CARDS', { location: 'service', beside: true, tracked: false });
  await enqueueSyncAllVariants(world.app, world.app.db, world.shop.id);
  await world.workAll();
  expect(await world.stockOf('CARDS')).toMatchObject({ tracked: false });
  expect(await world.row('CARDS')).toMatchObject({ found: null, stockNote: { code: 'changed' } });
});

test("a change whose response was lost is recovered with the variant's original state", async () => {
  await world.connect(['CARDS']);
  await world.workAll();
  await world.reported('CARDS', { EU: 'out-of-stock' });
  await world.inStore('/faults', [{ operation: 'UpdateVariants', rate: 1, kind: 'reset', effect: 'done', times: 1 }]);
  await expect(world.work()).rejects.toMatchObject({ kind: 'network' });
  await world.workAll();
  expect(await world.stockOf('CARDS')).toEqual(HIDDEN);
  expect(await world.row('CARDS')).toMatchObject({
    found: { tracked: false, inventoryPolicy: 'CONTINUE', available: 0 },
  });
});

test('without write_products, nothing changes, and unsellable variants have a note until the permission is granted', async () => {
  await hidden('CARDS');
  await world.allow('write_products', false);
  await world.reported('CARDS', { EU: 'in-stock' });
  expect(await world.callsOf(() => world.workAll())).not.toHaveProperty('UpdateVariants');
  expect(await world.row('CARDS')).toMatchObject({ stockNote: { code: 'no_permission' }, hiddenAt: expect.any(Date) });
  await world.allow('write_products', true);
  await world.workAll();
  expect(await world.stockOf('CARDS')).toEqual(FREE);
});
