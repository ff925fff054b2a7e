import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { VariantConnections } from '../../../src/database/entities/products.ts';
import { VariantsInStore } from '../../../src/database/entities/variants-in-store.ts';
import { addShop, readJobPayloads, openTestEndpoints, callApi, type TestEndpoints } from '../test-app.ts';

let endpoints: TestEndpoints;
let shop: Shop;
const gid = (number: number) => `gid://shopify/ProductVariant/${String(number).padStart(4, '0')}`;

beforeAll(async () => {
  endpoints = await openTestEndpoints();
  shop = await addShop(endpoints.app.db);
  const { manager } = endpoints.app.db;
  const stockedAt = new Date('2026-11-20T10:00:00Z');
  const rows = Array.from({ length: 101 }, (_, at) => ({ shopId: shop.id, shopifyVariantId: gid(at), stockedAt }));
  const locationProblem = { code: 'no_rates', message: 'No rates.' };
  await manager.save(VariantsInStore, [...rows, { shopId: shop.id, shopifyVariantId: gid(500), locationProblem }]);
  // Platen has checked this variant but has not changed it in the store.
  await manager.save(VariantsInStore, [{ shopId: shop.id, shopifyVariantId: gid(600) }]);
  const other = await addShop(endpoints.app.db);
  await manager.save(VariantsInStore, [{ shopId: other.id, shopifyVariantId: gid(700), stockedAt }]);
});
afterAll(() => endpoints.close());

const ask = (path: string, { method = 'GET', of = shop, at = endpoints.url } = {}) =>
  callApi<Record<string, never>>(at, of, [method, `/location${path}`]);

test('the location endpoint lists Platen’s changes for this shop with their counts, page by page', async () => {
  const { body: first } = await ask('');
  expect(first).toMatchObject({ stocked: 101, hidden: 0, due: 0, problems: 1, next: gid(99) });
  expect(first['variants']).toHaveLength(100);
  const { body: second } = await ask(`?after=${encodeURIComponent(gid(99))}`);
  expect(second).toMatchObject({
    variants: [
      { variantId: gid(100), stockedAt: '2026-11-20T10:00:00.000Z', hiddenAt: null, problem: null },
      { variantId: gid(500), stockedAt: null, problem: { code: 'no_rates', message: 'No rates.' } },
    ],
    next: null,
  });
  expect((await ask('?problems=true')).body).toMatchObject({ variants: [{ variantId: gid(500) }], next: null });
});

test('a job is enqueued for stocked and connected variants, and a shop without a location is rejected', async () => {
  const { db } = endpoints.app;
  const of = await addShop(db);
  const stockedAt = new Date('2026-11-20T10:00:00Z');
  await db.manager.insert(VariantsInStore, { shopId: of.id, shopifyVariantId: gid(1), stockedAt });
  await db.manager.insert(VariantConnections, { shopId: of.id, shopifyVariantId: gid(800), status: 'connected' });
  const refused = { status: 409, body: { error: { code: 'no_location' } } };
  expect(await ask('/plan', { of })).toMatchObject(refused);
  expect(await ask('', { of, method: 'POST' })).toMatchObject(refused);
  expect(await readJobPayloads(db, 'keep_variants')).toEqual([]);
  await db.query(
    `update shops set location_id = 'gid://shopify/Location/1', fulfillment_service_id = 'gid://1' where id = $1`,
    [of.id],
  );
  expect(await ask('', { of, method: 'POST' })).toMatchObject({ status: 202, body: { due: 2 } });
  expect(await readJobPayloads(db, 'keep_variants')).toEqual([{ shopId: of.id }]);
});
