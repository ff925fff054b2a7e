import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { App } from '../../../src/app.ts';
import { Deliveries } from '../../../src/database/entities/deliveries.ts';
import { PrintLinks } from '../../../src/database/entities/products.ts';
import { Shops, type Shop } from '../../../src/database/entities/shops.ts';
import { findHandler } from '../../../src/inbox/handlers.ts';
import { catchUpStock } from '../../../src/products/stock/catch-up-stock.ts';
import { listStock } from '../../../src/products/stock/list-stock.ts';
import { saveStock } from '../../../src/products/stock/save-stock.ts';
import { saveLink } from '../../../src/products/links/save-link.ts';
import { toTasks } from '../../../src/tasks.ts';
import { readJobPayloads } from '../../http/test-app.ts';
import { MUG } from '../../sandbox/print/service.ts';
import { openPrintStore, type PrintStoreWorld } from '../store-products/print-store.ts';

const EVENT = 'catalog_product_stock_availability_updated';
let world: PrintStoreWorld;
const mug = MUG;
const link = { sku: 'MUG-11OZ', productUid: mug, fileUrl: 'https://files.example/mug.pdf' };

beforeAll(async () => void (world = await openPrintStore()));
beforeEach(async () => {
  await world.clear();
  await world.set({ extendedCalls: true });
  await world.app.db.query('delete from product_stock; delete from deliveries; delete from print_links');
  await saveLink(world.app, world.shop, link);
  await world.app.db.query('delete from graphile_worker._private_jobs');
  await change({ EU: 'in-stock', UK: 'in-stock' });
  await catchUp();
});
afterAll(() => world.close());

const catchUp = (shop: Pick<Shop, 'id'> = world.shop) => catchUpStock(world.app, { shopId: shop.id });

function change(statuses: Record<string, string>, replenishmentDate: string | null = null): Promise<unknown> {
  const changes = Object.entries(statuses).map(([stockRegionUid, status]) => ({
    productUid: mug,
    stockRegionUid,
    status,
    ...(replenishmentDate === null ? {} : { replenishmentDate }),
  }));
  return world.inPrint('/stock', { changes });
}

/** Returns the stored stock status of the mug in these regions. */
async function mugStockIn(...regions: string[]) {
  const { products } = await listStock(world.app, world.shop);
  const of = products.find(({ productUid }) => productUid === mug)?.regions ?? [];
  return regions.map((uid) => of.find(({ stockRegionUid }) => stockRegionUid === uid)?.status ?? null);
}

/** Delivers an event to the shop's address. */
async function deliver(eventId: string, products: unknown, name = 'productAvailability', app: App = world.app) {
  const { id: shopId } = world.shop;
  const delivery = await world.app.db.getRepository(Deliveries).save({
    source: 'print',
    shopId,
    dedupeKey: eventId,
    topic: EVENT,
    eventId,
    body: { id: eventId, event: EVENT, [name]: products },
    bodySha256: '',
    receivedAt: world.app.clock.now(),
  });
  const shop = await world.app.db.manager.findOneByOrFail(Shops, { id: shopId });
  return findHandler(delivery)?.(app, shop, delivery);
}

test('the stock of every product with a print link is read, and a change with a lost event is counted', async () => {
  expect(await mugStockIn('EU', 'UK')).toEqual(['in-stock', 'in-stock']);
  const { products } = await listStock(world.app, world.shop);
  expect(products.every(({ readAt }) => readAt !== null)).toBe(true);
  await change({ EU: 'out-of-stock-replenishable' }, '2026-12-24');
  expect(await catchUp()).toEqual({ found: 1, fixed: 1, error: null });
  expect(await mugStockIn('EU', 'UK')).toEqual(['out-of-stock-replenishable', 'in-stock']);
  expect((await listStock(world.app, world.shop, { onlyOut: true })).products).toEqual([]);
  await change({ UK: 'out-of-stock' });
  expect(await catchUp()).toMatchObject({ found: 1 });
  const { products: lacking } = await listStock(world.app, world.shop, { onlyOut: true });
  expect(lacking).toMatchObject([{ productUid: mug, printLinks: 1 }]);
  expect(lacking[0]?.regions).toContainEqual(expect.objectContaining({ replenishmentDate: '2026-12-24' }));
  expect(await world.app.db.query('select source from poll_news')).toEqual([{ source: 'print' }]);
  expect(await catchUp()).toEqual({ found: 0, fixed: 0, error: null });
});

