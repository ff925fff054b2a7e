import { afterEach, beforeAll, expect, test } from 'vitest';
import { catchUpStorefrontOrders } from '../../../src/orders/intake/catch-up-storefront-orders.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import type { PlacedOrder } from '../../helpers/platen.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { entriesOf } from '../changes/manual-actions.ts';
import { advance, printedOnce, runScheduledJobs } from '../changes/order-stages.ts';
import {
  injectFaults,
  inStore,
  requestReplan,
  printOrdersOf,
  stockAt,
  untilPrintOrder,
  untilNoDueJobs,
} from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

const POSTER = 'POSTER-30X40';

let posterId: string;

testPlaten({ advanceSeconds: null });
beforeAll(async () => {
  const variants = (await platen.control('store', 'GET', '/variants')) as { sku: string; variantId: string }[];
  posterId = variants.find(({ sku }) => sku === POSTER)?.variantId ?? '';
});
afterEach(async () => {
  await injectFaults(platen, []);
  await stockAt(platen, POSTER, 'service');
  await changeSettings(platen.app, platen.shop, { printsAtMerchantLocations: true, submitsRequests: true });
});

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
  await stockAt(platen, POSTER, 'own');
  return place();
}

test('splitting and merging a sent order causes no further print order', async () => {
  const order = await placeAtOwnLocation(() => placeSent(2));
  await inStore(platen, order, 'split', { lines: [{ id: order.lines[0]?.id, quantity: 1 }] });
  await inStore(platen, order, 'merge');
  await untilPrinted(order, 2);
  await untilFulfilled(order, 2);
});

test('a sent order moved to Platen’s location is accepted and fulfilled there, and not reprinted', async () => {
  const order = await placeAtOwnLocation(() => placeSent(2));
  await inStore(platen, order, 'move', { to: 'service' });
  await untilNoDueJobs(platen, order);
  await inStore(platen, order, 'request-fulfillment');
  const request = async () => (await platen.storeOrder(order.id)).fulfillmentOrders.at(-1)?.requestStatus;
  await eventually(request).toBe('ACCEPTED');
  await untilPrinted(order, 2);
  expect(await references(order)).toHaveLength(1);
  await untilFulfilled(order, 2);
});

test('a scheduled order waits, even if its date changes, and is printed once when the store opens the fulfillment order', async () => {
  const inDays = (days: number) => new Date(platen.app.clock.now().getTime() + days * 86_400_000).toISOString();
  const order = await placeAtOwnLocation(() =>
    platen.placeOrder({ lines: [{ variantId: posterId, quantity: 1 }], fulfillAt: inDays(2) }),
  );
  const lastWait = async () => (await entriesOf(platen, order, 'waiting')).at(-1)?.message;
  await eventually(lastWait).toBe('Waiting: In the store, the fulfillment is scheduled for a later date.');
  await inStore(platen, order, 'reschedule', { fulfillAt: inDays(1) });
  await untilPrinted(order, 0, 0);
  await inStore(platen, order, 'open');
  await untilPrinted(order, 1);
  await untilFulfilled(order, 1);
});

test('an order moved to another service before it is sent is not printed, even if the webhooks are lost', async () => {
  const order = await placeAtOwnLocation(() => placeUnsent(1));
  await platen.control('store', 'POST', '/webhooks', { drop: 1 });
  await inStore(platen, order, 'move', { to: 'other' });
  await platen.control('store', 'POST', '/webhooks', { drop: 0 });
  await catchUpStorefrontOrders(platen.app, { shopId: platen.shop.id });
  await untilPrintOrder(platen, order, ({ closedReason }) => closedReason === 'not_wanted');
  await injectFaults(platen, []);
  await untilPrinted(order, 0, 0);
  expect((await printOrdersOf(platen, order)).every(({ fencedAt }) => fencedAt !== null)).toBe(true);
});

test('Platen reports the start of printing to the store once, if the store accepts the report', async () => {
  const own = await placeAtOwnLocation(() => placeSent(1));
  await stockAt(platen, POSTER, 'service');
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
