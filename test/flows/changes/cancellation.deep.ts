import { afterEach, expect, test } from 'vitest';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { eventually } from '../../helpers/eventually.ts';
import type { PlacedOrder } from '../../helpers/platen.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import {
  atService,
  attemptsOf,
  changeLink,
  deviationsOf,
  injectFaults,
  inStore,
  printOrdersOf,
} from '../submit/submit-helpers.ts';
import { act, codesOf, entriesOf, placePrinted, untilCodes } from './manual-actions.ts';
import { clearStage, placeAtStage, printedOnce, stages } from './order-stages.ts';

const PHONE_CASE = 'phonecase_apple_iphone-13promax_flexi_transparent_satin';
const SHIRT = 'apparel_product_gca_t-shirt_gsc_crewneck_gcu_unisex_gqa_classic_gsi_l_gco_white_gpr_4-0';
/** Everything that Platen does about an order without another event happens within this time. */
const LONG_MS = 1_800_000;

testPlaten({ advanceSeconds: null });
afterEach(() => clearStage(platen));

const requestStatusOf = async ({ id }: PlacedOrder) =>
  (await platen.storeOrder(id)).fulfillmentOrders.at(-1)?.requestStatus;
const untilRequestStatus = (order: PlacedOrder, status: string) =>
  eventually(() => requestStatusOf(order)).toBe(status);
const requestCancellation = (order: PlacedOrder) => inStore(platen, order, 'request-cancellation');
const entries = async (order: PlacedOrder, kind: string) =>
  (await entriesOf(platen, order, kind)).map(({ message }) => message);
const statusesOf = async (order: PlacedOrder) =>
  (await printedOnce(platen, order)).map(({ fulfillmentStatus }) => fulfillmentStatus).toSorted();
const advanceTo = (printed: { id: string } | undefined, to: string) =>
  platen.control('print', 'POST', `/orders/${printed?.id}/advance`, { to });

/** Expects that the service has no live print order for this order, and that no later job creates one. */
async function expectNothingPrinted(order: PlacedOrder): Promise<void> {
  await platen.pass(LONG_MS);
  const live = (await atService(platen, order)).filter(
    ({ deleted, fulfillmentStatus }) => deleted !== true && fulfillmentStatus !== 'canceled',
  );
  expect(live).toEqual([]);
  for (const { fencedAt } of await printOrdersOf(platen, order)) expect(fencedAt).not.toBeNull();
  expect(await codesOf(platen, order)).toEqual([]);
  expect((await platen.storeOrder(order.id)).fulfillments).toEqual([]);
}

/** Places an order whose direct create request has no effect and whose response is lost. */
async function placeWithLostResponse(): Promise<PlacedOrder> {
  await changeSettings(platen.app, platen.shop, { submit: 'direct' });
  await injectFaults(platen, [{ method: 'POST', path: '/v3/orders', rate: 1, kind: 'reset', effect: 'none' }]);
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await eventually(async () => (await printOrdersOf(platen, order))[0]?.state).toBe('uncertain');
  await injectFaults(platen, []);
  return order;
}

test('an account’s first direct orders are canceled once someone confirms their absence, or a search that finds another order proves it', async () => {
  const [confirmed, proven] = [await placeWithLostResponse(), await placeWithLostResponse()];
  for (const order of [confirmed, proven]) {
    await requestCancellation(order);
    await untilCodes(platen, order, ['outcome_unknown']);
  }
  await platen.pass(LONG_MS);
  for (const order of [confirmed, proven]) {
    expect(await requestStatusOf(order)).toBe('CANCELLATION_REQUESTED');
    expect(await entries(order, 'held')).toHaveLength(1);
  }
  await clearStage(platen);
  await act(platen, confirmed, 'print-again');
  await untilRequestStatus(confirmed, 'CANCELLATION_ACCEPTED');
  expect(await requestStatusOf(proven)).toBe('CANCELLATION_REQUESTED');
  await placePrinted(platen);
  await untilRequestStatus(proven, 'CANCELLATION_ACCEPTED');
  for (const order of [confirmed, proven]) {
    await expectNothingPrinted(order);
    expect(await attemptsOf(platen, order)).toHaveLength(1);
  }
});

test.each(stages.filter(({ name }) => /created, with a lost|that succeeded/.test(name)))(
  'a cancellation request cancels an order $name',
  async (stage) => {
    const order = await placeAtStage(platen, stage);
    await requestCancellation(order);
    await clearStage(platen);
    await untilRequestStatus(order, 'CANCELLATION_ACCEPTED');
    await expectNothingPrinted(order);
    expect(await entries(order, 'cancellation_accepted')).toHaveLength(1);
    expect(await entries(order, 'cancellation_rejected')).toEqual([]);
    expect((await attemptsOf(platen, order)).length).toBeLessThanOrEqual(2);
  },
);

