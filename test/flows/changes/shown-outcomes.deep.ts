import { expect, test } from 'vitest';
import { PrintOrderLines } from '../../../src/database/entities/print-orders.ts';
import { findOrder } from '../../../src/orders/manual-actions/find-order.ts';
import { showOrder } from '../../../src/orders/manual-actions/show-order.ts';
import type { PlacedOrder } from '../../helpers/platen.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { act, untilCodes } from './manual-actions.ts';
import { inStore, printOrdersOf, untilNoDueJobs } from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

testPlaten({ advanceSeconds: null });

async function placePrinting(lines: Record<string, number>) {
  const order = await platen.placeSkus(lines);
  await platen.untilState(order.id, 'printing');
  await untilNoDueJobs(platen, order);
  const [printed] = await platen.printedFor(order.name);
  const [printOrder] = await printOrdersOf(platen, order);
  const own = await platen.app.db.manager.findBy(PrintOrderLines, { printOrderId: printOrder?.id ?? '' });
  return {
    order,
    itemOf: (sku: string) => own.find((line) => line.sku === sku)?.itemReferenceId ?? '',
    advance: (to: string, more: object = {}) =>
      platen.control('print', 'POST', `/orders/${printed?.id}/advance`, { to, ...more }),
  };
}

async function shown({ id }: PlacedOrder) {
  const { state, reason } = await showOrder(platen.app, await findOrder(platen.app, platen.shop, id));
  return { state, reason: reason?.code ?? null };
}
const untilShown = (order: PlacedOrder, state: string, reason: string) =>
  eventually(() => shown(order)).toEqual({ state, reason });
const fulfillments = async ({ id }: PlacedOrder) => (await platen.storeOrder(id)).fulfillments.length;

test('closing an order that failed after a parcel shipped reports only the lines that did not ship', async () => {
  const { order, itemOf, advance } = await placePrinting({ 'MUG-11OZ': 1, 'TSHIRT-M': 2 });
  await advance('printed', { packages: [{ items: [itemOf('MUG-11OZ')], trackingCode: 'MUG-1' }] });
  await eventually(() => fulfillments(order)).toBe(1);
  await advance('failed');
  await untilCodes(platen, order, ['service_failed']);
  const { done } = await act(platen, order, 'close');
  expect(done).toEqual(['The fulfillment of 2 of TSHIRT-M is closed in the store.']);
  await untilShown(order, 'fulfilled', 'closed_in_store');
});

test('a refunded order with one shipped item stays in progress until its other items have shipped', async () => {
  const { order, itemOf, advance } = await placePrinting({ 'MUG-11OZ': 1, 'TSHIRT-M': 2 });
  await inStore(platen, order, 'refund');
  await untilCodes(platen, order, ['changed_after_submit']);
  await act(platen, order, 'continue');
  await advance('printed', { packages: [{ items: [itemOf('MUG-11OZ')], trackingCode: 'MUG-1' }] });
  await eventually(() => platen.timeline(order.id)).toContain('nothing_to_fulfill');
  await untilNoDueJobs(platen, order);
  expect((await shown(order)).state).toBe('printing');
  await advance('shipped', { packages: [{ items: [itemOf('TSHIRT-M')], trackingCode: 'SHIRT-1' }] });
  await untilShown(order, 'nothing_to_do', 'refunded');
});
