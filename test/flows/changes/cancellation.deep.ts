import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { startPlaten, type Platen, type PlacedOrder } from '../../helpers/platen.ts';
import { act as byHand } from './manual-actions.ts';
import { placeAtStage, clearStage, printedOnce, runScheduledJobs, readServiceState, stages } from './order-stages.ts';
import {
  atService,
  attemptsOf,
  changeLink,
  injectFaults,
  requestReplan,
  deviationsOf,
  printOrdersOf,
  untilPrintOrder,
  untilNoDueJobs,
} from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

const PHONE_CASE = 'phonecase_apple_iphone-13promax_flexi_transparent_satin';
const SHIRT = 'apparel_product_gca_t-shirt_gsc_crewneck_gcu_unisex_gqa_classic_gsi_l_gco_white_gpr_4-0';

let platen: Platen;

beforeAll(async () => {
  const environment = { PRINT_TIMEOUT_SECONDS: '1', SUBMIT_DEADLINE_SECONDS: '1', SUBMIT_QUIET_SECONDS: '3' };
  platen = await startPlaten({ advanceSeconds: null, environment });
});
afterAll(() => platen.stop());
afterEach(() => clearStage(platen));

const act = (order: PlacedOrder, endpoint: string, body: object = {}) =>
  platen.control('store', 'POST', `/orders/${encodeURIComponent(order.id)}/${endpoint}`, body);

/** Returns the store's request status for an order with one fulfillment order. */
async function requestStatusOf(order: PlacedOrder): Promise<string | undefined> {
  return (await platen.storeOrder(order.id)).fulfillmentOrders.at(-1)?.requestStatus;
}

async function untilRequestStatus(order: PlacedOrder, requestStatus: string): Promise<void> {
  const look = async () => {
    await runScheduledJobs(platen, 1);
    return requestStatusOf(order);
  };
  await eventually(look).toBe(requestStatus);
}

async function timelineMessages(order: PlacedOrder, kind: string): Promise<string[]> {
  const rows: { message: string }[] = await platen.app.db.query(
    `select t.message from timeline_entries t join storefront_orders o on o.id = t.storefront_order_id
     where o.shopify_order_id = $1 and t.kind = $2 order by t.id`,
    [order.id, kind],
  );
  return rows.map(({ message }) => message);
}

const codesOf = async (order: PlacedOrder) => (await platen.listed(order.id)).holds.map(({ code }) => code);

/** Expects that the service has no live print order for this order, and that no scheduled job creates one. */
async function expectNothingPrinted(order: PlacedOrder): Promise<void> {
  await runScheduledJobs(platen, 2);
  const live = (await atService(platen, order)).filter(
    ({ deleted, fulfillmentStatus }) => deleted !== true && fulfillmentStatus !== 'canceled',
  );
  expect(live).toEqual([]);
  for (const { fencedAt } of await printOrdersOf(platen, order)) expect(fencedAt).not.toBeNull();
  for (const { cancelRefusedAt } of await deviationsOf(platen, order)) expect(cancelRefusedAt).toBeNull();
  expect((await platen.storeOrder(order.id)).fulfillments).toEqual([]);
}

