import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { catchUpStorefrontOrders } from '../../../src/orders/intake/catch-up-storefront-orders.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { startPlaten, type Platen, type PlacedOrder } from '../../helpers/platen.ts';
import { entriesOf } from '../changes/manual-actions.ts';
import { advance, printedOnce, runScheduledJobs } from '../changes/order-stages.ts';
import {
  injectFaults,
  requestReplan,
  printOrdersOf,
  untilPrintOrder,
  untilNoDueJobs,
} from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

const POSTER = 'POSTER-30X40';

let platen: Platen;
let posterId: string;

beforeAll(async () => {
  const environment = { PRINT_TIMEOUT_SECONDS: '1', SUBMIT_DEADLINE_SECONDS: '1', SUBMIT_QUIET_SECONDS: '3' };
  platen = await startPlaten({ advanceSeconds: null, environment });
  const variants = (await platen.control('store', 'GET', '/variants')) as { sku: string; variantId: string }[];
  posterId = variants.find(({ sku }) => sku === POSTER)?.variantId ?? '';
});
afterAll(() => platen.stop());
afterEach(async () => {
  await injectFaults(platen, []);
  await stock('service');
  await changeSettings(platen.app, platen.shop, { printsAtMerchantLocations: true, submitsRequests: true });
});

const act = (order: PlacedOrder, endpoint: string, body: object = {}) =>
  platen.control('store', 'POST', `/orders/${encodeURIComponent(order.id)}/${endpoint}`, body);

async function stock(location: 'service' | 'own' | 'other'): Promise<void> {
  await platen.control('store', 'POST', `/variants/${encodeURIComponent(posterId)}/stock`, { location });
}

/** Places an order that is quoted but not created, because the service responds with 429. */
async function placeUnsent(quantity: number): Promise<PlacedOrder> {
  await injectFaults(platen, [{ path: '/v3/orders', rate: 1, kind: 'status', status: 429 }]);
  const order = await platen.placeSkus({ [POSTER]: quantity });
  await untilPrintOrder(platen, order, ({ state }) => state === 'quoted' || state === 'submitting');
  await untilNoDueJobs(platen, order);
  return order;
}

async function placeSent(quantity: number): Promise<PlacedOrder> {
  const order = await platen.placeSkus({ [POSTER]: quantity });
  await platen.untilState(order.id, 'printing');
  await untilNoDueJobs(platen, order);
  return order;
}

/** Waits until this many units are printed in this many orders, and checks that another plan adds no units. */
async function untilPrinted(order: PlacedOrder, pieces: number, orders = 1): Promise<void> {
  const printed = async () => {
    await runScheduledJobs(platen, 1);
    const live = (await printedOnce(platen, order)).filter(({ fulfillmentStatus }) => fulfillmentStatus !== 'canceled');
    return [live.length, live.flatMap(({ items }) => items).reduce((sum, { quantity }) => sum + quantity, 0)];
  };
  await eventually(printed).toEqual([orders, pieces]);
  await requestReplan(platen, order);
  await runScheduledJobs(platen, 2);
  expect(await printed()).toEqual([orders, pieces]);
}

async function untilFulfilled(order: PlacedOrder, pieces: number): Promise<void> {
  await advance(platen, order, 'shipped');
  const fulfilled = async () => {
    await runScheduledJobs(platen, 1);
    const { fulfillments } = await platen.storeOrder(order.id);
    return fulfillments.flatMap(({ lines }) => lines).reduce((sum, { quantity }) => sum + quantity, 0);
  };
  await eventually(fulfilled).toBe(pieces);
  await platen.untilState(order.id, 'fulfilled');
}

const references = async (order: PlacedOrder) => (await printOrdersOf(platen, order)).map(({ reference }) => reference);

/** Places an order at the merchant's own location, where it can be moved, split and merged until it is in progress. */
async function placeAtOwnLocation<Result>(place: () => Promise<Result>): Promise<Result> {
  await stock('own');
  return place();
}

test('if an order is split before it is sent, each part is printed once and fulfilled', async () => {
  const order = await placeAtOwnLocation(() => placeUnsent(3));
  await act(order, 'split', { lines: [{ id: order.lines[0]?.id, quantity: 1 }] });
  await untilPrintOrder(platen, order, ({ closedAt }) => closedAt !== null);
  await injectFaults(platen, []);
  await untilPrinted(order, 3, 2);
  await untilFulfilled(order, 3);
});

