import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { App } from '../../../src/app.ts';
import { PrintStores, StoreProducts } from '../../../src/database/entities/store-products.ts';
import { catchUpStoreProducts } from '../../../src/products/store-products/catch-up-store-products.ts';
import { listStoreProducts } from '../../../src/products/store-products/list-store-products.ts';
import { toTasks } from '../../../src/tasks.ts';
import { readJobPayloads } from '../../http/test-app.ts';
import { openPrintStore, type PrintStoreWorld, type ShopProduct } from './print-store.ts';

let world: PrintStoreWorld;
let shirt: ShopProduct;
let mug: ShopProduct;
beforeAll(async () => {
  world = await openPrintStore();
  shirt = await world.shopProduct('TSHIRT-M');
  mug = await world.shopProduct('MUG-11OZ');
});
beforeEach(async () => {
  await world.clear();
  await world.set({ printStoreId: null });
});
afterAll(() => world.close());

const HOUR = 3600;
const catchUp = (app: App = world.app) => catchUpStoreProducts(app, { shopId: world.shop.id });
const row = (storeProductId: string) => world.app.db.manager.findOneByOrFail(StoreProducts, { storeProductId });
const codes = async (filter: 'stuck' | 'publishing_error' | null = null) =>
  (await listStoreProducts(world.app, world.shop, { filter })).storeProducts.map(({ problem }) => problem?.code);

/** Delivers an event about a product of the shop, so that Platen learns which store at the service belongs to the shop. */
async function known(product = shirt) {
  const added = await world.addProduct(product);
  await world.tell('store_product_created', added.id);
  return added;
}

test('changes whose events were lost are found and counted once', async () => {
  const { id } = await known();
  await world.addProduct(mug);
  await world.changeProduct(id, { status: 'publishing_error', publishingErrorCode: 'no_image' });
  // Platen waits before it counts the change as missed, because the event may still arrive.
  expect(await catchUp()).toMatchObject({ found: 2, fixed: 0, error: null });
  expect(await world.connections(mug)).toMatchObject({ 'MUG-11OZ': 'connected' });
  await world.changeProduct(id, { status: 'active', publishingErrorCode: null });
  world.later(2 * HOUR);
  expect(await catchUp()).toMatchObject({ found: 1, fixed: 1 });
  expect(await world.app.db.query('select source from poll_news')).toEqual([{ source: 'print' }]);
  world.later(HOUR);
  expect(await catchUp()).toEqual({ found: 0, fixed: 0, error: null });
});

test('a product whose deletion event was lost is disconnected once the poll has read the whole list', async () => {
  const { id } = await known();
  await catchUp();
  await world.deleteProduct(id);
  world.later(HOUR);
  expect(await catchUp()).toMatchObject({ found: 1, fixed: 1 });
  expect(await world.connections(shirt)).toMatchObject({ 'TSHIRT-M': 'not_connected: deleted_at_service' });
  expect(await codes()).toEqual(['deleted_at_service']);
  world.later(HOUR);
  expect(await catchUp()).toMatchObject({ found: 0 });
});

test('a long list is continued by further jobs, and no product is read twice', async () => {
  await known();
  const cards = await world.shopProduct('CARDS');
  for (const product of [mug, cards]) await world.addProduct(product);
  const other = await world.inPrint<{ id: string }>('/stores', {});
  await world.app.db.manager.insert(PrintStores, { shopId: world.shop.id, storeId: other.id });
  const before = await world.callsOf('VariantsOfProduct');
  const jobs: Record<string, unknown>[] = [{ shopId: world.shop.id }];
  for (let job = jobs[0]; job && jobs.length < 10; job = jobs.at(-1)) {
    await world.app.db.query('delete from graphile_worker._private_jobs');
    await catchUpStoreProducts(world.app, job as { shopId: number }, { longestMs: 0 });
    const next = await readJobPayloads(world.app.db, 'catch_up_store_products');
    if (next.length === 0) break;
    jobs.push(...next);
  }
  const followUps = jobs.slice(1);
  expect(followUps.length).toBeGreaterThan(1);
  expect(jobs.length).toBeLessThan(10);
  expect(followUps).toEqual(followUps.map(() => ({ shopId: world.shop.id, since: expect.any(String) })));
  expect((await world.callsOf('VariantsOfProduct')) - before).toBe(2);
  expect(await world.connections(mug)).toMatchObject({ 'MUG-11OZ': 'connected' });
  expect(await world.connections(cards)).toMatchObject({ CARDS: 'connected' });
  const stores = await world.app.db.manager.find(PrintStores, {});
  expect(stores.map(({ listedTo, listedAt }) => [listedTo, listedAt === null])).toEqual([
    [0, false],
    [0, false],
  ]);
});

test("while the service is unavailable, the poll reports the error and still checks the store's variants", async () => {
  // Adds a separate product, because this test deletes the product and other tests need theirs.
  await world.inStore('/products', { title: 'Scarf', variants: [{ sku: 'SCARF-S' }, { sku: 'SCARF-L' }] });
  const scarf = await world.shopProduct('SCARF-S');
  await known(scarf);
  await world.inPrint('/faults', [{ path: '/v1/stores', kind: 'status', status: 500 }]);
  await world.deleteInShop('variants', scarf.variants['SCARF-L'] ?? '');
  world.later(HOUR);
  await toTasks(world.app).catch_up_store_products({ shopId: world.shop.id });
  const [kept] = await world.app.db.query('select pass, failures, last_error, found::int from poll_passes');
  expect(kept).toEqual({ pass: 'catch_up_store_products', failures: '1', last_error: 'print_unavailable', found: 1 });
  expect(await world.connections(scarf)).toEqual({
    'SCARF-L': 'not_connected: deleted_in_store',
    'SCARF-S': 'connected',
  });
});

describe('a product that is being published', () => {
  test('a product that is being published is read every hour, and shown as stuck after one hour', async () => {
    const { id } = await world.addProduct(mug, { status: 'publishing' });
    await world.tell('store_product_created', id);
    expect(await codes('stuck')).toEqual([]);
    world.later(HOUR + 60);
    expect(await catchUp()).toMatchObject({ found: 0 });
    expect(await codes('stuck')).toEqual(['publishing_stuck']);
    expect((await row(id)).publishingSince).not.toBeNull();
    await world.changeProduct(id, { status: 'active' });
    world.later(HOUR);
    expect(await catchUp()).toMatchObject({ found: 1, fixed: 1 });
    expect([await codes('stuck'), await codes()]).toEqual([[], [undefined]]);
  });
});

describe('the poll when it cannot list products (extendedCalls off)', () => {
  beforeEach(() => world.set({ extendedCalls: false }));
  afterAll(() => world.set({ extendedCalls: true }));

  test('the poll reads the known products in turn', async () => {
    const { id } = await known();
    await world.addProduct(mug);
    world.later(HOUR);
    expect(await catchUp()).toMatchObject({ found: 0, error: null });
    await world.deleteProduct(id);
    world.later(HOUR);
    expect(await catchUp()).toMatchObject({ found: 1, fixed: 1 });
    expect(await world.connections(shirt)).toMatchObject({ 'TSHIRT-M': 'not_connected: deleted_at_service' });
    expect(await world.connections(mug)).toMatchObject({ 'MUG-11OZ': null });
  });
});
