import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Platen } from '../../helpers/platen.ts';
import {
  atService,
  changeLink,
  runSubmitJobsNow,
  injectFaults,
  placeDuplicate,
  placeUnsubmitted,
  placeWaitingToSubmit,
  requestReplan,
  printOrdersOf,
  SEARCH_FAILS,
  startWithShortTimeouts,
  untilPrintedOnce,
  untilPrintOrder,
  untilNoDueJobs,
} from './submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

let platen: Platen;
beforeAll(async () => void (platen = await startWithShortTimeouts()));
afterAll(() => platen.stop());
afterEach(() => injectFaults(platen, []));

const A4_POSTER = 'flat_210x297-mm-8x12-inch_170-gsm-65lb-uncoated_4-0_ver';

test('a closed reference whose create response was lost is fenced before the successor is created', async () => {
  await injectFaults(platen, [{ path: '/v3/orders', rate: 1, times: 1, kind: 'reset', effect: 'done' }]);
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await eventually(() => atService(platen, order)).toHaveLength(1);
  await injectFaults(platen, [SEARCH_FAILS]);
  await changeLink(platen, 'POSTER-30X40', { productUid: A4_POSTER });
  await requestReplan(platen, order);
  const closed = await untilPrintOrder(platen, order, ({ closedAt }) => closedAt !== null);
  await untilNoDueJobs(platen, order);
  // While searches fail, Platen cannot prove that the order is absent, so it creates no successor.
  expect(await printOrdersOf(platen, order)).toHaveLength(1);
  await injectFaults(platen, []);
  await runSubmitJobsNow(platen, order);
  await untilPrintOrder(platen, order, ({ fencedAt }) => fencedAt !== null);
  await untilPrintedOnce(platen, [order]);
  const made = await atService(platen, order);
  expect(made.find(({ orderReferenceId }) => orderReferenceId === closed.reference)).toMatchObject({ deleted: true });
  expect((await platen.printedFor(order.name))[0]?.items.map(({ productUid }) => productUid)).toEqual([A4_POSTER]);
});

test('an order found under a closed reference is followed, and no successor is created', async () => {
  const { order, printOrder } = await placeUnsubmitted(platen, { 'MUG-11OZ': 1 });
  await placeDuplicate(platen, printOrder, {});
  await changeLink(platen, 'MUG-11OZ', { productUid: 'mug_product_msz_11-oz_mmat_ceramic-black_cl_4-0' });
  await requestReplan(platen, order);
  await untilPrintOrder(platen, order, ({ closedAt }) => closedAt !== null);
  await injectFaults(platen, []);
  await runSubmitJobsNow(platen, order);
  await eventually(() => platen.timeline(order.id)).toContain('adopted');
  await untilNoDueJobs(platen, order);
  // Changing the print link does not change the store's order, so Platen does not hold the order.
  expect(await platen.listed(order.id)).toMatchObject({ state: 'printing', holds: [] });
  expect(await printOrdersOf(platen, order)).toMatchObject([{ closedAt: null, fencedAt: null }]);
  expect(await platen.printedFor(order.name)).toHaveLength(1);
});

test('a print order whose lines are all refunded is closed without a successor', async () => {
  const order = await placeWaitingToSubmit(platen, { 'TSHIRT-M': 1 });
  const lines = [{ id: order.lines[0]?.id, quantity: 1 }];
  await platen.control('store', 'POST', `/orders/${encodeURIComponent(order.id)}/refund`, { lines });
  await untilPrintOrder(platen, order, ({ fencedAt }) => fencedAt !== null);
  await untilNoDueJobs(platen, order);
  await injectFaults(platen, []);
  await runSubmitJobsNow(platen, order);
  await untilNoDueJobs(platen, order);
  expect(await printOrdersOf(platen, order)).toHaveLength(1);
  expect(await atService(platen, order)).toEqual([]);
});