test('both parts of an unsent order that is partly moved to Platen’s location are printed once', async () => {
  await changeSettings(platen.app, platen.shop, { delayMinutes: 60 });
  const order = await placeAtOwnLocation(() => platen.placeSkus({ [POSTER]: 3 }));
  await eventually(async () => (await platen.timeline(order.id)).includes('waiting')).toBe(true);
  await act(order, 'move', { to: 'service', lines: [{ id: order.lines[0]?.id, quantity: 1 }] });
  // Plans the order several times before any part is sent.
  await injectFaults(platen, [{ method: 'POST', path: '/v4/orders:search', rate: 1, kind: 'status', status: 503 }]);
  await changeSettings(platen.app, platen.shop, { delayMinutes: 0 });
  for (let times = 0; times < 3; times += 1) {
    await requestReplan(platen, order);
    await untilNoDueJobs(platen, order);
  }
  expect(await references(order)).toHaveLength(2);
  await injectFaults(platen, []);
  await untilPrinted(order, 3, 2);
  await untilFulfilled(order, 3);
});

test('a request to cancel units that were sent to print together with other units is rejected, and the order is fulfilled', async () => {
  const order = await placeAtOwnLocation(() => placeSent(3));
  const known = (await platen.storeOrder(order.id)).fulfillmentOrders.map(({ id }) => id);
  await act(order, 'move', { to: 'service', lines: [{ id: order.lines[0]?.id, quantity: 1 }] });
  await untilNoDueJobs(platen, order);
  const moved = async () => (await platen.storeOrder(order.id)).fulfillmentOrders.find(({ id }) => !known.includes(id));
  const fulfillmentOrderId = (await moved())?.id;
  await act(order, 'request-fulfillment', { fulfillmentOrderId });
  await eventually(async () => (await moved())?.requestStatus).toBe('ACCEPTED');
  await act(order, 'request-cancellation', { fulfillmentOrderId });
  await eventually(async () => (await moved())?.requestStatus).toBe('CANCELLATION_REJECTED');
  const rejection = async () => (await entriesOf(platen, order, 'cancellation_rejected'))[0]?.message;
  await eventually(rejection).toContain('printed together with others');
  expect(await entriesOf(platen, order, 'cancel_requested')).toEqual([]);
  await untilPrinted(order, 3);
  await untilFulfilled(order, 3);
});

test('splitting a sent order causes no further print order, and both parts are fulfilled', async () => {
  const order = await placeAtOwnLocation(() => placeSent(2));
  await act(order, 'split', { lines: [{ id: order.lines[0]?.id, quantity: 1 }] });
  await untilPrinted(order, 2);
  expect(await references(order)).toHaveLength(1);
  await untilFulfilled(order, 2);
});

test('an order split and merged before it is sent is printed as one print order', async () => {
  const order = await placeAtOwnLocation(() => placeUnsent(2));
  await act(order, 'split', { lines: [{ id: order.lines[0]?.id, quantity: 1 }] });
  await untilPrintOrder(platen, order, ({ closedAt }) => closedAt !== null);
  await act(order, 'merge');
  await untilNoDueJobs(platen, order);
  await injectFaults(platen, []);
  await untilPrinted(order, 2);
  await untilFulfilled(order, 2);
});

test('splitting and merging a sent order causes no further print order', async () => {
  const order = await placeAtOwnLocation(() => placeSent(2));
  await act(order, 'split', { lines: [{ id: order.lines[0]?.id, quantity: 1 }] });
  await act(order, 'merge');
  await untilPrinted(order, 2);
  await untilFulfilled(order, 2);
});

test('an order moved to the merchant’s location before its fulfillment is requested is printed once for that location', async () => {
  const order = await placeUnsentUnrequested(2);
  await act(order, 'move', { to: 'own' });
  await untilNoDueJobs(platen, order);
  await untilPrinted(order, 2);
  expect(await references(order)).toHaveLength(1);
  await untilFulfilled(order, 2);
});

/** Places an order whose fulfillment at Platen's location has not been requested yet, so the order can still be moved. */
async function placeUnsentUnrequested(quantity: number): Promise<PlacedOrder> {
  await changeSettings(platen.app, platen.shop, { submitsRequests: false });
  const order = await platen.placeSkus({ [POSTER]: quantity });
  await eventually(async () => (await platen.timeline(order.id)).includes('waiting')).toBe(true);
  return order;
}

test('an order moved to another service before it is sent is not printed', async () => {
  const order = await placeAtOwnLocation(() => placeUnsent(2));
  await act(order, 'move', { to: 'other' });
  await untilPrintOrder(platen, order, ({ closedReason }) => closedReason === 'not_wanted');
  await injectFaults(platen, []);
  await untilPrinted(order, 0, 0);
  expect((await printOrdersOf(platen, order)).every(({ fencedAt }) => fencedAt !== null)).toBe(true);
});

