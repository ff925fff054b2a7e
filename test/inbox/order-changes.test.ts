import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { StorefrontOrders, type StorefrontOrder } from '../../src/database/entities/orders.ts';
import type { PrintOrder } from '../../src/database/entities/print-orders.ts';
import { Shops, type Shop } from '../../src/database/entities/shops.ts';
import { receiveDelivery, type NewDelivery } from '../../src/inbox/receive-delivery.ts';
import { markRoutedWebhooksHandled } from '../../src/orders/plan/mark-routed-webhooks-handled.ts';
import type { StoreReading } from '../../src/orders/facts/store-reading.ts';
import { toReading } from '../../src/orders/follow/receive/to-reading.ts';
import { parseEvent } from '../../src/print/events.ts';
import { addShop, readDeliveriesOfShop, openTestApp, type TestApp } from '../http/test-app.ts';
import { addCustomerOrder } from '../orders/privacy/add-customer-order.ts';

const ORDER = 'gid://shopify/Order/1';
const CHANGED = new Date('2026-11-21T10:00:00Z');

let app: TestApp;
let shop: Shop;
let keys = 0;

beforeAll(async () => void (app = await openTestApp()));
beforeEach(async () => {
  await app.db.query('delete from graphile_worker._private_jobs');
  shop = await addShop(app.db);
});
afterAll(() => app.close());

function deliver(change: Partial<NewDelivery>) {
  keys += 1;
  return receiveDelivery(app, {
    source: 'shopify',
    shopId: shop.id,
    dedupeKey: `change ${keys}`,
    topic: 'orders/updated',
    eventId: null,
    resourceIds: { order: ORDER },
    body: null,
    bodySha256: 'f'.repeat(64),
    occurredAt: null,
    receivedAt: new Date(),
    result: null,
    ...change,
  });
}

const ordersOf = () => app.db.manager.findBy(StorefrontOrders, { shopId: shop.id });
const resultsOf = async () => (await readDeliveriesOfShop(app.db, shop)).map(({ result }) => result);

interface WaitingJob {
  task: string;
  key: string | null;
  queue: string | null;
  priority: number;
  isDue: boolean;
  seconds: number;
}

function waiting(): Promise<WaitingJob[]> {
  return app.db.query(
    `select task_identifier as task, key, queue_name as queue, priority, run_at <= now() + interval '1 second' as "isDue",
       extract(epoch from run_at - now())::int as seconds
     from graphile_worker.jobs where locked_at is null and attempts < max_attempts order by id`,
  );
}

describe('changes that a reading includes', () => {
  let order: StorefrontOrder;

  beforeEach(async () => {
    await deliver({});
    [order] = (await ordersOf()) as [StorefrontOrder];
    await app.db.manager.update(StorefrontOrders, { id: order.id }, { coversUntil: CHANGED });
    await app.db.query('delete from graphile_worker._private_jobs');
  });

  test.each([
    ['before its last moment', -1000],
    ['at its last moment', 0],
  ])('a reading covers a change that happened %s, so no job is added', async (_, ms) => {
    await deliver({ changedAt: new Date(CHANGED.getTime() + ms) });
    expect(await waiting()).toEqual([]);
    expect(await resultsOf()).toEqual(['handled', 'covered']);
  });

  test.each([
    ['happened after the reading', { changedAt: new Date(CHANGED.getTime() + 1) }],
    ['has no time', { changedAt: null }],
  ])('a reading does not cover a change that %s, so the order is planned', async (_, change) => {
    await deliver(change);
    expect(await waiting()).toMatchObject([{ key: `plan:${order.id}` }]);
  });
});

describe('deliveries about fulfillment orders', () => {
  const topic = 'fulfillment_orders/moved';

  test('a delivery about an unknown order or another shop’s order adds a job that queries the store', async () => {
    await addCustomerOrder(app, await addShop(app.db), 'Ada', 7);
    await deliver({ topic, resourceIds: { fulfillmentOrder: 'gid://shopify/FulfillmentOrder/1' } });
    expect(await waiting()).toMatchObject([{ task: 'handle_delivery', key: null, queue: null }]);
    expect(await resultsOf()).toEqual([null]);
  });
});

describe('deliveries about fulfillment orders that the store has routed', () => {
  const topic = 'fulfillment_orders/order_routing_complete';
  const routed = (id: string) => deliver({ topic, resourceIds: { fulfillmentOrder: id } });

  test('the job for a routed fulfillment order has its own key and waits until a reading includes the fulfillment order', async () => {
    const id = 'gid://shopify/FulfillmentOrder/1';
    await routed(id);
    expect(await waiting()).toMatchObject([{ task: 'handle_delivery', key: `routed:${shop.id}:${id}`, seconds: 30 }]);
    const other = { fulfillmentOrders: [{ id: 'gid://shopify/FulfillmentOrder/2' }] } as StoreReading;
    await markRoutedWebhooksHandled(app.db.manager, { shopId: shop.id, now: new Date() }, other);
    expect(await waiting()).toHaveLength(1);
    await markRoutedWebhooksHandled(app.db.manager, { shopId: shop.id, now: new Date() }, {
      fulfillmentOrders: [{ id }],
    } as StoreReading);
    expect(await waiting()).toEqual([]);
    expect(await resultsOf()).toEqual(['handled']);
  });

  test('a routed fulfillment order whose print order is closed triggers a plan of its order', async () => {
    const { printOrder, order } = await addCustomerOrder(app, shop, 'Ada', 10, { closedAt: new Date() });
    await routed(printOrder.shopifyFulfillmentOrderId);
    expect(await waiting()).toMatchObject([{ key: `plan:${order.id}` }]);
  });
});

