import { expect, test } from 'vitest';
import { PrintOrderLines } from '../../../src/database/entities/print-orders.ts';
import { performManualAction } from '../../../src/orders/manual-actions/perform-manual-action.ts';
import type { PlacedOrder } from '../../helpers/platen.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { liveOrders } from '../submit/earlier-interface.ts';
import { atService, injectFaults, requestReplan, untilPrintOrder, untilNoDueJobs } from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

testPlaten({ advanceSeconds: null });

async function placeSubmitted(lines: Record<string, number>, more: Record<string, unknown> = {}) {
  const order = await platen.placeSkus(lines, more);
  const printOrder = await untilPrintOrder(platen, order, ({ confirmedAt }) => confirmedAt !== null);
  const [live] = await liveOrders(platen, order);
  return { order, printOrder, id: live?.id ?? '' };
}

const advance = (id: string, to: string, more: object = {}) =>
  platen.control('print', 'POST', `/orders/${id}/advance`, { to, ...more });
const codes = async ({ id }: PlacedOrder) => (await platen.listed(id)).holds.map(({ code }) => code);
const untilCodes = (order: PlacedOrder, wanted: string[]) => eventually(() => codes(order)).toEqual(wanted);
const statuses = async ({ id }: PlacedOrder) =>
  (await platen.storeOrder(id)).fulfillmentOrders.map(({ status }) => status);
const closings = async ({ id }: PlacedOrder) =>
  (await platen.timeline(id)).filter((kind) => kind === 'closed_in_store').length;

async function close({ id }: PlacedOrder): Promise<string[]> {
  const asked = { order: id, action: 'close', printOrder: null, by: 'merchant' } as const;
  return (await performManualAction(platen.app, platen.shop, asked)).done;
}

test('an order that is canceled at the service is closed in the store on request, and is not reprinted', async () => {
  const { order, id } = await placeSubmitted({ 'POSTER-30X40': 2 });
  await advance(id, 'canceled');
  await untilCodes(order, ['service_canceled']);
  expect(await statuses(order)).toEqual(['IN_PROGRESS']);
  expect(await close(order)).toEqual(['The fulfillment of 2 of POSTER-30X40 is closed in the store.']);
  expect(await statuses(order)).toEqual(['INCOMPLETE']);
  await untilCodes(order, []);
  await requestReplan(platen, order);
  await untilNoDueJobs(platen, order);
  expect(await atService(platen, order)).toHaveLength(1);
  expect((await platen.storeOrder(order.id)).fulfillmentOrders).toMatchObject([{ requestStatus: 'CLOSED' }]);
  expect((await platen.listed(order.id)).state).toBe('nothing_to_do');

  // The second request changes nothing.
  expect(await close(order)).toEqual(['The fulfillment was already closed.']);
  expect(await closings(order)).toBe(1);
});

test('a failed line is closed only after the rest of its fulfillment order is fulfilled', async () => {
  const { order, printOrder, id } = await placeSubmitted({ 'MUG-11OZ': 1, 'TSHIRT-M': 1 });
  const mug = await platen.app.db.manager.findOneByOrFail(PrintOrderLines, {
    printOrderId: printOrder.id,
    sku: 'MUG-11OZ',
  });
  await advance(id, 'failed', { items: [mug.itemReferenceId] });
  await untilCodes(order, ['service_failed']);
  await expect(close(order)).rejects.toMatchObject({ code: 'still_printing' });
  expect(await codes(order)).toEqual(['service_failed']);
  expect(await statuses(order)).toEqual(['IN_PROGRESS']);

  await advance(id, 'shipped');
  await eventually(async () => (await platen.storeOrder(order.id)).fulfillments.length).toBe(1);
  await untilNoDueJobs(platen, order);
  expect(await close(order)).toEqual(['The fulfillment of 1 of MUG-11OZ is closed in the store.']);
  expect(await statuses(order)).toEqual(['INCOMPLETE']);
  expect(await codes(order)).toEqual([]);
  expect(await atService(platen, order)).toHaveLength(1);
});

test('a close request whose response is lost can be repeated, and closes the fulfillment order once', async () => {
  const { order, id } = await placeSubmitted({ 'POSTER-30X40': 1 });
  await advance(id, 'failed');
  await untilCodes(order, ['service_failed']);
  await untilNoDueJobs(platen, order);
  const fault = { kind: 'reset', effect: 'done', operation: 'CloseFulfillmentOrder', times: 1 };
  await injectFaults(platen, [fault], 'store');
  const first = await close(order).catch((error: unknown) => error);
  await injectFaults(platen, [], 'store');
  if (first instanceof Error) await close(order);
  expect(await statuses(order)).toEqual(['INCOMPLETE']);
  expect(await codes(order)).toEqual([]);
  expect(await closings(order)).toBe(1);
});