/** Expects that the order at the service does not change, and that Platen still follows the order and fulfills it in the store. */
async function expectUnchangedAndFulfilled(order: PlacedOrder): Promise<void> {
  const before = await readServiceState(platen, order);
  await runScheduledJobs(platen, 2);
  expect(await readServiceState(platen, order)).toBe(before);
  for (const { id, fulfillmentStatus } of await printedOnce(platen, order))
    if (fulfillmentStatus !== 'shipped')
      await platen.control('print', 'POST', `/orders/${id}/advance`, { to: 'shipped' });
  const fulfilled = async () => {
    await runScheduledJobs(platen, 1);
    return (await platen.storeOrder(order.id)).fulfillments.length;
  };
  await eventually(fulfilled).toBe(1);
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

async function untilCodes(order: PlacedOrder, codes: string[]): Promise<void> {
  const look = async () => {
    await runScheduledJobs(platen, 1);
    return codesOf(order);
  };
  await eventually(look).toEqual(codes);
}

describe('the first direct orders of an account, whose absence no search can prove yet', () => {
  test.each(['request-cancellation', 'cancel'])(
    'a first direct order is canceled (%s) after someone confirms that the service does not have the order',
    async (endpoint) => {
      const order = await placeWithLostResponse();
      await act(order, endpoint);
      await untilCodes(order, ['outcome_unknown']);
      await runScheduledJobs(platen, 2);
      expect(await requestStatusOf(order)).toBe('CANCELLATION_REQUESTED');
      expect(await timelineMessages(order, 'held')).toHaveLength(1);
      await byHand(platen, order, 'print-again');
      await untilRequestStatus(order, 'CANCELLATION_ACCEPTED');
      await expectNothingPrinted(order);
      expect(await codesOf(order)).toEqual([]);
      expect(await attemptsOf(platen, order)).toHaveLength(1);
    },
  );

  test('a first direct order is canceled once a search that finds another order proves that the first one is absent', async () => {
    const order = await placeWithLostResponse();
    await act(order, 'request-cancellation');
    await untilCodes(order, ['outcome_unknown']);
    await clearStage(platen);
    const known = await platen.placeSkus({ 'MUG-11OZ': 1 });
    await platen.untilState(known.id, 'printing');
    await untilRequestStatus(order, 'CANCELLATION_ACCEPTED');
    await expectNothingPrinted(order);
    expect(await codesOf(order)).toEqual([]);
    expect(await attemptsOf(platen, order)).toHaveLength(1);
  });
});

test('an order that later searches use as a control is printed', async () => {
  // A search proves that an order is absent only if it also finds a known order.
  const known = await platen.placeSkus({ 'MUG-11OZ': 1 });
  await platen.untilState(known.id, 'printing');
});

describe.each(stages.filter(({ name }) => name !== 'waiting for the delay'))('an order $name', (stage) => {
  const isLate = stage.advanceTo !== undefined;

  test('the merchant’s cancellation request cancels the order unless printing has already started', async () => {
    const order = await placeAtStage(platen, stage);
    await act(order, 'request-cancellation', { message: 'The buyer changed their mind.' });
    // Tracking codes are not pushed to the store before the cancellation request is answered.
    if (stage.advanceTo === 'shipped') await eventually(() => requestStatusOf(order)).toBe('CANCELLATION_REJECTED');
    await runScheduledJobs(platen, 1);
    await clearStage(platen);
    if (!isLate) {
      await untilRequestStatus(order, 'CANCELLATION_ACCEPTED');
      await expectNothingPrinted(order);
      expect(await timelineMessages(order, 'cancellation_accepted')).toHaveLength(1);
      expect(await timelineMessages(order, 'cancellation_rejected')).toEqual([]);
      expect(await codesOf(order)).toEqual([]);
      expect((await attemptsOf(platen, order)).length).toBeLessThanOrEqual(2);
      return;
    }
    await untilRequestStatus(order, 'CANCELLATION_REJECTED');
    const [rejection] = await timelineMessages(order, 'cancellation_rejected');
    const why = stage.advanceTo === 'shipped' ? 'it has left the print service' : 'is already printing it';
    expect(rejection).toContain(why);
    expect(rejection).toContain('agree with the buyer');
    if (stage.advanceTo !== 'shipped') expect(await codesOf(order)).toEqual(['cannot_cancel']);
    await expectUnchangedAndFulfilled(order);
    expect(await timelineMessages(order, 'cancellation_rejected')).toHaveLength(1);
  });

  test('canceling the order in the store cancels the print order unless printing has already started', async () => {
    const order = await placeAtStage(platen, stage);
    await act(order, 'cancel');
    if (stage.advanceTo === 'shipped') await eventually(() => requestStatusOf(order)).toBe('CANCELLATION_REJECTED');
    await runScheduledJobs(platen, 1);
    await clearStage(platen);
    await untilRequestStatus(order, isLate ? 'CANCELLATION_REJECTED' : 'CANCELLATION_ACCEPTED');
    if (!isLate) return expectNothingPrinted(order);
    const before = await readServiceState(platen, order);
    await runScheduledJobs(platen, 2);
    // Platen sends at most one cancel request to the service, however often it plans the order.
    expect(await timelineMessages(order, 'cancel_requested')).toHaveLength(stage.advanceTo === 'shipped' ? 0 : 1);
    expect(await readServiceState(platen, order)).toBe(before);
    expect(await codesOf(order)).toEqual(['cannot_cancel']);
  });
});

test('an order that is proven absent is sent once more, unless it has been refunded', async () => {
  const order = await placeWithLostResponse();
  const other = await placeWithLostResponse();
  await act(order, 'refund');
  const sent = async () => {
    await runScheduledJobs(platen, 1);
    const [printOrder] = await printOrdersOf(platen, order);
    return [printOrder?.fencedAt instanceof Date, (await printedOnce(platen, other)).length];
  };
  await eventually(sent).toEqual([true, 1]);
  await expectNothingPrinted(order);
  expect(await attemptsOf(platen, order)).toHaveLength(1);
  expect(await printedOnce(platen, other)).toHaveLength(1);
});

test('a canceled fulfillment order is printed again only if the merchant requests its fulfillment again', async () => {
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await platen.untilState(order.id, 'printing');
  await act(order, 'request-cancellation');
  await untilRequestStatus(order, 'CANCELLATION_ACCEPTED');
  await expectNothingPrinted(order);
  await act(order, 'request-fulfillment');
  const references = async () => {
    await runScheduledJobs(platen, 1);
    const printed = await printedOnce(platen, order);
    return printed.map(({ fulfillmentStatus }) => fulfillmentStatus).toSorted();
  };
  await eventually(references).toEqual(['canceled', 'created']);
  expect(new Set((await printedOnce(platen, order)).map((one) => one.orderReferenceId)).size).toBe(2);
});

test('a second late cancellation request is rejected like the first one, and Platen sends the service no further cancel request', async () => {
  const order = await platen.placeSkus({ 'POSTER-13X18': 1 });
  await platen.untilState(order.id, 'printing');
  for (const { id } of await printedOnce(platen, order))
    await platen.control('print', 'POST', `/orders/${id}/advance`, { to: 'printed' });
  await act(order, 'request-cancellation');
  await untilRequestStatus(order, 'CANCELLATION_REJECTED');
  await act(order, 'request-cancellation');
  await eventually(() => timelineMessages(order, 'cancellation_rejected')).toHaveLength(2);
  expect(await requestStatusOf(order)).toBe('CANCELLATION_REJECTED');
  expect(await timelineMessages(order, 'cancel_requested')).toHaveLength(1);
  // Canceling the order in the store causes no further cancel request to the service.
  await act(order, 'cancel');
  await eventually(() => timelineMessages(order, 'cancellation_rejected')).toHaveLength(3);
  await runScheduledJobs(platen, 2);
  expect(await timelineMessages(order, 'cancel_requested')).toHaveLength(1);
  expect(await codesOf(order)).toEqual(['cannot_cancel']);
});

test('an order that is canceled while its parcel is in transit is held until someone resolves the hold, and is not held again', async () => {
  const variants = (await platen.control('store', 'GET', '/variants')) as { sku: string; variantId: string }[];
  const { variantId = '' } = variants.find(({ sku }) => sku === 'TSHIRT-M') ?? {};
  const stock = `/variants/${encodeURIComponent(variantId)}/stock`;
  await changeSettings(platen.app, platen.shop, { gatherSeconds: 3600 });
  await platen.control('store', 'POST', stock, { location: 'own' });
  const order = await platen.placeSkus({ 'TSHIRT-M': 1 });
  await platen.untilState(order.id, 'printing');
  await platen.control('store', 'POST', stock, { location: 'service' });
  for (const { id } of await printedOnce(platen, order))
    await platen.control('print', 'POST', `/orders/${id}/advance`, { to: 'shipped' });
  await untilPrintOrder(platen, order, ({ state }) => state === 'shipped');
  await act(order, 'cancel');
  await eventually(() => codesOf(order)).toEqual(['cannot_cancel']);
  const [hold] = (await platen.listed(order.id)).holds;
  expect(hold?.message).toBe('This print order could not be canceled: it is already on its way.');
  expect(await timelineMessages(order, 'cancel_requested')).toEqual([]);
  await byHand(platen, order, 'continue');
  for (let again = 0; again < 2; again += 1) {
    await requestReplan(platen, order);
    await untilNoDueJobs(platen, order);
  }
  expect(await codesOf(order)).toEqual([]);
  await changeSettings(platen.app, platen.shop, { gatherSeconds: 0 });
});

test('a cancellation request stays accepted and nothing is printed, even if the store’s response to the acceptance is lost', async () => {
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await platen.untilState(order.id, 'printing');
  const lost = { operation: 'AcceptCancellationRequest', kind: 'reset', effect: 'done', rate: 1, times: 1 };
  await injectFaults(platen, [lost], 'store');
  await act(order, 'request-cancellation');
  await untilRequestStatus(order, 'CANCELLATION_ACCEPTED');
  await runScheduledJobs(platen, 2);
  await injectFaults(platen, [], 'store');
  await expectNothingPrinted(order);
  expect(await requestStatusOf(order)).toBe('CANCELLATION_ACCEPTED');
});

test('a cancellation request that arrives after one of two print orders is printed cancels the other one, and the response names both', async () => {
  const order = await platen.placeSkus({ 'BOOK-28': 1, 'MUG-11OZ': 1 });
  await platen.untilState(order.id, 'printing');
  await eventually(() => printedOnce(platen, order)).toHaveLength(2);
  const [printed, other] = await printedOnce(platen, order);
  await platen.control('print', 'POST', `/orders/${printed?.id}/advance`, { to: 'printed' });
  await act(order, 'request-cancellation');
  await untilRequestStatus(order, 'CANCELLATION_REJECTED');
  const [rejection] = await timelineMessages(order, 'cancellation_rejected');
  expect(rejection).toContain(`${printed?.orderReferenceId} cannot be canceled`);
  expect(rejection).toContain(other?.orderReferenceId);
  await runScheduledJobs(platen, 3);
  const states = (await atService(platen, order)).filter(({ orderType }) => orderType === 'order');
  expect(states.map(({ id, fulfillmentStatus }) => [id, fulfillmentStatus])).toEqual(
    expect.arrayContaining([
      [printed?.id, 'printed'],
      [other?.id, 'canceled'],
    ]),
  );
  expect(states).toHaveLength(2);
  // A retry does not restart the canceled print order. The response names the action that does: "Approve".
  const { done } = await byHand(platen, order, 'retry');
  expect(done.join(' ')).toContain('Choose "Approve"');
  await runScheduledJobs(platen, 3);
  expect(await printedOnce(platen, order)).toHaveLength(2);
  await byHand(platen, order, 'approve');
  const statuses = async () => {
    await runScheduledJobs(platen, 1);
    return (await printedOnce(platen, order)).map(({ fulfillmentStatus }) => fulfillmentStatus).toSorted();
  };
  await eventually(statuses).toEqual(['canceled', 'created', 'printed']);
});

test('a cancellation request that arrives after one of two connected parts is printed cancels the other one, and the response names both', async () => {
  await changeLink(platen, 'TSHIRT-L', { productUid: PHONE_CASE });
  const order = await platen.placeSkus({ 'TSHIRT-L': 1, 'POSTER-13X18': 1 });
  await platen.untilState(order.id, 'printing');
  await changeLink(platen, 'TSHIRT-L', { productUid: SHIRT });
  const [first, second] = await printedOnce(platen, order);
  await platen.control('print', 'POST', `/orders/${first?.id}/advance`, { to: 'printed' });
  await act(order, 'request-cancellation');
  await untilRequestStatus(order, 'CANCELLATION_REJECTED');
  const [deviation] = await deviationsOf(platen, order);
  expect(deviation?.cancelRefusedWhy).toBe(
    `the print service is already printing it (part ${first?.id}; canceled in time: part ${second?.id})`,
  );
  expect(await timelineMessages(order, 'cancellation_rejected')).toEqual([
    expect.stringContaining(`canceled in time: part ${second?.id}`),
  ]);
});

test('a cancellation request for an order without a live print order is accepted immediately', async () => {
  await changeSettings(platen.app, platen.shop, { submitsRequests: true });
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await platen.untilState(order.id, 'printing');
  const [printed] = await printedOnce(platen, order);
  // Someone cancels the print order in the service's dashboard, so nothing is left to cancel.
  await platen.control('print', 'POST', `/orders/${printed?.id}/advance`, { to: 'canceled' });
  await platen.untilState(order.id, 'held');
  await act(order, 'request-cancellation');
  await untilRequestStatus(order, 'CANCELLATION_ACCEPTED');
  expect(await timelineMessages(order, 'cancellation_accepted')).toEqual([
    'The fulfillment was canceled: Nothing has been printed.',
  ]);
});

test('a poll finds a cancellation request whose callback and webhook were lost', async () => {
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await platen.untilState(order.id, 'printing');
  await platen.control('store', 'POST', '/webhooks', { drop: 1 });
  await act(order, 'request-cancellation');
  await platen.control('store', 'POST', '/webhooks', { drop: 0 });
  const { catchUpFulfillmentRequests } = await import('../../../src/orders/intake/catch-up-storefront-orders.ts');
  expect((await catchUpFulfillmentRequests(platen.app, { shopId: platen.shop.id })).found).toBeGreaterThan(0);
  await untilRequestStatus(order, 'CANCELLATION_ACCEPTED');
  await expectNothingPrinted(order);
});
