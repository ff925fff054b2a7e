import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Holds, StorefrontOrders } from '../../../src/database/entities/orders.ts';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { listHeldOrders } from '../../../src/orders/lists/list-held-orders.ts';
import { addShop, openTestApp, type TestApp } from '../../http/test-app.ts';

let app: TestApp;
let shop: Shop;

beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());
beforeEach(async () => void (shop = await addShop(app.db)));

async function addOrder(of: Shop, name: string, codes: string[], more = {}): Promise<string> {
  const shopifyOrderId = `gid://shopify/Order/${name.slice(1)}`;
  const order = { shopId: of.id, shopifyOrderId, name, placedAt: new Date('2026-11-20T10:00:00Z'), ...more };
  const { id } = await app.db.getRepository(StorefrontOrders).save(order);
  for (const code of codes)
    await app.db
      .getRepository(Holds)
      .insert({ shopId: of.id, storefrontOrderId: id, code, message: `${name} ${code}` });
  return id;
}

/** Adds orders #1 to #count, each with these holds. */
async function addOrders(count: number, codes: string[]): Promise<void> {
  await app.db.query(
    `with added as (
       insert into storefront_orders (shop_id, shopify_order_id, name, placed_at)
       select $1, 'gid://shopify/Order/' || n, '#' || n, now() from generate_series(1, $2::int) n returning id)
     insert into holds (shop_id, storefront_order_id, code, message) select $1, id, unnest($3::text[]), 'Why' from added`,
    [shop.id, count, codes],
  );
}

async function namesFrom(cursor: string | null): Promise<{ names: string[]; total: number; next: string | null }> {
  const { orders, total, nextCursor } = await listHeldOrders(app, shop, { cursor });
  return { names: orders.map(({ name }) => name), total, next: nextCursor };
}

test('the held orders page is empty for a shop without held orders', async () => {
  await addOrder(shop, '#1001', []);
  expect(await listHeldOrders(app, shop)).toEqual({ orders: [], total: 0, nextCursor: null });
});

test('an order is listed once with all its open holds and their remedies', async () => {
  await addOrder(shop, '#1002', ['no_address', 'no_print_link']);
  const resolved = await addOrder(shop, '#1003', ['no_address']);
  await app.db.getRepository(Holds).update({ storefrontOrderId: resolved }, { resolvedAt: new Date() });
  expect(await listHeldOrders(app, shop)).toEqual({
    orders: [
      {
        orderId: 'gid://shopify/Order/1002',
        name: '#1002',
        holds: [
          {
            code: 'no_address',
            field: null,
            message: '#1002 no_address',
            remedy: 'Add a shipping address to the order in your store.',
            adminUrl: null,
            since: expect.any(Date),
          },
          expect.objectContaining({ code: 'no_print_link', remedy: expect.stringContaining('Link the variant') }),
        ],
      },
    ],
    total: 1,
    nextCursor: null,
  });
});

test('a canceled order is listed while it has an open hold', async () => {
  await addOrder(shop, '#1004', ['cannot_cancel'], { canceledAt: new Date() });
  expect(await namesFrom(null)).toMatchObject({ names: ['#1004'], total: 1 });
});

test('held orders are listed in pages of 25, with the newest hold first and without gaps or repeats', async () => {
  await addOrders(60, ['no_address', 'no_print_link']);
  const first = await namesFrom(null);
  // A hold added between page requests appears on the first page and does not move the other orders.
  await addOrder(shop, '#61', ['no_address']);
  const second = await namesFrom(first.next);
  const third = await namesFrom(second.next);
  expect([first.total, second.total]).toEqual([60, 61]);
  expect([first.names.length, second.names.length, third.names.length]).toEqual([25, 25, 10]);
  const expected = Array.from({ length: 60 }, (_, index) => `#${60 - index}`);
  expect([...first.names, ...second.names, ...third.names]).toEqual(expected);
  expect(third.next).toBeNull();
});

test('a last page that is completely full has no next page', async () => {
  await addOrders(25, ['no_address']);
  expect(await namesFrom(null)).toMatchObject({ total: 25, next: null });
});

test('held orders of another shop are not listed, counted, or reachable by a cursor', async () => {
  const other = await addShop(app.db);
  const foreign = await addOrder(other, '#2001', ['no_address']);
  await addOrder(shop, '#2002', ['no_address']);
  expect(await namesFrom(null)).toMatchObject({ names: ['#2002'], total: 1 });
  expect((await namesFrom(String(BigInt(foreign) + 1n))).names).toEqual([]);
});

test.each(['', 'x', '-1', '1 or 1=1', '9'.repeat(40), '٣'])(
  'an invalid cursor such as %j returns the first page',
  async (cursor) => {
    await addOrder(shop, '#3001', ['no_address']);
    expect(await namesFrom(cursor)).toMatchObject({ names: ['#3001'] });
  },
);
