import { afterEach, expect, test } from 'vitest';
import { ServiceOrders } from '../../../src/database/entities/print-orders.ts';
import { Installations } from '../../../src/database/entities/shops.ts';
import { receiveOrder } from '../../../src/orders/intake/receive-order.ts';
import { beginQuietTimeAfterRestore } from '../../../src/shops/install/installation.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { eventually } from '../../helpers/eventually.ts';
import type { PlacedOrder } from '../../helpers/platen.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { placePrinted, untilCodes } from '../changes/manual-actions.ts';
import {
  atService,
  attemptsOf,
  changeLink,
  deletePrintingData,
  injectFaults,
  inStore,
  placeDuplicate,
  placeUnsubmitted,
  printOrdersOf,
  requestReplan,
  SEARCH_FAILS,
  untilNoDueJobs,
  untilPrintedOnce,
  untilPrintOrder,
} from './submit-helpers.ts';

testPlaten({ advanceSeconds: null });
afterEach(async () => {
  await injectFaults(platen, []);
  await changeSettings(platen.app, platen.shop, { submit: 'draft' });
  await platen.app.db.manager.update(Installations, { id: 1 }, { quietUntil: null });
});

const POSTER = 'flat_300x400-mm-12x16-inch_170-gsm-65lb-uncoated_4-0_ver';
const A4_POSTER = 'flat_210x297-mm-8x12-inch_170-gsm-65lb-uncoated_4-0_ver';

/** Deletes all data about an order, as if a backup from before the order had been restored. */
async function forget(order: PlacedOrder): Promise<void> {
  await deletePrintingData(platen, order);
  await platen.app.db.query('delete from storefront_orders where shopify_order_id = $1', [order.id]);
}

test('after a restore, Platen finds a forgotten print order at the service and prints nothing twice', async () => {
  const { order } = await placePrinted(platen);
  const [before] = await printOrdersOf(platen, order);
  const known = { reference: before?.reference, serviceOrderId: before?.serviceOrderId };
  await deletePrintingData(platen, order);
  await requestReplan(platen, order);
  await untilPrintedOnce(platen, [order]);
  expect(await printOrdersOf(platen, order)).toMatchObject([known]);
  expect(await attemptsOf(platen, order)).toEqual([]);
  expect(await platen.timeline(order.id)).toContain('adopted');

  // The reference is the same even if the restore also lost the storefront order.
  await untilNoDueJobs(platen, order);
  await forget(order);
  await receiveOrder(platen.app, platen.shop, order.id);
  await untilPrintedOnce(platen, [order]);
  expect(await printOrdersOf(platen, order)).toMatchObject([known]);
});

test('a forgotten print order that ships to an address from before a change is held', async () => {
  const { order } = await placePrinted(platen);
  await deletePrintingData(platen, order);
  const address = {
    firstName: 'Ada',
    lastName: 'Lovelace',
    address1: '1 Elm Street',
    city: 'Springfield',
    zip: '62701',
  };
  await inStore(platen, order, 'address', { shippingAddress: { ...address, provinceCode: 'IL', countryCode: 'US' } });
  await requestReplan(platen, order);
  await untilCodes(platen, order, ['changed_after_submit']);
  expect(await platen.printedFor(order.name)).toHaveLength(1);
});

test('an order is held, not reprinted, if its forgotten print order was canceled at the service', async () => {
  const { order, serviceOrderId } = await placePrinted(platen);
  await platen.control('print', 'POST', `/orders/${serviceOrderId}/advance`, { to: 'canceled' });
  await platen.untilState(order.id, 'held');
  await untilNoDueJobs(platen, order);
  await deletePrintingData(platen, order);
  await requestReplan(platen, order);
  await untilCodes(platen, order, ['service_canceled']);
  expect(await atService(platen, order)).toHaveLength(1);
});

