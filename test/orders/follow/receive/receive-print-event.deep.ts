import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { TimelineEntries } from '../../../../src/database/entities/orders.ts';
import type { Shop } from '../../../../src/database/entities/shops.ts';
import { parseEvent } from '../../../../src/print/events.ts';
import { findShop } from '../../../../src/shops/find-shop.ts';
import { changeSettings } from '../../../../src/shops/settings/settings.ts';
import { receivePrintEvent } from '../../../../src/orders/follow/receive/receive-print-event.ts';
import { addShop, readJobPayloads } from '../../../http/test-app.ts';
import {
  checkOnArrival,
  printTwoLines,
  shipAtService,
  trackingOf,
  type Json,
  type ShownPackage,
} from '../at-service.ts';
import { openTestShop, type ShippedOrder, type TestShop } from '../../../shipments/test-shop.ts';

const PHONE_CASE = 'phonecase_apple_iphone-13promax_flexi_transparent_satin';

let shop: TestShop;
beforeAll(async () => void (shop = await openTestShop()));
beforeEach(() => shop.set({ extendedCalls: true }));
afterAll(() => shop.close());

const atService = (productOfMug?: string) => printTwoLines(shop, productOfMug);
const ship = (order: ShippedOrder, packages: ShownPackage[], serviceOrderId?: string) =>
  shipAtService(shop, order, packages, serviceOrderId);
const deliver = (body: Json, at?: Shop) => checkOnArrival(shop, body, at);
const receive = (body: Json, at: Shop = shop.shop) => receivePrintEvent(shop.app, at, parseEvent(body));

const follows = async (order: ShippedOrder) =>
  (await readJobPayloads(shop.app.db, 'follow_print_order')).filter(
    ({ printOrderId }) => printOrderId === order.printOrder.id,
  );

async function sentences({ printOrder }: ShippedOrder): Promise<string[]> {
  const where = { printOrderId: printOrder.id };
  const entries = await shop.app.db.manager.find(TimelineEntries, { where, order: { id: 'ASC' } });
  return entries.map(({ message }) => message);
}

const TWO_PACKAGES = [
  { code: 'CODE-1', skus: ['POSTER-13X18'] },
  { code: 'CODE-2', skus: ['MUG-11OZ'] },
];
const UNUSUAL_CODES = [
  'A:1 A,1 A;1 #1 (1 +1 <b>1 50% É1 単1 7 A|1'.split(' '),
  'L'.repeat(300),
  'A\u202e\t\u001b[2K1',
].flat();
const ARRIVALS: [string, (events: Json[]) => Json[]][] = [
  ['in reverse order', (events) => events.toReversed()],
  ['each twice', (events) => events.flatMap((event) => [event, event])],
];

test('events of an order share one read, which starts immediately if the merchant must act, within 5 s after shipping and otherwise within 30 s', async () => {
  await shop.set({ gatherSeconds: 60 });
  const order = await atService();
  const { serviceOrderId: orderId, reference: orderReferenceId } = order.printOrder;
  const gathering = await findShop(shop.app, shop.shop.id);
  const report = async (fulfillmentStatus: string) => {
    const event = {
      event: 'order_status_updated',
      id: 'os_1',
      orderId,
      orderReferenceId,
      fulfillmentStatus,
      items: [],
    };
    await receive(event, gathering);
    const jobs: { seconds: number }[] = await shop.app.db.query(
      `select extract(epoch from run_at - now())::float as seconds from graphile_worker.jobs where key = $1`,
      [`follow:${order.printOrder.id}`],
    );
    expect(jobs).toHaveLength(1);
    return jobs[0]?.seconds ?? Infinity;
  };
  expect(await report('passed')).toBeGreaterThan(5);
  const waits = await report('printed');
  expect(waits).toBeGreaterThan(5);
  expect(waits).toBeLessThanOrEqual(30);
  expect(await report('shipped')).toBeLessThanOrEqual(5);
  // A later event that can wait does not postpone a reading that is due sooner.
  expect(await report('printed')).toBeLessThanOrEqual(5);
  expect(await report('failed')).toBeLessThanOrEqual(0);
  await shop.set({ gatherSeconds: 0 });
});

