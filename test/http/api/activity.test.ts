import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Deliveries, type Delivery } from '../../../src/database/entities/deliveries.ts';
import type { PrintOrder } from '../../../src/database/entities/print-orders.ts';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { enqueue } from '../../../src/jobs/enqueue.ts';
import { type ListedDeliveriesPage } from '../../../src/inbox/list-deliveries.ts';
import type { LoggedPoll } from '../../../src/polls/list-poll-log.ts';
import type { ListedPoll } from '../../../src/polls/list-polls.ts';
import { runPass } from '../../../src/polls/run-pass.ts';
import { addCustomerOrder } from '../../orders/privacy/add-customer-order.ts';
import { addShop, openTestEndpoints, callApi, type TestEndpoints } from '../test-app.ts';
import { atTime } from '../../helpers/at-time.ts';

const RECEIVED = new Date('2026-11-20T10:00:00Z');

let endpoints: TestEndpoints;
let shop: Shop;
let other: Shop;
let busy: Shop;
let printOrder: PrintOrder;

beforeAll(async () => {
  endpoints = await openTestEndpoints();
  const { app } = endpoints;
  [shop, other, busy] = [await addShop(app.db), await addShop(app.db), await addShop(app.db)];
  ({ printOrder } = await addCustomerOrder(app, shop, 'Canary', 5001));
  await addCustomerOrder(app, other, 'Neighbor', 5001);
  await addDelivery({ topic: 'orders/paid', resourceIds: { order: 'gid://shopify/Order/5001' } });
  await addDelivery({
    topic: 'fulfillment_orders/order_routing_complete',
    resourceIds: { fulfillmentOrder: 'gid://shopify/FulfillmentOrder/1' },
    handledAt: new Date(RECEIVED.getTime() + 1500),
  });
  await addDelivery({
    source: 'print',
    topic: 'order_item_status_updated',
    resourceIds: { printOrder: printOrder.id },
  });
  await addDelivery({ topic: 'orders/updated', resourceIds: { order: 'gid://shopify/Order/5002' }, result: 'covered' });
  await addDelivery({
    topic: 'customers/redact',
    resourceIds: { customer: 'gid://shopify/Customer/777', request: printOrder.id },
    handledAt: null,
    result: null,
  });
});
afterAll(() => endpoints.close());

async function addDelivery(changes: Partial<Delivery>, of = shop): Promise<Delivery> {
  const { manager } = endpoints.app.db;
  const row = {
    source: 'shopify' as const,
    shopId: of.id,
    dedupeKey: randomUUID(),
    topic: 'orders/paid',
    bodySha256: '0',
    receivedAt: RECEIVED,
    handledAt: RECEIVED,
    result: 'handled',
    ...changes,
  };
  return manager.getRepository(Deliveries).save(row);
}

async function ask(query = '', of = shop) {
  const page = await callApi<ListedDeliveriesPage>(endpoints.url, of, ['GET', `/activity${query}`]);
  return { ...page, topics: page.body.deliveries.map(({ topic }) => topic) };
}

test('the list shows webhooks and events, latest first, with results, durations and orders', async () => {
  const { body } = await ask();
  const order = { orderId: 'gid://shopify/Order/5001', name: '#5001' };
  expect(body).toEqual({
    deliveries: [
      expect.objectContaining({ topic: 'customers/redact', result: 'waiting', milliseconds: null, order: null }),
      expect.objectContaining({ topic: 'orders/updated', result: 'ignored', reason: 'covered', order: null }),
      expect.objectContaining({ source: 'print', topic: 'order_item_status_updated', result: 'handled', order }),
      expect.objectContaining({ topic: 'fulfillment_orders/order_routing_complete', milliseconds: 1500, order }),
      // The event that `addCustomerOrder` adds about the print order is older than the deliveries that this test adds, so it is last in the list.
      expect.objectContaining({ topic: 'orders/paid', reason: null, milliseconds: 0, order }),
      expect.objectContaining({ source: 'print', topic: 'order_status_updated', order }),
    ],
    next: null,
  });
});

test.each([['5001'], ['%235001'], ['gid://shopify/Order/5001'], ['%20%235001%20']])(
  'the search term %s finds an order by its name, number or ID, with its webhooks and events',
  async (order) => {
    const { topics } = await ask(`?order=${order}`);
    expect(topics).toEqual([
      'order_item_status_updated',
      'fulfillment_orders/order_routing_complete',
      'orders/paid',
      'order_status_updated',
    ]);
  },
);

test.each([
  ['?source=print', ['order_item_status_updated', 'order_status_updated']],
  ['?result=waiting', ['customers/redact']],
  ['?result=ignored', ['orders/updated']],
  ['?result=failed', []],
  ['?source=shopify&result=handled', ['fulfillment_orders/order_routing_complete', 'orders/paid']],
])('the filters %s apply together', async (query, topics) => {
  expect((await ask(query)).topics).toEqual(topics);
});

