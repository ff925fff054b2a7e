import { afterEach, describe, expect, test } from 'vitest';
import { PrintOrders } from '../../../src/database/entities/print-orders.ts';
import { auditPrintAccount } from '../../../src/orders/follow/audit-print-account.ts';
import { computeReference } from '../../../src/orders/facts/compute-reference.ts';
import { readInstallation } from '../../../src/shops/install/installation.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { eventually } from '../../helpers/eventually.ts';
import type { PlacedOrder } from '../../helpers/platen.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import {
  atService,
  injectFaults,
  inStore,
  placeDuplicate,
  placeUnsubmitted,
  printOrdersOf,
  requestReplan,
  untilNoDueJobs,
  untilPrintOrder,
} from '../submit/submit-helpers.ts';
import { act, codesOf, entriesOf, placePrinted, untilCodes } from './manual-actions.ts';

testPlaten({ advanceSeconds: null });
afterEach(async () => {
  await injectFaults(platen, []);
  await changeSettings(platen.app, platen.shop, { release: 'automatic', submit: 'draft' });
});

const place = () => platen.placeSkus({ 'POSTER-30X40': 1 });
const advance = (id: string | undefined | null, to: string, more: object = {}) =>
  platen.control('print', 'POST', `/orders/${id}/advance`, { to, ...more });
const refusedAs = (code: string) => ({ name: 'NotPossibleError', code });
const untilFenced = (order: PlacedOrder) => untilPrintOrder(platen, order, ({ fencedAt }) => fencedAt !== null);
/** Waits until a second print order of the order is at the service. */
const untilPrintedAgain = (order: PlacedOrder) =>
  untilPrintOrder(platen, order, ({ part, confirmedAt }) => part === 2 && confirmedAt !== null);
const liveOf = async ({ name }: PlacedOrder) =>
  (await platen.printedFor(name)).filter(({ fulfillmentStatus }) => fulfillmentStatus !== 'canceled');

async function replan(order: PlacedOrder): Promise<void> {
  await requestReplan(platen, order);
  await untilNoDueJobs(platen, order);
}

describe('an order that is not sent yet', () => {
  test('an order put on hold by hand is not sent until it is approved, but an order that was already sent is not recalled', async () => {
    const { order } = await placeUnsubmitted(platen);
    const { done } = await act(platen, order, 'hold');
    const says = `${order.name} is on hold: Platen sends no further items of the order until it is approved.`;
    expect(done).toEqual([says]);
    await injectFaults(platen, []);
    await untilCodes(platen, order, ['held_by_hand']);
    await untilNoDueJobs(platen, order);
    expect(await atService(platen, order)).toEqual([]);
    await act(platen, order, 'hold');
    expect(await entriesOf(platen, order, 'held_by_hand')).toMatchObject([{ by: 'merchant' }]);
    await act(platen, order, 'approve');
    await platen.untilState(order.id, 'printing');
    const again = await act(platen, order, 'hold');
    expect(again.done.at(-1)).toMatch(/was already sent to print and is not recalled/);
    expect(await platen.printedFor(order.name)).toHaveLength(1);
  });

  test('an order with a refused quote, create or confirm request is printed once when someone retries it', async () => {
    const refused = { rate: 1, times: 1, kind: 'status', status: 400 };
    await injectFaults(platen, [
      { ...refused, method: 'POST', path: '/v4/orders:quote' },
      { ...refused, method: 'POST', path: '/v3/orders' },
      { ...refused, method: 'PATCH', path: '/v4/orders' },
    ]);
    const orders: PlacedOrder[] = [];
    for (const code of ['quote_refused', 'create_refused', 'confirm_refused']) {
      const order = await place();
      await untilCodes(platen, order, [code]);
      expect(await platen.printedFor(order.name)).toEqual([]);
      orders.push(order);
    }
    for (const order of orders) await act(platen, order, 'retry');
    for (const order of orders) {
      await platen.untilState(order.id, 'printing');
      await act(platen, order, 'retry');
      await untilNoDueJobs(platen, order);
      expect(await platen.printedFor(order.name)).toHaveLength(1);
      expect((await entriesOf(platen, order, 'retried')).every(({ by }) => by === 'merchant')).toBe(true);
    }
  });
});

