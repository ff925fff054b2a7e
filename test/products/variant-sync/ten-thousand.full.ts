import { afterEach, beforeEach, expect, test } from 'vitest';
import { ProductStocks } from '../../../src/database/entities/products.ts';
import { countVariantsInStore } from '../../../src/products/variant-sync/list-variants-in-store.ts';
import { planLocation } from '../../../src/products/location/plan-location.ts';
import { startLocationSync } from '../../../src/products/variant-sync/start-location-sync.ts';
import { enqueueSyncAllVariants } from '../../../src/shops/enqueue-shop-jobs.ts';
import { startWorker } from '../../helpers/start-worker.ts';
import { openInStore, type InStoreWorld, type ShownStock } from './synced-variants.ts';

const PRODUCTS = 500;
const VARIANTS = 20;
/** 10,000 variants take long on a busy machine. */
const LONG = { timeout: 200_000, interval: 20 };
const ALL = PRODUCTS * VARIANTS;

let world: InStoreWorld;
// Each test uses all variants of a store, so each test has a separate store.
beforeEach(async () => {
  world = await openInStore();
  await world.clear();
  await addVariants();
}, 120_000);
afterEach(() => world.close());

type Worker = Awaited<ReturnType<typeof startWorker>>;

async function addVariants(): Promise<void> {
  const ids: string[] = [];
  for (let product = 0; product < PRODUCTS; product += 1) {
    const variants = Array.from({ length: VARIANTS }, (_, at) => ({ title: `No. ${at}`, sku: `SKU-${product}-${at}` }));
    const made = await world.inStore<{ variants: { variantId: string }[] }>('/products', {
      title: `Product ${product}`,
      variants,
    });
    ids.push(...made.variants.map(({ variantId }) => variantId));
  }
  const { app, shop } = world;
  await app.db.query(
    `insert into print_links (shop_id, shopify_variant_id, product_uid) select $1, unnest($2::text[]), 'poster'`,
    [shop.id, ids],
  );
  await app.db.query(
    `insert into variant_connections (shop_id, shopify_variant_id, status, updated_at) select $1, unnest($2::text[]), 'connected', now()`,
    [shop.id, ids],
  );
}

/** Returns a function that counts the calls of an operation from now on. */
async function countCalls() {
  const before = await world.calls();
  return async (operation: string) => ((await world.calls())[operation] ?? 0) - (before[operation] ?? 0);
}

/** Runs a worker until the response to the operation's next call is lost, and then stops the worker. */
async function stopDuringCall(worker: Worker, operation: string): Promise<void> {
  await world.inStore('/faults', [{ operation, rate: 1, kind: 'reset', effect: 'done', times: 1 }]);
  await expect
    .poll(async () => (await world.inStore<{ injected?: object }>('/faults')).injected ?? {}, LONG)
    .not.toEqual({});
  await worker.stop();
  await world.inStore('/faults', []);
}

/** Runs another worker until no variant is due. */
async function workUntilDone(): Promise<void> {
  const worker = await startWorker(world.app);
  const dueNow = async () => (await countVariantsInStore(world.app, world.shop)).due;
  await expect.poll(dueNow, { ...LONG, interval: 100 }).toBe(0);
  await worker.stop();
}

/** Sets the stock status of the product of all variants, and enqueues a check of all variants. */
async function setPosterStock(status: string): Promise<void> {
  const { app, shop } = world;
  const at = app.clock.now();
  const row = { shopId: shop.id, productUid: 'poster', stockRegionUid: 'EU', status, isRead: true };
  await app.db.manager.save(ProductStocks, { ...row, replenishmentDate: null, changedAt: at, readAt: at });
  await enqueueSyncAllVariants(app, app.db, shop.id);
}

/** Counts the variants in the store by their stock, as JSON. */
async function countByStock(): Promise<Record<string, number>> {
  const shown = await world.inStore<{ sku: string; stock: ShownStock }[]>('/variants');
  const ways = shown.filter(({ sku }) => sku.startsWith('SKU-')).map(({ stock }) => JSON.stringify(stock));
  return Object.fromEntries([...Map.groupBy(ways, (way) => way)].map(([way, those]) => [way, those.length]));
}

test('one job stocks 10,000 variants with few calls, and resumes where its worker stopped', async () => {
  const { app, shop } = world;
  const countOf = await countCalls();
  const first = await startWorker(world.app);
  await startLocationSync(app, await world.readShop());
  await expect.poll(() => countOf('ToggleInventory'), LONG).toBeGreaterThan(60);
  await stopDuringCall(first, 'ToggleInventory');
  const { due } = await countVariantsInStore(app, shop);
  expect(due).toBeGreaterThan(0);
  expect(due).toBeLessThan(ALL - 60 * 50 + 50);
  await workUntilDone();
  expect(await countVariantsInStore(app, shop)).toEqual({ stocked: ALL, hidden: 0, due: 0, problems: 0 });
  // Each call stocks 50 variants. No variant is stocked twice, because the next job detects the effect of the lost call. Only the page of
  // the lost call is read again.
  expect(await countOf('ToggleInventory')).toBe(ALL / 50);
  expect(await countOf('VariantsForStocking')).toBe(ALL / 100 + 1);
  expect(await countOf('DeliveryProfileLocations')).toBeLessThanOrEqual(ALL / 1000 + 3);
  const { toStock, unchanged } = await planLocation(app, await world.readShop());
  expect({ toStock, unchanged }).toEqual({ toStock: [], unchanged: 100 });
}, 480_000);

test('one job makes 10,000 variants unsellable and resumes where it stopped, and another job restores the variants', async () => {
  const { app, shop } = world;
  await startLocationSync(app, await world.readShop());
  await workUntilDone();
  await world.set({ hideOutOfStock: true });
  const asFound = await countByStock();
  const hiding = await countCalls();
  const first = await startWorker(world.app);
  await setPosterStock('out-of-stock');
  await expect.poll(() => hiding('UpdateVariants'), LONG).toBeGreaterThan(30);
  await stopDuringCall(first, 'UpdateVariants');
  expect((await countVariantsInStore(app, shop)).due).toBeGreaterThan(0);
  await workUntilDone();
  expect(await countVariantsInStore(app, shop)).toEqual({ stocked: ALL, hidden: ALL, due: 0, problems: 0 });
  const hidden = { tracked: true, inventoryPolicy: 'DENY', available: { own: 0, service: 0 } };
  expect(await countByStock()).toEqual({ [JSON.stringify(hidden)]: ALL });
  // One UpdateVariants call covers five products, and one LevelsOfItem call ten variants. Only the interrupted page is repeated.
  expect(await hiding('VariantsForStocking')).toBe(ALL / 100 + 1);
  expect(await hiding('LevelsOfItem')).toBe(ALL / 10 + 10);
  expect(await hiding('UpdateVariants')).toBe(ALL / 100 + 1);
  expect(await hiding('SetQuantities')).toBe(0);

  const restoring = await countCalls();
  await setPosterStock('in-stock');
  await workUntilDone();
  expect(await countVariantsInStore(app, shop)).toEqual({ stocked: ALL, hidden: 0, due: 0, problems: 0 });
  expect(await countByStock()).toEqual(asFound);
  expect(await restoring('VariantsForStocking')).toBe(ALL / 100);
  expect(await restoring('LevelsOfItem')).toBe(ALL / 10);
  expect(await restoring('UpdateVariants')).toBe(ALL / 100);
}, 480_000);
