import { afterEach, expect, test } from 'vitest';
import { PrintOrders } from '../../../src/database/entities/print-orders.ts';
import { decryptBody, sealBody } from '../../../src/orders/facts/recipient-column.ts';
import { hashBody } from '../../../src/orders/quote/hash-body.ts';
import { submitPrintOrder } from '../../../src/orders/submit/submit-print-order.ts';
import type { PlacedOrder } from '../../helpers/platen.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { act } from '../changes/manual-actions.ts';
import {
  atService,
  attemptsOf,
  injectFaults,
  placeUnsubmitted,
  printOrdersOf,
  untilNoDueJobs,
  untilPrintedOnce,
  untilPrintOrder,
} from './submit-helpers.ts';

testPlaten({ advanceSeconds: null });
afterEach(() => injectFaults(platen, []));

const CREATE = { method: 'POST', path: '/v3/orders', rate: 1, times: 1 };
const PATCH = { method: 'PATCH', path: '/v4/orders', rate: 1, times: 1 };
const place = () => platen.placeSkus({ 'POSTER-30X40': 1 });

test('each order is printed once and no spare draft is confirmed, whatever happens to the responses', async () => {
  await injectFaults(platen, [
    { ...CREATE, kind: 'status', status: 500, effect: 'none' },
    { ...CREATE, kind: 'status', status: 500, effect: 'done' },
    { ...CREATE, kind: 'status', status: 502, effect: 'late', lateMs: 700 },
    { ...CREATE, kind: 'reset', effect: 'done' },
    { ...CREATE, kind: 'timeout', effect: 'done' },
    { ...CREATE, kind: 'truncate', effect: 'done' },
    { ...CREATE, kind: 'status', status: 429, effect: 'none' },
    { ...CREATE, kind: 'status', status: 409, effect: 'none' },
    { ...PATCH, kind: 'status', status: 500, effect: 'done' },
    { ...PATCH, kind: 'status', status: 500, effect: 'none' },
    { ...PATCH, kind: 'timeout', effect: 'done' },
    { ...PATCH, kind: 'reset', effect: 'late', lateMs: 400 },
    { ...PATCH, kind: 'status', status: 429, effect: 'none' },
    { method: 'GET', path: '/v4/orders', rate: 1, times: 3, kind: 'status', status: 500 },
  ]);
  const orders = await Promise.all(Array.from({ length: 8 }, place));
  await untilPrintedOnce(platen, orders);
  await platen.pass(3_600_000);
  for (const order of orders) {
    const made = await atService(platen, order);
    expect(made.filter(({ orderType }) => orderType === 'order')).toHaveLength(1);
    // Each spare draft that a lost response left is deleted after the quiet time.
    expect(made.filter(({ orderType, deleted }) => orderType === 'draft' && deleted !== true)).toEqual([]);
    expect(made.length).toBeLessThanOrEqual((await attemptsOf(platen, order)).length);
  }
  const attempts = (await Promise.all(orders.map((order) => attemptsOf(platen, order)))).flat();
  expect(attempts.length).toBeGreaterThan(orders.length);
});

test('three workers that process the same print order create one order and delete their spare drafts', async () => {
  const { order, printOrder } = await placeUnsubmitted(platen);
  await untilNoDueJobs(platen, order);
  await injectFaults(platen, []);
  const { id: printOrderId } = printOrder;
  await platen.during(Promise.all([1, 2, 3].map(() => submitPrintOrder(platen.app, { printOrderId }))));
  await untilPrintedOnce(platen, [order]);
  const made = await atService(platen, order);
  expect(made.filter(({ orderType, deleted }) => orderType === 'draft' && deleted !== true)).toEqual([]);
  expect(made.length).toBeLessThanOrEqual((await attemptsOf(platen, order)).length);
});

/** Places an order whose first print order has a shipping method that the service no longer offers. */
async function placeWithWithdrawnMethod(): Promise<PlacedOrder> {
  const { order, printOrder } = await placeUnsubmitted(platen);
  await untilNoDueJobs(platen, order);
  const body = { ...decryptBody(platen.app, printOrder), shipmentMethodUid: 'gone_method' };
  const bodyEncrypted = sealBody(platen.app, printOrder.reference, body);
  await platen.app.db.manager.update(PrintOrders, { id: printOrder.id }, { bodyEncrypted, bodySha256: hashBody(body) });
  return order;
}

test('an order whose shipping method is no longer offered is quoted again once, then held, and quoted again on request', async () => {
  const [order, twice] = [await placeWithWithdrawnMethod(), await placeWithWithdrawnMethod()];
  const [before] = await printOrdersOf(platen, twice);
  const { id: _id, ...copy } = { ...before, part: 9, reference: `before-${before?.id}`, state: 'canceled' };
  const at = platen.app.clock.now();
  const closed = { ...copy, closedAt: at, fencedAt: at, closedReason: 'method_gone' };
  await platen.app.db.manager.insert(PrintOrders, closed as never);
  // The service refuses the create request of the first print order. Its successor is created.
  await injectFaults(platen, []);
  await untilPrintOrder(platen, order, ({ part, closedReason }) => part === 1 && closedReason === 'method_gone');
  await untilPrintOrder(platen, order, ({ part, confirmedAt }) => part === 2 && confirmedAt !== null);
  expect(await platen.printedFor(order.name)).toHaveLength(1);

  const { holds } = await platen.untilState(twice.id, 'held');
  const message = expect.stringContaining('Shipping method: ');
  expect(holds).toMatchObject([{ code: 'create_refused', field: 'shipmentMethodUid', message }]);
  await act(platen, twice, 'retry');
  await untilPrintOrder(platen, twice, ({ part, confirmedAt }) => part === 2 && confirmedAt !== null);
  expect(await platen.printedFor(twice.name)).toHaveLength(1);
});
