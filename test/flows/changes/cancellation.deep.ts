import { afterEach, expect, test } from 'vitest';
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
import { codesOf, entriesOf, placePrinted } from './manual-actions.ts';
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

test.each(stages.filter(({ name }) => /sent directly|that succeeded/.test(name)))(
  'a cancellation request cancels an order $name',
  async (stage) => {
    // A search proves that an order does not exist only once searches have found another order.
    await placePrinted(platen);
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
