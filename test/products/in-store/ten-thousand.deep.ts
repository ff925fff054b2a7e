import { afterAll, beforeAll, expect, test } from 'vitest';
import { startJobRunner } from '../../../src/jobs/runner.ts';
import { countInStore } from '../../../src/products/in-store/list-in-store.ts';
import { planLocation } from '../../../src/products/in-store/plan-location.ts';
import { startKeepingLocation } from '../../../src/products/in-store/start-keeping.ts';
import { toTasks } from '../../../src/tasks.ts';
import { openInStore, type InStoreWorld } from './in-store.ts';

const PRODUCTS = 500;
const VARIANTS = 20;
const ALL = PRODUCTS * VARIANTS;

let world: InStoreWorld;
beforeAll(async () => {
  world = await openInStore();
  await world.clear();
}, 120_000);
afterAll(() => world.close());

/** As a worker of a process of its own does. */
async function startWorker() {
  const { app } = world;
  const [{ name }]: [{ name: string }] = await app.db.query('select current_database() as name');
  const { url } = app.db.options as { url: string };
  return startJobRunner({
    databaseUrl: url.replace(/[^/]*$/, name),
    tasks: toTasks(app),
    concurrency: 2,
    log: app.log,
  });
}

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

test('10,000 variants are stocked in one job with few calls, which goes on where it was when its worker stops', async () => {
  await addVariants();
  const { app, shop } = world;
  const before = await world.calls();
  const countOf = async (operation: string) => ((await world.calls())[operation] ?? 0) - (before[operation] ?? 0);
  const first = await startWorker();
  await startKeepingLocation(app, await world.readShop());
  await expect.poll(() => countOf('ToggleInventory'), { timeout: 60_000, interval: 20 }).toBeGreaterThan(60);
  // The answer of the call that is under way is lost, and the worker stops.
  await world.inStore('/faults', [{ operation: 'ToggleInventory', rate: 1, kind: 'reset', effect: 'done', times: 1 }]);
  await expect
    .poll(async () => (await world.inStore<{ injected?: object }>('/faults')).injected ?? {}, { timeout: 20_000 })
    .not.toEqual({});
  await first.stop();
  const { due } = await countInStore(app, shop);
  expect(due).toBeGreaterThan(0);
  expect(due).toBeLessThan(ALL - 60 * 50 + 50);
  const second = await startWorker();
  await expect.poll(async () => (await countInStore(app, shop)).due, { timeout: 120_000, interval: 100 }).toBe(0);
  await second.stop();
  expect(await countInStore(app, shop)).toEqual({ stocked: ALL, hidden: 0, due: 0, problems: 0 });
  // 50 in a call, and none twice: what the lost answer had done was seen to be done. The page it was of is read once more.
  expect(await countOf('ToggleInventory')).toBe(ALL / 50);
  expect(await countOf('VariantsForStocking')).toBe(ALL / 100 + 1);
  expect(await countOf('DeliveryProfileLocations')).toBeLessThanOrEqual(ALL / 1000 + 3);
  const { toStock, unchanged } = await planLocation(app, await world.readShop());
  expect({ toStock, unchanged }).toEqual({ toStock: [], unchanged: 100 });
}, 240_000);