test('a delivery that failed is shown with the time of its next attempt, and without the error text', async () => {
  const { app } = endpoints;
  const failing = await addShop(app.db);
  const { id } = await addDelivery({ topic: 'shop/update', handledAt: null, result: null }, failing);
  await enqueue(app.db, 'handle_delivery', { deliveryId: id });
  expect((await ask('', failing)).body.deliveries).toMatchObject([{ result: 'waiting', nextAt: null }]);
  await app.db.query(
    `update graphile_worker._private_jobs set attempts = 2, last_error = 'no answer for canary@person.example', run_at = $2
     where payload ->> 'deliveryId' = $1`,
    [id, new Date('2026-11-20T11:00:00Z')],
  );
  const { body, text } = await ask('?result=failed', failing);
  expect(body.deliveries).toMatchObject([{ topic: 'shop/update', nextAt: '2026-11-20T11:00:00.000Z' }]);
  expect(text).not.toContain('canary');
});

test('the response contains no bodies and no personal data', async () => {
  const { text } = await ask();
  expect(text).not.toMatch(/canary|customer\/|777|comment/i);
});

test('a shop sees only its own deliveries, and a delivery is not linked to the order of another shop', async () => {
  expect((await ask('?order=5001', other)).topics).toEqual(['order_status_updated']);
  await addDelivery({ topic: 'orders/edited', resourceIds: { order: 'gid://shopify/Order/5001' } }, busy);
  // An event may arrive at the address of another shop with the same print account.
  await addDelivery(
    { source: 'print', topic: 'order_status_updated', resourceIds: { printOrder: printOrder.id } },
    busy,
  );
  const { body } = await ask('', busy);
  expect(body.deliveries).toMatchObject([
    { topic: 'order_status_updated', order: null },
    { topic: 'orders/edited', order: null },
  ]);
});

test('the list of polls shows each poll’s last run, without the counts of polls that cover all shops', async () => {
  const { app } = endpoints;
  const polls = async (of: Shop) =>
    (await callApi<{ polls: ListedPoll[] }>(endpoints.url, of, ['GET', '/activity/polls'])).body.polls;
  expect(await polls(shop)).toEqual([]);
  const run = async () => ({ found: 3, fixed: 1 });
  await runPass(app, { pass: 'catch_up_storefront_orders', shopId: shop.id }, run);
  await runPass(app, { pass: 'catch_up_print_orders' }, run);
  await runPass(app, { pass: 'remove_old_data' }, run);
  const failed = runPass(app, { pass: 'catch_up_stock', shopId: shop.id }, async () => {
    throw new Error('canary');
  });
  await expect(failed).rejects.toThrow('canary');
  const own = await polls(shop);
  expect(own).toHaveLength(3);
  expect(own).toContainEqual(
    expect.objectContaining({
      pass: 'catch_up_storefront_orders',
      found: 3,
      error: null,
      milliseconds: expect.any(Number),
    }),
  );
  expect(own).toContainEqual(
    expect.objectContaining({ pass: 'catch_up_stock', found: 0, error: 'unexpected', lastSucceededAt: null }),
  );
  expect(await polls(other)).toMatchObject([{ pass: 'catch_up_print_orders', found: null, error: null }]);
});

const fetchPollLog = (query: string, of: Shop) =>
  callApi<{ polls: LoggedPoll[]; next: string | null }>(endpoints.url, of, ['GET', `/activity/poll-log${query}`]);

test('the log shows the polls of the shop that found changes or failed, and no polls of another shop', async () => {
  const { app } = endpoints;
  const [polled, neighbor] = [await addShop(app.db), await addShop(app.db)];
  const at = (time: string) => atTime(app, () => new Date(time));
  const run = (time: string, pass: LoggedPoll['pass'], found: number, error: string | null = null, of = polled) =>
    runPass(at(time), { pass, shopId: of.id }, async () => ({ found, fixed: found, error }));
  await run('2026-11-20T10:00:00Z', 'catch_up_stock', 2);
  await run('2026-11-20T10:10:00Z', 'catch_up_stock', 1, 'unreachable');
  await run('2026-11-20T10:20:00Z', 'catch_up_storefront_orders', 4);
  await run('2026-11-20T10:30:00Z', 'catch_up_stock', 7, null, neighbor);
  await runPass(at('2026-11-20T10:40:00Z'), { pass: 'catch_up_print_orders' }, async () => ({ found: 1, fixed: 1 }));
  const time = '2026-11-20T10:20:00.000Z';
  const orders = {
    id: expect.any(String),
    pass: 'catch_up_storefront_orders',
    firstAt: time,
    lastAt: time,
    runs: 1,
    milliseconds: expect.any(Number),
    found: 4,
    fixed: 4,
    failures: 0,
    error: null,
  };
  const stock = {
    ...orders,
    pass: 'catch_up_stock',
    firstAt: '2026-11-20T10:00:00.000Z',
    lastAt: '2026-11-20T10:10:00.000Z',
    runs: 2,
    found: 3,
    fixed: 3,
    failures: 1,
    error: 'unreachable',
  };
  expect((await fetchPollLog('', polled)).body).toEqual({ polls: [orders, stock], next: null });
  expect((await fetchPollLog('?pass=catch_up_stock', polled)).body.polls).toEqual([stock]);
  expect((await fetchPollLog('?result=failed', polled)).body.polls).toEqual([stock]);
  expect((await fetchPollLog('?result=found', polled)).body.polls).toEqual([orders, stock]);
  expect((await fetchPollLog('?pass=catch_up_storefront_orders&result=failed', polled)).body.polls).toEqual([]);
  expect((await fetchPollLog('', neighbor)).body.polls).toMatchObject([{ pass: 'catch_up_stock', found: 7 }]);
});