describe('an order that was sent', () => {
  test('canceling an order by hand cancels it permanently at the service, leaves it open in the store, and "print-again" prints it once more', async () => {
    const { order, serviceOrderId } = await placePrinted(platen);
    const { done } = await act(platen, order, 'cancel');
    expect(done[0]).toMatch(/This does not cancel the order in the store/);
    await untilFenced(order);
    await replan(order);
    expect(await printOrdersOf(platen, order)).toHaveLength(1);
    expect(await atService(platen, order)).toMatchObject([{ id: serviceOrderId, fulfillmentStatus: 'canceled' }]);
    expect((await platen.storeOrder(order.id)).cancelledAt).toBeNull();
    await act(platen, order, 'cancel');
    expect(await entriesOf(platen, order, 'canceled_by_hand')).toHaveLength(1);
    await act(platen, order, 'print-again');
    await untilPrintedAgain(order);
    await untilNoDueJobs(platen, order);
    expect(await liveOf(order)).toHaveLength(1);
  });

  test('an order that has already been printed cannot be canceled and is held until someone chooses "continue"', async () => {
    const { order, serviceOrderId } = await placePrinted(platen);
    await advance(serviceOrderId, 'printed');
    await act(platen, order, 'cancel');
    await untilCodes(platen, order, ['cannot_cancel']);
    await replan(order);
    await act(platen, order, 'continue');
    await untilCodes(platen, order, []);
    await replan(order);
    expect(await codesOf(platen, order)).toEqual([]);
    expect(await platen.printedFor(order.name)).toHaveLength(1);
  });

  test('an order that was canceled at the service is reprinted once on request, under a new reference', async () => {
    const { order, serviceOrderId } = await placePrinted(platen);
    await advance(serviceOrderId, 'canceled');
    await untilCodes(platen, order, ['service_canceled']);
    await replan(order);
    expect(await printOrdersOf(platen, order)).toHaveLength(1);
    await act(platen, order, 'print-again');
    await expect(act(platen, order, 'print-again')).rejects.toMatchObject(refusedAs('nothing_to_print_again'));
    await untilPrintedAgain(order);
    await untilCodes(platen, order, []);
    const made = await platen.printedFor(order.name);
    expect(new Set(made.map(({ orderReferenceId }) => orderReferenceId)).size).toBe(2);
    expect(made.filter(({ fulfillmentStatus }) => fulfillmentStatus !== 'canceled')).toHaveLength(1);
  });

  test('an order is not reprinted while the service may still print a live order under its reference', async () => {
    const { order, serviceOrderId } = await placePrinted(platen);
    await expect(act(platen, order, 'print-again')).rejects.toMatchObject(refusedAs('nothing_to_print_again'));
    const [printOrder] = await printOrdersOf(platen, order);
    if (!printOrder) throw new Error('no print order');
    await advance(serviceOrderId, 'canceled');
    await untilCodes(platen, order, ['service_canceled']);
    // Someone has placed the order again in the dashboard under the same reference.
    const beside = await placeDuplicate(platen, printOrder, {});
    await act(platen, order, 'print-again');
    await untilPrintOrder(platen, order, (one) => one.serviceOrderId === beside.id);
    await untilNoDueJobs(platen, order);
    expect(await printOrdersOf(platen, order)).toMatchObject([{ fencedAt: null, closedAt: null }]);
    expect(await platen.printedFor(order.name)).toHaveLength(2);
  });

  test('a shipped print order is reprinted only if the request names it, or if its parcel was returned', async () => {
    const { order, serviceOrderId } = await placePrinted(platen);
    await advance(serviceOrderId, 'shipped', { packages: [] });
    const { reference } = await untilPrintOrder(platen, order, ({ state }) => state === 'shipped');
    await expect(act(platen, order, 'print-again')).rejects.toMatchObject(refusedAs('nothing_to_print_again'));
    await act(platen, order, 'print-again', reference);
    const { serviceOrderId: second } = await untilPrintedAgain(order);
    await advance(second, 'shipped', { packages: [] });
    await advance(second, 'returned');
    await untilCodes(platen, order, ['service_returned']);
    await act(platen, order, 'print-again');
    await untilPrintOrder(platen, order, ({ part, confirmedAt }) => part === 3 && confirmedAt !== null);
    await platen.pass(3_600_000);
    expect(await codesOf(platen, order)).toEqual([]);
    expect(await platen.printedFor(order.name)).toHaveLength(3);
  });
});

describe('a draft whose confirm request was refused', () => {
  async function placeWithRefusedConfirm(): Promise<PlacedOrder> {
    await injectFaults(platen, [{ method: 'PATCH', path: '/v4/orders', rate: 1, kind: 'status', status: 400 }]);
    const order = await place();
    await untilCodes(platen, order, ['confirm_refused']);
    await untilNoDueJobs(platen, order);
    await injectFaults(platen, []);
    return order;
  }

  test('"continue" does not confirm a refused draft if its order was refunded in the store and the webhook was lost', async () => {
    const order = await placeWithRefusedConfirm();
    await platen.control('store', 'POST', '/webhooks', { drop: 1 });
    await inStore(platen, order, 'refund');
    await act(platen, order, 'continue');
    await platen.control('store', 'POST', '/webhooks', { drop: 0 });
    await untilFenced(order);
    await untilNoDueJobs(platen, order);
    expect(await atService(platen, order)).toMatchObject([{ orderType: 'draft', deleted: true }]);
  });
});