describe.each([
  ['with the extended calls, handled by the reading', true, deliver],
  ['without the extended calls', false, receive],
])('print events %s', (_, extendedCalls, receive) => {
  beforeEach(() => shop.set({ extendedCalls }));

  test.each(ARRIVALS)('events that arrive %s result in one fulfillment per package', async (__, arrange) => {
    const order = await atService();
    for (const event of arrange(await ship(order, TWO_PACKAGES))) await receive(event);
    await shop.runJobs();
    const fulfilled = await shop.fulfilled(order.orderId);
    expect(fulfilled.toSorted((a, b) => (a.codes[0] ?? '').localeCompare(b.codes[0] ?? ''))).toEqual([
      { lines: { 'POSTER-13X18': 2 }, codes: ['CODE-1'], notified: 1 },
      { lines: { 'MUG-11OZ': 1 }, codes: ['CODE-2'], notified: 1 },
    ]);
    expect(await shop.state(order)).toBe('fulfilled');
    const [made] = (await shop.storeOrder(order.orderId)).fulfillments;
    expect(made?.trackingUrls).toEqual([`https://tracking.example/${made?.trackingCodes[0]}`]);
  });

  test('tracking codes with unusual characters reach the store, and the timeline names each code once', async () => {
    const order = await atService();
    const events = await ship(order, [
      ...UNUSUAL_CODES.map((code) => ({ code, skus: ['POSTER-13X18'] })),
      { code: 'CODE-2', skus: ['MUG-11OZ'] },
    ]);
    for (const event of [...events, ...events]) await receive(event);
    await shop.runJobs();
    const fulfilled = await shop.fulfilled(order.orderId);
    const ofPoster = fulfilled.find(({ lines }) => lines['POSTER-13X18'] !== undefined);
    expect(ofPoster?.codes.toSorted()).toEqual(UNUSUAL_CODES.toSorted());
    expect(await shop.state(order)).toBe('fulfilled');
    const timeline = await sentences(order);
    const ofCodes = timeline.filter((sentence) => sentence.includes('has the tracking code '));
    expect(ofCodes).toHaveLength(UNUSUAL_CODES.length + 1);
    expect(new Set(ofCodes).size).toBe(ofCodes.length);
    const spelled = `${order.printOrder.reference} has the tracking code A\\u{202e}\\u{9}\\u{1b}[2K1.`;
    expect(ofCodes.filter((sentence) => sentence.startsWith(spelled))).toHaveLength(1);
  });

  test("events about a part that Platen does not know yet lead to the fulfillment of that part's units", async () => {
    const order = await atService(PHONE_CASE);
    const parts = await shop.inPrint<{ id: string; orderReferenceId: string }[]>('/orders');
    const part = parts.find(
      ({ id, orderReferenceId }) =>
        orderReferenceId === order.printOrder.reference && id !== order.printOrder.serviceOrderId,
    );
    for (const event of await ship(order, TWO_PACKAGES.slice(1), part?.id)) await receive(event);
    await shop.runJobs();
    expect(await shop.fulfilled(order.orderId)).toEqual([{ lines: { 'MUG-11OZ': 1 }, codes: ['CODE-2'], notified: 1 }]);
    for (const event of await ship(order, TWO_PACKAGES.slice(0, 1))) await receive(event);
    await shop.runJobs();
    expect(await shop.fulfilled(order.orderId)).toMatchObject([{ codes: ['CODE-2'] }, { codes: ['CODE-1'] }]);
    expect(await shop.state(order)).toBe('fulfilled');
  });
});

describe('receiving a print event', () => {
  test('an event only triggers a read: its tracking code is stored but not sent to the store', async () => {
    const order = await atService();
    await receive(trackingOf(order));
    expect(await shop.packages(order)).toMatchObject([
      { trackingCode: 'CODE-1', confirmedAt: null, trackingUrl: null },
    ]);
    await shop.runJobs();
    expect(await shop.packages(order)).toMatchObject([{ trackingCode: 'CODE-1', confirmedAt: null }]);
    expect(await shop.fulfilled(order.orderId)).toEqual([]);
    expect(await shop.state(order)).toBe('submitted');
    expect(await sentences(order)).not.toContainEqual(expect.stringContaining('only an event reported it'));
  });

  test('without the extended calls, the timeline states when the tracking code from an event will be sent to the store', async () => {
    await shop.set({ extendedCalls: false });
    const at = { ...shop.shop, settings: { ...shop.shop.settings, extendedCalls: false } };
    const order = await atService();
    await receive(trackingOf(order), at);
    await shop.runJobs();
    expect(await shop.fulfilled(order.orderId)).toEqual([]);
    expect(await sentences(order)).toContainEqual(
      expect.stringMatching(
        /CODE-1.*Only an event has reported the code.*once the print service shows the order as printed/,
      ),
    );
    await ship(order, []);
    await receive(trackingOf(order), at);
    await shop.runJobs();
    expect(await shop.fulfilled(order.orderId)).toMatchObject([{ codes: ['CODE-1'] }]);
  });

  test("an event from another account's shop changes nothing, and its log entry contains only IDs", async () => {
    const order = await atService();
    const other = await addShop(shop.app.db);
    await changeSettings(shop.app, other, { printKey: 'sandbox-key-other' });
    await receive(trackingOf(order), await reload(other));
    expect(await shop.packages(order)).toEqual([]);
    expect(await follows(order)).toEqual([]);
    expect(shop.logged()).toContain('an event about an unknown order was stored without effect');
    expect(shop.logged()).not.toContain(order.printOrder.reference);
  });

  test.each([
    ['an unknown order', { orderReferenceId: 'somebody-else-1' }],
    ['a test from the dashboard', { orderId: '{{MyOrderId}}', orderReferenceId: '{{MyOrderReferenceId}}' }],
  ])('an event about %s changes nothing', async (_, ids) => {
    const order = await atService();
    await receive(trackingOf(order, ids));
    expect(await shop.packages(order)).toEqual([]);
    expect(await follows(order)).toEqual([]);
  });

  test('an event that cannot be parsed but names a known order triggers a read', async () => {
    const order = await atService();
    await receive(trackingOf(order, { trackingCode: '' }));
    expect(await shop.packages(order)).toEqual([]);
    expect(await follows(order)).toHaveLength(1);
  });

  test('an event with a changed delivery estimate adds one timeline entry', async () => {
    const order = await atService();
    const estimate = {
      event: 'order_delivery_estimate_updated',
      id: 'de',
      orderId: order.printOrder.serviceOrderId,
      orderReferenceId: order.printOrder.reference,
      minDeliveryDate: '2026-12-03',
      maxDeliveryDate: '2026-12-05',
    };
    await receive(estimate);
    await receive(estimate);
    await receive({ ...estimate, orderId: 'spare', maxDeliveryDate: '2026-12-24' });
    await receive({ ...estimate, maxDeliveryDate: '2026-12-08' });
    expect(await shop.timeline(order)).toEqual(['delivery_estimate', 'delivery_estimate']);
    expect(await follows(order)).toHaveLength(1);
  });
});

const reload = ({ id }: Shop): Promise<Shop> => findShop(shop.app, id);