test('a draft without a recorded attempt is deleted, and nothing is created before the quiet time has passed', async () => {
  const { order, printOrder } = await placeUnsubmitted(platen);
  const draft = await placeDuplicate(platen, printOrder, { orderType: 'draft' });
  await injectFaults(platen, []);
  await eventually(async () => (await atService(platen, order)).map(({ deleted }) => deleted)).toEqual([true]);
  await untilPrintedOnce(platen, [order]);
  const [attempt] = await attemptsOf(platen, order);
  const { seenAt } = await platen.app.db.manager.findOneByOrFail(ServiceOrders, { serviceOrderId: draft.id });
  const { submitQuietSeconds } = platen.app.config.print;
  expect((attempt?.begunAt.getTime() ?? 0) - seenAt.getTime()).toBeGreaterThanOrEqual(submitQuietSeconds * 1000);
});

test('a closed reference whose create response was lost is fenced before the successor is created', async () => {
  await injectFaults(platen, [{ path: '/v3/orders', rate: 1, times: 1, kind: 'reset', effect: 'done' }]);
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await eventually(() => atService(platen, order)).toHaveLength(1);
  await injectFaults(platen, [SEARCH_FAILS]);
  await changeLink(platen, 'POSTER-30X40', { productUid: A4_POSTER });
  await requestReplan(platen, order);
  const closed = await untilPrintOrder(platen, order, ({ closedAt }) => closedAt !== null);
  await platen.pass(600_000);
  // While searches fail, Platen cannot prove that the order is absent, so it creates no successor.
  expect(await printOrdersOf(platen, order)).toHaveLength(1);
  await injectFaults(platen, []);
  await untilPrintOrder(platen, order, ({ fencedAt }) => fencedAt !== null);
  await untilPrintedOnce(platen, [order]);
  const made = await atService(platen, order);
  expect(made.find(({ orderReferenceId }) => orderReferenceId === closed.reference)).toMatchObject({ deleted: true });
  expect(await platen.printedFor(order.name)).toMatchObject([{ items: [{ productUid: A4_POSTER }] }]);
  await changeLink(platen, 'POSTER-30X40', { productUid: POSTER });
});

const requestStatusOf = async ({ id }: PlacedOrder) =>
  (await platen.storeOrder(id)).fulfillmentOrders.at(-1)?.requestStatus;
const REQUESTED = 'CANCELLATION_REQUESTED';

/** One order's cancellation is requested, and the other order is canceled in the store. Platen knows neither. */
async function placeForgotten(): Promise<{ asked: PlacedOrder; canceled: PlacedOrder }> {
  const [asked, canceled] = [await platen.placeSkus({ 'MUG-11OZ': 2 }), await platen.placeSkus({ 'MUG-11OZ': 1 })];
  await untilPrintedOnce(platen, [asked, canceled]);
  await platen.pass(60_000);
  await platen.control('store', 'POST', '/webhooks', { drop: 1 });
  await inStore(platen, asked, 'request-cancellation');
  await inStore(platen, canceled, 'cancel');
  await platen.pass(60_000);
  await platen.control('store', 'POST', '/webhooks', { drop: 0 });
  for (const order of [asked, canceled]) await forget(order);
  await injectFaults(platen, [SEARCH_FAILS]);
  await beginQuietTimeAfterRestore(platen.app);
  for (const { id } of [asked, canceled]) await receiveOrder(platen.app, platen.shop, id);
  return { asked, canceled };
}

test('after a restore, a cancellation is accepted only once the forgotten print order was found and canceled', async () => {
  await changeSettings(platen.app, platen.shop, { submit: 'direct' });
  const { asked, canceled } = await placeForgotten();
  await platen.pass(1_800_000);
  expect(await requestStatusOf(asked)).toBe(REQUESTED);
  await injectFaults(platen, []);
  await eventually(() => requestStatusOf(asked)).toBe('CANCELLATION_ACCEPTED');
  for (const order of [asked, canceled]) {
    await untilCodes(platen, order, []);
    expect(await atService(platen, order)).toMatchObject([{ fulfillmentStatus: 'canceled' }]);
  }
});