describe('orders at the service that Platen does not know', () => {
  const audit = () => platen.during(auditPrintAccount(platen.app, { accountId: platen.shop.printAccountId ?? 0 }));

  /** Cancels an order by hand. The audit then finds another live order at the service under the same reference. */
  async function placeWithUnknownOrder(): Promise<{ order: PlacedOrder; strayId: string }> {
    const { order } = await placePrinted(platen);
    await act(platen, order, 'cancel');
    const printOrder = await untilFenced(order);
    await untilNoDueJobs(platen, order);
    const stray = await placeDuplicate(platen, printOrder, {});
    const fencedAt = new Date(platen.app.clock.now().getTime() - 3_600_000);
    await platen.app.db.manager.update(PrintOrders, { id: printOrder.id }, { fencedAt });
    await audit();
    await untilCodes(platen, order, ['unknown_print_order']);
    return { order, strayId: stray.id };
  }

  /** Places an order of which the service has a later print order that the database lacks, as after a restore. */
  async function placeWithForgottenPart(): Promise<{ order: PlacedOrder; forgottenId: string }> {
    const { order, printOrder } = await placeUnsubmitted(platen);
    const { code, referenceKey: key } = await readInstallation(platen.app);
    const { id: shopifyOrderId, name: orderName } = order;
    const source = { installation: code, key, shop: platen.shop.domain, shopifyOrderId, orderName };
    const { shopifyFulfillmentOrderId } = printOrder;
    const orderReferenceId = computeReference(source, { shopifyFulfillmentOrderId, number: 3 }, 'current');
    const { id } = await placeDuplicate(platen, printOrder, { orderReferenceId });
    return { order, forgottenId: id };
  }

  test('no further order is printed while an unknown order is live, and "cancel" cancels the unknown order', async () => {
    const { order, strayId } = await placeWithUnknownOrder();
    for (const action of ['print-again', 'approve'] as const)
      await expect(act(platen, order, action)).rejects.toMatchObject(refusedAs('unknown_print_order'));
    expect((await liveOf(order)).map(({ id }) => id)).toEqual([strayId]);
    await act(platen, order, 'cancel');
    await eventually(() => liveOf(order)).toEqual([]);
    await untilFenced(order);
    await untilCodes(platen, order, []);
    expect(await printOrdersOf(platen, order)).toHaveLength(1);
    await act(platen, order, 'print-again');
    await untilPrintedAgain(order);
    expect(await liveOf(order)).toHaveLength(1);
  });

  test('once someone has resolved the hold for an unknown order, later audits do not hold the order again', async () => {
    const { order, strayId } = await placeWithUnknownOrder();
    await act(platen, order, 'continue');
    await untilCodes(platen, order, []);
    await audit();
    expect(await codesOf(platen, order)).toEqual([]);
    expect((await liveOf(order)).map(({ id }) => id)).toEqual([strayId]);
  });

  test('"continue" resolves the hold for a part that is missing from a restored database only once the part was canceled', async () => {
    const { order, forgottenId } = await placeWithForgottenPart();
    await injectFaults(platen, []);
    await untilCodes(platen, order, ['unknown_print_order']);
    await act(platen, order, 'continue');
    await untilNoDueJobs(platen, order);
    await untilCodes(platen, order, ['unknown_print_order']);
    expect(await platen.printedFor(order.name)).toHaveLength(1);
    await advance(forgottenId, 'canceled');
    // The canceled part may have contained lines of the order, so someone must decide whether to print them.
    await untilNoDueJobs(platen, order);
    expect([await codesOf(platen, order), await liveOf(order)]).toEqual([['unknown_print_order'], []]);
    await act(platen, order, 'continue');
    await platen.untilState(order.id, 'printing');
    expect(await liveOf(order)).toHaveLength(1);
  });

  test('if two live orders have the same reference, "continue" makes Platen follow the one that is left after the followed one was canceled', async () => {
    const { order, printOrder } = await placeUnsubmitted(platen);
    await placeDuplicate(platen, printOrder, {});
    await placeDuplicate(platen, printOrder, {});
    await injectFaults(platen, []);
    await untilCodes(platen, order, ['several_orders']);
    await expect(act(platen, order, 'continue')).rejects.toMatchObject(refusedAs('several_orders'));
    await platen.pass(1_200_000);
    expect(await atService(platen, order)).toHaveLength(2);
    const [followed] = await printOrdersOf(platen, order);
    await advance(followed?.serviceOrderId, 'canceled');
    await untilCodes(platen, order, ['several_orders', 'service_canceled']);
    const { done } = await act(platen, order, 'continue');
    await untilCodes(platen, order, []);
    const [left] = await liveOf(order);
    expect(done.join(' ')).toContain(left?.id);
    expect(await printOrdersOf(platen, order)).toMatchObject([{ serviceOrderId: left?.id, state: 'submitted' }]);
    await advance(left?.id, 'printed');
    await untilPrintOrder(platen, order, ({ state }) => state === 'in_production');
  });
});
