import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Shop } from '../../../src/database/shops.ts';
import { VariantConnections } from '../../../src/database/products.ts';
import { VariantsInStore } from '../../../src/database/variants-in-store.ts';
import { addShop, jobsOf, openTestDoors, sessionToken, type TestDoors } from '../test-app.ts';

let doors: TestDoors;
let shop: Shop;
const gid = (number: number) => `gid://shopify/ProductVariant/${String(number).padStart(4, '0')}`;

beforeAll(async () => {
  doors = await openTestDoors();
  shop = await addShop(doors.app.db);
  const { manager } = doors.app.db;
  const stockedAt = new Date('2026-11-20T10:00:00Z');
  const rows = Array.from({ length: 101 }, (_, at) => ({ shopId: shop.id, shopifyVariantId: gid(at), stockedAt }));
  const locationProblem = { code: 'no_rates', message: 'No rates.' };
  await manager.save(VariantsInStore, [...rows, { shopId: shop.id, shopifyVariantId: gid(500), locationProblem }]);
  // Looked at, and nothing set.
  await manager.save(VariantsInStore, [{ shopId: shop.id, shopifyVariantId: gid(600) }]);
  const other = await addShop(doors.app.db);
  await manager.save(VariantsInStore, [{ shopId: other.id, shopifyVariantId: gid(700), stockedAt }]);
});
afterAll(() => doors.close());

async function ask(path: string, method = 'GET') {
  const headers = { Authorization: `Bearer ${sessionToken(shop.domain)}` };
  const answer = await fetch(`${doors.url}/api/location${path}`, { method, headers });
  return { status: answer.status, body: (await answer.json()) as Record<string, never> };
}

test('what Platen has set is shown a page at a time, of this shop alone, with its numbers', async () => {
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

test('a page or a choice that makes no sense is refused by its name', async () => {
  expect(await ask('?after=1')).toMatchObject({ status: 400, body: { error: { field: 'after' } } });
  expect(await ask('/plan?after=x')).toMatchObject({ status: 400, body: { error: { field: 'after' } } });
  expect(await ask('?problems=maybe')).toMatchObject({ status: 400, body: { error: { field: 'problems' } } });
});

test('without a location nothing can be planned or done; with one a job does it, for what is connected too', async () => {
  expect(await ask('/plan')).toMatchObject({ status: 409, body: { error: { code: 'no_location' } } });
  expect(await ask('', 'POST')).toMatchObject({ status: 409, body: { error: { code: 'no_location' } } });
  const { db } = doors.app;
  await db.query(
    `update shops set location_id = 'gid://shopify/Location/1', fulfillment_service_id = 'gid://1' where id = $1`,
    [shop.id],
  );
  await db.manager.insert(VariantConnections, { shopId: shop.id, shopifyVariantId: gid(800), status: 'connected' });
  expect(await ask('', 'POST')).toMatchObject({ status: 202, body: { due: 104 } });
  expect(await jobsOf(db, 'keep_variants')).toHaveLength(1);
});
