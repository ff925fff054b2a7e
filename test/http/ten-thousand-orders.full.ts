import { expect, test } from 'vitest';
import { createSessionToken } from '../../sandbox/demo.ts';
import type { ListedOrdersPage } from '../../src/orders/lists/list-orders.ts';
import { platen, testPlaten } from '../helpers/test-platen.ts';
import { untilIdle } from '../helpers/until-idle.ts';
import { watchStatements, type SentStatement } from '../helpers/watch-statements.ts';

const ORDERS = 10_000;
/** How many pages of 8 KiB a list reads at most. The tables of the orders have several thousand. */
const MAX_READ = 2_000;
/** The home page, the totals of the costs and a list that finds nothing look at every order, but only once. */
const MAX_READ_OF_ALL = 7 * ORDERS;
testPlaten({ settings: { delayMinutes: 0 } });

/** Creates many copies of an order in the same shop, placed over 100 days. */
async function createOrderCopies(orderId: string, count: number): Promise<void> {
  const { db } = platen.app;
  await db.query(
    `insert into storefront_orders select copy.* from storefront_orders o, generate_series(1, $2::int) n,
       jsonb_populate_record(o, jsonb_build_object('id', o.id + n, 'shopify_order_id', 'gid://shopify/Order/' || (9000000000 + n), 'name', 'C' || n,
         'placed_at', now() - make_interval(mins => n * 14))) copy
     where o.shopify_order_id = $1`,
    [orderId, count],
  );
  await db.query(
    `insert into order_lines select copy.* from order_lines l join storefront_orders o on o.id = l.storefront_order_id, storefront_orders c,
       jsonb_populate_record(l, jsonb_build_object('storefront_order_id', c.id, 'sku', 'SKU-' || c.id % 500)) copy
     where o.shopify_order_id = $1 and c.name like 'C%'`,
    [orderId],
  );
  await db.query(
    `insert into print_orders select copy.* from print_orders p join storefront_orders o on o.id = p.storefront_order_id, storefront_orders c,
       jsonb_populate_record(p, jsonb_build_object('id', p.id + c.id, 'storefront_order_id', c.id, 'reference', 'copy-' || c.id, 'service_order_id', null,
         'confirmed_at', c.placed_at)) copy
     where o.shopify_order_id = $1 and c.name like 'C%'`,
    [orderId],
  );
  // Without statistics, each copy below joins its tables row by row.
  await db.query('analyze');
  for (const table of ['packages', 'fulfillments', 'service_orders', 'print_receipts', 'print_order_lines'])
    await copyPrintOrderRows(orderId, table);
  await copyOrderRows(orderId, 'order_sales');
  await copyOrderRows(orderId, 'timeline_entries');
  await db.query('analyze');
}

/** For each copy of the order's print order, copies the print order's rows in a table. */
async function copyPrintOrderRows(orderId: string, table: string): Promise<void> {
  await platen.app.db.query(
    `insert into ${table} select copy.* from ${table} t join print_orders p on p.id = t.print_order_id
       join storefront_orders o on o.id = p.storefront_order_id, storefront_orders c,
       jsonb_populate_record(t, to_jsonb(t) || jsonb_build_object('id', 1000 * c.id + coalesce((to_jsonb(t) ->> 'id')::bigint, 0), 'print_order_id', p.id + c.id,
         'storefront_order_id', c.id, 'service_order_id', 'copy-' || c.id, 'shown_by', '{}'::text[], 'seen_at', c.placed_at,
         'pushed_at', c.placed_at)) copy
     where o.shopify_order_id = $1 and c.name like 'C%'`,
    [orderId],
  );
}

/** For each copy of the order, copies the order's rows in a table. */
async function copyOrderRows(orderId: string, table: string): Promise<void> {
  await platen.app.db.query(
    `insert into ${table} select copy.* from ${table} t join storefront_orders o on o.id = t.storefront_order_id, storefront_orders c,
       jsonb_populate_record(t, to_jsonb(t) || jsonb_build_object('id', 1000 * c.id + coalesce((to_jsonb(t) ->> 'id')::bigint, 0),
         'storefront_order_id', c.id, 'print_order_id', null, 'at', c.placed_at)) copy
     where o.shopify_order_id = $1 and c.name like 'C%'`,
    [orderId],
  );
}

async function ask(path: string): Promise<ListedOrdersPage> {
  const headers = { Authorization: `Bearer ${createSessionToken(platen.app.config.shopify)}` };
  const answer = await fetch(`${platen.url}${path}`, { headers });
  const page = (await answer.json()) as ListedOrdersPage;
  expect(answer.status).toBe(200);
  return page;
}

/** Returns the answer to a request, and the number of pages of tables and indexes that its queries read. */
async function countReadPages(path: string): Promise<{ page: ListedOrdersPage; read: number }> {
  const sent: SentStatement[] = [];
  const stop = watchStatements((statement) => sent.push(statement));
  const page = await ask(path).finally(stop);
  let read = 0;
  for (const { text, values } of sent) {
    if (!/^\s*(select|with)\b/i.test(text)) continue;
    const [{ 'QUERY PLAN': plans }] = (await platen.app.db.query(
      `explain (analyze, buffers, timing off, format json) ${text}`,
      [...values],
    )) as [{ 'QUERY PLAN': { Plan: Record<string, number> }[] }];
    for (const { Plan } of plans) read += (Plan['Shared Hit Blocks'] ?? 0) + (Plan['Shared Read Blocks'] ?? 0);
  }
  return { page, read };
}

test('the lists of a shop with 10,000 orders read few pages of the database, and its totals read each order once', async () => {
  const { id } = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await platen.untilState(id, 'fulfilled');
  await untilIdle(platen.app);
  await createOrderCopies(id, ORDERS);
  await platen.app.db.query(`select setval(pg_get_serial_sequence('storefront_orders', 'id'), 1000000)`);
  await platen.app.db.query(`select setval(pg_get_serial_sequence('print_orders', 'id'), 1000000)`);
  const held = await platen.placeSkus({ 'POSTER-30X40': 1 }, { shippingAddress: null });
  await platen.untilState(held.id, 'held');
  await untilIdle(platen.app);
  for (const [path, orders, most] of [
    ['/api/orders', 50, MAX_READ],
    ['/api/orders?sort=oldest', 50, MAX_READ],
    ['/api/orders?state=fulfilled', 50, MAX_READ],
    ['/api/orders?state=held', 1, MAX_READ],
    ['/api/orders?state=canceled', 0, MAX_READ_OF_ALL],
    ['/api/orders?state=waiting', 0, MAX_READ_OF_ALL],
    ['/api/orders?hold=no_address', 1, MAX_READ],
    ['/api/orders?search=C9999', 1, MAX_READ],
    ['/api/orders?search=sku-499', 20, MAX_READ],
    ['/api/orders?search=nothing-like-this', 0, MAX_READ],
    ['/api/home', null, MAX_READ_OF_ALL],
    ['/api/costs/days', null, MAX_READ_OF_ALL],
  ] as const) {
    const { page, read } = await countReadPages(path);
    if (orders !== null) expect([path, page.orders.length]).toEqual([path, orders]);
    expect(read, `${path} reads something`).toBeGreaterThan(0);
    expect(read, `pages that ${path} reads`).toBeLessThan(most);
  }
});