test('an order that is proven absent is sent once more, unless it has been refunded', async () => {
  const [order, other] = [await placeWithLostResponse(), await placeWithLostResponse()];
  await inStore(platen, order, 'refund');
  const sent = async () => {
    const [printOrder] = await printOrdersOf(platen, order);
    return [printOrder?.fencedAt instanceof Date, (await printedOnce(platen, other)).length];
  };
  await eventually(sent).toEqual([true, 1]);
  await expectNothingPrinted(order);
  expect(await attemptsOf(platen, order)).toHaveLength(1);
  expect(await printedOnce(platen, other)).toHaveLength(1);
});

test('a canceled fulfillment order is printed again only if the merchant requests its fulfillment again, even if the response to the acceptance was lost', async () => {
  const { order } = await placePrinted(platen);
  const lost = { operation: 'AcceptCancellationRequest', kind: 'reset', effect: 'done', rate: 1, times: 1 };
  await injectFaults(platen, [lost], 'store');
  await requestCancellation(order);
  await untilRequestStatus(order, 'CANCELLATION_ACCEPTED');
  await expectNothingPrinted(order);
  expect(await requestStatusOf(order)).toBe('CANCELLATION_ACCEPTED');
  await injectFaults(platen, [], 'store');
  await inStore(platen, order, 'request-fulfillment');
  await eventually(() => statusesOf(order)).toEqual(['canceled', 'created']);
  expect(new Set((await printedOnce(platen, order)).map((one) => one.orderReferenceId)).size).toBe(2);
});

test('late cancellation requests are rejected with the reason, and Platen sends the service only one cancel request', async () => {
  const { order, serviceOrderId } = await placePrinted(platen);
  await advanceTo({ id: serviceOrderId }, 'printed');
  await requestCancellation(order);
  await untilRequestStatus(order, 'CANCELLATION_REJECTED');
  const [rejection] = await entries(order, 'cancellation_rejected');
  expect(rejection).toMatch(/is already printing it.*agree with the buyer/);
  await requestCancellation(order);
  await eventually(() => entries(order, 'cancellation_rejected')).toHaveLength(2);
  await inStore(platen, order, 'cancel');
  await eventually(() => entries(order, 'cancellation_rejected')).toHaveLength(3);
  await platen.pass(LONG_MS);
  expect(await entries(order, 'cancel_requested')).toHaveLength(1);
  expect(await codesOf(platen, order)).toEqual(['cannot_cancel']);
  await advanceTo({ id: serviceOrderId }, 'shipped');
  await eventually(async () => (await platen.storeOrder(order.id)).fulfillments.length).toBe(1);
});

test('a cancellation request that arrives after one of two print orders is printed cancels the other one, and the response names both', async () => {
  const order = await platen.placeSkus({ 'BOOK-28': 1, 'MUG-11OZ': 1 });
  await eventually(() => printedOnce(platen, order)).toHaveLength(2);
  await platen.untilState(order.id, 'printing');
  const [printed, other] = await printedOnce(platen, order);
  await advanceTo(printed, 'printed');
  await requestCancellation(order);
  await untilRequestStatus(order, 'CANCELLATION_REJECTED');
  const [rejection] = await entries(order, 'cancellation_rejected');
  expect(rejection).toContain(`${printed?.orderReferenceId} cannot be canceled`);
  expect(rejection).toContain(other?.orderReferenceId);
  await platen.pass(LONG_MS);
  expect(await statusesOf(order)).toEqual(['canceled', 'printed']);
  // A retry does not restart the canceled print order. The response names the action that does: "Approve".
  const { done } = await act(platen, order, 'retry');
  expect(done.join(' ')).toContain('Choose "Approve"');
  await platen.pass(LONG_MS);
  expect(await printedOnce(platen, order)).toHaveLength(2);
  await act(platen, order, 'approve');
  await eventually(() => statusesOf(order)).toEqual(['canceled', 'created', 'printed']);
});

test('a cancellation request that arrives after one of two connected parts is printed cancels the other one, and the response names both', async () => {
  await changeLink(platen, 'TSHIRT-L', { productUid: PHONE_CASE });
  const order = await platen.placeSkus({ 'TSHIRT-L': 1, 'POSTER-13X18': 1 });
  await platen.untilState(order.id, 'printing');
  await changeLink(platen, 'TSHIRT-L', { productUid: SHIRT });
  const [first, second] = await printedOnce(platen, order);
  await advanceTo(first, 'printed');
  await requestCancellation(order);
  await untilRequestStatus(order, 'CANCELLATION_REJECTED');
  const inTime = `canceled in time: part ${second?.id}`;
  const [deviation] = await deviationsOf(platen, order);
  expect(deviation?.cancelRefusedWhy).toBe(`the print service is already printing it (part ${first?.id}; ${inTime})`);
  expect(await entries(order, 'cancellation_rejected')).toEqual([expect.stringContaining(inTime)]);
});