test('a sent order moved to Platen’s location is accepted and fulfilled there, and not reprinted', async () => {
  const order = await placeAtOwnLocation(() => placeSent(2));
  await act(order, 'move', { to: 'service' });
  await untilNoDueJobs(platen, order);
  await act(order, 'request-fulfillment');
  const request = async () => (await platen.storeOrder(order.id)).fulfillmentOrders.at(-1)?.requestStatus;
  await eventually(request).toBe('ACCEPTED');
  await untilPrinted(order, 2);
  expect(await references(order)).toHaveLength(1);
  await untilFulfilled(order, 2);
});

test('moving part of a sent order causes no further print order', async () => {
  const order = await placeAtOwnLocation(() => placeSent(3));
  await act(order, 'move', { to: 'other', lines: [{ id: order.lines[0]?.id, quantity: 1 }] });
  await untilPrinted(order, 3);
  expect(await references(order)).toHaveLength(1);
});

test('a scheduled order waits, even if its date changes, and is printed once when the store opens the fulfillment order', async () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const order = await placeAtOwnLocation(() =>
    platen.placeOrder({ lines: [{ variantId: posterId, quantity: 1 }], fulfillAt: inDays(2) }),
  );
  const lastWait = async () => {
    const rows: { message: string }[] = await platen.app.db.query(
      `select t.message from timeline_entries t join storefront_orders o on o.id = t.storefront_order_id
       where o.shopify_order_id = $1 and t.kind = 'waiting' order by t.id desc limit 1`,
      [order.id],
    );
    return rows[0]?.message;
  };
  await eventually(lastWait).toBe('Waiting: In the store, the fulfillment is scheduled for a later date.');
  await act(order, 'reschedule', { fulfillAt: inDays(1) });
  await untilPrinted(order, 0, 0);
  await act(order, 'open');
  await untilPrinted(order, 1);
  await untilFulfilled(order, 1);
});

test('an unsent print order continues after its fulfillment order is held and released in the store', async () => {
  const order = await placeAtOwnLocation(() => placeUnsent(1));
  await act(order, 'hold');
  await untilNoDueJobs(platen, order);
  await injectFaults(platen, []);
  await untilPrinted(order, 0, 0);
  await act(order, 'release');
  await untilPrinted(order, 1);
  expect(await references(order)).toHaveLength(1);
});

test('an order at the merchant’s location is not printed if printing for the merchant’s locations is turned off', async () => {
  await changeSettings(platen.app, platen.shop, { printsAtMerchantLocations: false });
  const order = await placeAtOwnLocation(() => platen.placeSkus({ [POSTER]: 1 }));
  await eventually(() =>
    platen.listed(order.id).then(
      ({ state }) => state,
      () => '',
    ),
  ).toBe('nothing_to_do');
  await untilPrinted(order, 0, 0);
});

test('if the webhooks are lost, a poll finds an order that was moved to another location', async () => {
  const order = await placeAtOwnLocation(() => placeUnsent(1));
  await platen.control('store', 'POST', '/webhooks', { drop: 1 });
  await act(order, 'move', { to: 'other' });
  await platen.control('store', 'POST', '/webhooks', { drop: 0 });
  await catchUpStorefrontOrders(platen.app, { shopId: platen.shop.id });
  await untilPrintOrder(platen, order, ({ closedReason }) => closedReason === 'not_wanted');
  await injectFaults(platen, []);
  await untilPrinted(order, 0, 0);
});

test('Platen reports the start of printing to the store once, if the store accepts the report', async () => {
  const own = await placeAtOwnLocation(() => placeSent(1));
  await stock('service');
  const ours = await placeSent(1);
  for (const order of [own, ours]) {
    await advance(platen, order, 'printed');
    await eventually(async () => (await printOrdersOf(platen, order))[0]?.progressReportedAt).toBeInstanceOf(Date);
    await requestReplan(platen, order);
    await runScheduledJobs(platen, 1);
  }
  const reported = async (order: PlacedOrder) =>
    (await platen.timeline(order.id)).filter((kind) => kind.startsWith('progress_'));
  expect(await reported(own)).toEqual(['progress_reported']);
  expect(await reported(ours)).toEqual([]);
  expect((await platen.storeOrder(own.id)).fulfillmentOrders[0]).toMatchObject({
    status: 'IN_PROGRESS',
    progressNotes: expect.stringContaining('Printing has started'),
  });
  await untilFulfilled(own, 1);
});
