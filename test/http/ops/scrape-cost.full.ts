import { afterAll, beforeAll, expect, test } from 'vitest';
import { countOpenOrders } from '../../../src/orders/lists/count-open-orders.ts';
import { addShop, openTestApp, type OpenTestApp } from '../test-app.ts';

/** Enough orders to detect a scan of all orders, which would touch over a thousand blocks. */
const STORED_ORDERS = 50_000;
const OPEN_ORDERS = 40;
/** The maximum number of 8 KiB blocks that a scrape may touch. */
const MAX_BLOCKS = 400;

let app: OpenTestApp;

beforeAll(async () => {
  app = await openTestApp();
  const { id } = await addShop(app.db);
  await app.db.query(
    `insert into storefront_orders (shop_id, shopify_order_id, name, placed_at, outcome)
     select $1, 'gid://shopify/Order/' || n, '#' || n, now(), 'planned' from generate_series(1, $2::int) n`,
    [id, STORED_ORDERS],
  );
  await app.db.query(
    `insert into print_orders (shop_id, storefront_order_id, shopify_fulfillment_order_id, part, reference, state, submit_way, plan_sha256, confirmed_at)
     select shop_id, id, '', 1, 'r' || id, case when id < $1 + min(id) over () then 'in_production' else 'fulfilled' end, 'draft', '', now() from storefront_orders`,
    [OPEN_ORDERS],
  );
  await app.db.query(
    `insert into holds (shop_id, storefront_order_id, code, message, resolved_at)
     select shop_id, id, 'no_address', '', case when id < $1 + min(id) over () then null else now() end from storefront_orders`,
    [OPEN_ORDERS / 2],
  );
  await app.db.query('analyze');
}, 120_000);

afterAll(() => app.close());

/** Counts the blocks that the statements of one scrape touch, according to the database's explain output. */
async function countBlocks(): Promise<number> {
  let blocks = 0;
  const db = {
    async query(sql: string, parameters?: unknown[]): Promise<unknown[]> {
      const [row] = await app.db.query<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }[]>(
        `explain (analyze, buffers, format json) ${sql}`,
        parameters,
      );
      const { Plan } = row?.['QUERY PLAN'][0] ?? {};
      blocks += (Plan?.['Shared Hit Blocks'] ?? Infinity) + (Plan?.['Shared Read Blocks'] ?? Infinity);
      return [];
    },
  };
  await countOpenOrders({ db } as unknown as OpenTestApp);
  return blocks;
}

test('the cost of a scrape depends on the open orders, not on all stored orders', async () => {
  expect(await countOpenOrders(app)).toEqual({
    orders: { held: OPEN_ORDERS / 2, printing: OPEN_ORDERS / 2, waiting: 0 },
    holds: { no_address: OPEN_ORDERS / 2 },
  });
  expect(await countBlocks()).toBeLessThan(MAX_BLOCKS);
});