test('after an event, each shop of the account that prints the product reads its stock', async () => {
  const sibling = await world.addShopOfAccount('sibling.myshopify.com');
  await world.addShopOfAccount('prints-other-things.myshopify.com');
  await saveLink(world.app, sibling, link);
  await world.app.db.query('delete from graphile_worker._private_jobs');
  await change({ EU: 'out-of-stock' });
  expect(await deliver('reported', [{ productUid: mug, availability: [] }], 'productsAvailability')).toBe('handled');
  expect(await readJobPayloads(world.app.db, 'catch_up_stock')).toEqual([
    { shopId: world.shop.id },
    { shopId: sibling.id },
  ]);
  expect(await catchUp()).toEqual({ found: 1, fixed: 0, error: null });
  expect(await mugStockIn('EU')).toEqual(['out-of-stock']);
  expect(await world.app.db.query('select from poll_news')).toEqual([]);
});

test('the stock in an event is used only by a shop without the stock call', async () => {
  const forged = [{ productUid: mug, availability: [{ stockRegionUid: 'EU', status: 'out-of-stock' }] }];
  await deliver('forged', forged);
  expect(await mugStockIn('EU')).toEqual(['in-stock']);
  await world.set({ extendedCalls: false });
  expect(await catchUp()).toEqual({ found: 0, fixed: 0 });
  expect(await deliver('alone', forged)).toBe('handled');
  expect(await mugStockIn('EU', 'UK')).toEqual(['out-of-stock', 'in-stock']);
});

test('a region that a read omits or returns without a status becomes not-told, which is not a change', async () => {
  const save = (statuses: Record<string, string>, readAt: Date) =>
    saveStock(
      world.app,
      world.shop,
      Object.entries(statuses).map(([stockRegionUid, status]) => {
        return { productUid: mug, stockRegionUid, status, replenishmentDate: null };
      }),
      { readAt, asked: [mug] },
    );
  const now = world.app.clock.now();
  expect(await save({ EU: 'not-told', 'US-CA': 'in-stock' }, now)).toEqual([]);
  expect(await mugStockIn('EU', 'UK', 'US-CA')).toEqual(['not-told', 'not-told', 'in-stock']);
  expect(await readJobPayloads(world.app.db, 'keep_variants')).toHaveLength(1);
  // An older read arrives late.
  await save({ EU: 'in-stock' }, new Date(now.getTime() - 1));
  expect(await mugStockIn('EU', 'US-CA')).toEqual(['not-told', 'in-stock']);
});

test('while the service is unavailable, the stored stock does not change, and the poll reports the error', async () => {
  await world.inPrint('/faults', [{ path: '/v3/stock', rate: 1, kind: 'status', status: 500 }]);
  await change({ EU: 'out-of-stock' });
  expect(await catchUp()).toMatchObject({ found: 0, fixed: 0, error: expect.any(String) });
  expect(await mugStockIn('EU')).toEqual(['in-stock']);
  await world.inPrint('/faults', []);
  expect(await catchUp()).toMatchObject({ found: 1, error: null });
});

test('if the service is unavailable after an event, the stock is read again within five minutes', async () => {
  await deliver('reported', [{ productUid: mug, availability: [] }]);
  await world.app.db.query('delete from graphile_worker._private_jobs');
  await world.inPrint('/faults', [{ path: '/v3/stock', rate: 1, kind: 'status', status: 503 }]);
  await toTasks(world.app).catch_up_stock({ shopId: world.shop.id });
  expect(await readJobPayloads(world.app.db, 'catch_up_stock')).toEqual([{ shopId: world.shop.id }]);
  const [job] = await world.app.db.query<{ runAt: Date }[]>(
    `select run_at as "runAt" from graphile_worker.jobs where task_identifier = 'catch_up_stock'`,
  );
  const seconds = ((job?.runAt.getTime() ?? 0) - world.app.clock.now().getTime()) / 1000;
  expect(seconds).toBeGreaterThan(30);
  expect(seconds).toBeLessThanOrEqual(300);
  await world.inPrint('/faults', []);
});

test("a product's stock is deleted with its last print link, and read when the product is linked again", async () => {
  await world.app.db.manager.delete(PrintLinks, { shopId: world.shop.id, productUid: mug });
  await catchUp();
  const kept: unknown[] = await world.app.db.query('select from product_stock where product_uid = $1', [mug]);
  expect(kept).toEqual([]);
  expect(await mugStockIn('EU')).toEqual([null]);
  await saveLink(world.app, world.shop, link);
  expect(await readJobPayloads(world.app.db, 'catch_up_stock')).toEqual([{ shopId: world.shop.id }]);
  await catchUp();
  expect(await mugStockIn('EU')).toEqual(['in-stock']);
});