describe('changes to sent orders', () => {
  test.each([
    ['with every print order confirmed', { confirmedAt: new Date() }, {}, 5],
    ['of a shop with no gathering window', { confirmedAt: new Date() }, { gatherSeconds: 0 }, 0.5],
    ['with an unconfirmed print order', { confirmedAt: null }, {}, 0.5],
  ])('a change to an order %s is planned after the expected gathering time', async (_, print, settings, seconds) => {
    const { order } = await addCustomerOrder(app, shop, 'Ada', 9, print);
    await app.db.manager.update(Shops, { id: shop.id }, { settings });
    await deliver({ resourceIds: { order: order.shopifyOrderId } });
    const [job]: { seconds: number }[] = await app.db.query(
      `select extract(epoch from run_at - created_at)::float8 as seconds from graphile_worker.jobs where key = $1`,
      [`plan:${order.id}`],
    );
    expect(job?.seconds).toBeCloseTo(seconds, 1);
  });

  test('a cancellation of a sent order is planned without waiting', async () => {
    const { order } = await addCustomerOrder(app, shop, 'Ada', 11, { confirmedAt: new Date() });
    const change = { resourceIds: { order: order.shopifyOrderId } };
    await deliver(change);
    expect(await waiting()).toMatchObject([{ isDue: false, seconds: 5 }]);
    await deliver({ ...change, topic: 'orders/cancelled' });
    expect(await waiting()).toMatchObject([{ key: `plan:${order.id}`, isDue: true }]);
  });
});

describe('events that report only a print order’s progress', () => {
  let printOrder: PrintOrder;
  let number = 100;

  async function sendEvent(status: string, change: Partial<NewDelivery> = {}, more: Record<string, unknown> = {}) {
    const body = {
      event: 'order_status_updated',
      orderId: 'o',
      orderReferenceId: printOrder.reference,
      fulfillmentStatus: status,
      items: [],
      ...more,
    };
    const source = 'print' as const;
    await deliver({
      source,
      topic: body.event,
      resourceIds: {},
      body,
      reading: toReading(parseEvent(body)),
      ...change,
    });
  }

  beforeEach(async () => {
    number += 1;
    const confirmed = { confirmedAt: new Date(), serviceOrderId: `service-${number}` };
    ({ printOrder } = await addCustomerOrder(app, shop, 'Ada', number, confirmed));
  });

  test.each(['passed', 'printed'])('a %s event waits for later events in the gathering window', async (status) => {
    await sendEvent(status);
    const key = `follow:${printOrder.id}`;
    const queue = `order:${printOrder.storefrontOrderId}`;
    expect(await waiting()).toMatchObject([{ task: 'follow_print_order', key, queue, isDue: false, seconds: 30 }]);
    await sendEvent('printed');
    expect(await waiting()).toHaveLength(1);
    await sendEvent('shipped');
    expect(await waiting()).toMatchObject([{ task: 'follow_print_order', key, seconds: 5 }]);
    await sendEvent('printed');
    expect(await waiting()).toMatchObject([{ key, seconds: 5 }]);
  });

  test("an event's body is stored only if it has data that a reading lacks, and no job is added for the event", async () => {
    await sendEvent('passed');
    await sendEvent('on_hold');
    const kept = (await readDeliveriesOfShop(app.db, shop)).slice(-2);
    expect(kept).toMatchObject([
      { body: null, result: 'handled' },
      { body: { fulfillmentStatus: 'on_hold' }, result: null },
    ]);
    expect(kept.map(({ printOrderId }) => printOrderId)).toEqual([null, printOrder.id]);
    expect(await waiting()).toMatchObject([{ task: 'follow_print_order', isDue: true }]);
  });

  test('an event about an unconfirmed print order or another shop’s print order gets a separate job', async () => {
    await app.db.query('update print_orders set confirmed_at = null where id = $1', [printOrder.id]);
    await sendEvent('passed');
    await app.db.query('update print_orders set confirmed_at = now() where id = $1', [printOrder.id]);
    await sendEvent('passed', { shopId: (await addShop(app.db)).id });
    expect(await waiting()).toMatchObject([{ task: 'handle_delivery' }, { task: 'handle_delivery' }]);
  });
});
