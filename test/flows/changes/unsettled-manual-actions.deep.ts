import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { PrintOrders } from '../../../src/database/entities/print-orders.ts';
import { auditPrintAccount } from '../../../src/orders/follow/audit-print-account.ts';
import { computeReference } from '../../../src/orders/facts/compute-reference.ts';
import { receiveCustomerRedact } from '../../../src/orders/privacy/receive-customer-redact.ts';
import { readInstallation } from '../../../src/shops/install/installation.ts';
import { startPlaten, type PlacedOrder, type Platen } from '../../helpers/platen.ts';
import { act, codesOf, placePrinted, untilCodes } from './manual-actions.ts';
import {
  atService,
  injectFaults,
  placeDuplicate,
  printOrdersOf,
  untilPrintOrder,
  untilNoDueJobs,
} from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

let platen: Platen;

beforeAll(async () => {
  const environment = { PRINT_TIMEOUT_SECONDS: '1', SUBMIT_DEADLINE_SECONDS: '0.5', SUBMIT_QUIET_SECONDS: '2' };
  platen = await startPlaten({ advanceSeconds: null, environment });
}, 60_000);
afterAll(() => platen.stop());
afterEach(() => injectFaults(platen, []));

const path = ({ id }: { id: string }) => `/orders/${encodeURIComponent(id)}`;
const place = () => platen.placeSkus({ 'POSTER-30X40': 1 });
const advance = (id: string | undefined, to: string) =>
  platen.control('print', 'POST', `/orders/${id}/advance`, { to });

const refusedAs = (code: string) => ({ name: 'NotPossibleError', code });

/** Places an order whose draft the service refuses to confirm. Later confirm requests succeed. */
async function placeWithRefusedConfirm(): Promise<PlacedOrder> {
  await injectFaults(platen, [{ method: 'PATCH', path: '/v4/orders', rate: 1, kind: 'status', status: 400 }]);
  const order = await place();
  await untilCodes(platen, order, ['confirm_refused']);
  await untilNoDueJobs(platen, order);
  await injectFaults(platen, []);
  return order;
}

const untilFenced = (order: PlacedOrder) => untilPrintOrder(platen, order, ({ fencedAt }) => fencedAt !== null);

test.each([
  ['canceled', 'cancel'],
  ['refunded', 'refund'],
])(
  '"continue" does not confirm a refused draft if its order was %s in the store and the webhook was lost',
  async (_what, endpoint) => {
    const order = await placeWithRefusedConfirm();
    await platen.control('store', 'POST', '/webhooks', { drop: 1 });
    await platen.control('store', 'POST', `${path(order)}/${endpoint}`, {});
    await act(platen, order, 'continue');
    await platen.control('store', 'POST', '/webhooks', { drop: 0 });
    await untilFenced(order);
    await untilNoDueJobs(platen, order);
    expect(await platen.printedFor(order.name)).toEqual([]);
    expect(await atService(platen, order)).toMatchObject([{ orderType: 'draft', deleted: true }]);
  },
  120_000,
);

test('a draft is not confirmed until a pending plan has read the order from the store, regardless of which job is due first', async () => {
  const order = await placeWithRefusedConfirm();
  await platen.control('store', 'POST', '/webhooks', { drop: 1 });
  await platen.control('store', 'POST', `${path(order)}/cancel`, {});
  const { id: storefrontOrderId } = await platen.app.db.manager.findOneByOrFail(StorefrontOrders, {
    shopifyOrderId: order.id,
  });
  const inAnHour = { queue: `order:${storefrontOrderId}`, key: `plan:${storefrontOrderId}` };
  const runAt = new Date(Date.now() + 3_600_000);
  await platen.app.jobs.enqueue(platen.app.db, 'plan_order', { storefrontOrderId }, { ...inAnHour, runAt });
  await act(platen, order, 'continue');
  await platen.control('store', 'POST', '/webhooks', { drop: 0 });
  await untilFenced(order);
  expect(await platen.printedFor(order.name)).toEqual([]);
}, 120_000);

test('a draft whose confirm request was refused is deleted when its order is refunded or its customer is erased', async () => {
  const refunded = await placeWithRefusedConfirm();
  await platen.control('store', 'POST', `${path(refunded)}/refund`, {});
  await untilFenced(refunded);
  expect(await codesOf(platen, refunded)).toEqual([]);
  await expect(act(platen, refunded, 'continue')).rejects.toMatchObject(refusedAs('nothing_to_continue'));
  const erased = await placeWithRefusedConfirm();
  await redact(erased);
  await untilFenced(erased);
  await expect(act(platen, erased, 'continue')).rejects.toMatchObject(refusedAs('order_erased'));
  await expect(act(platen, erased, 'retry')).rejects.toMatchObject(refusedAs('order_erased'));
  await untilNoDueJobs(platen, erased);
  for (const order of [refunded, erased])
    expect(await atService(platen, order)).toMatchObject([{ orderType: 'draft', deleted: true }]);
}, 120_000);

test('a draft whose confirm request was refused can be held by hand, and is confirmed once its order is approved', async () => {
  const order = await placeWithRefusedConfirm();
  const { done } = await act(platen, order, 'hold');
  expect(done).toEqual([`${order.name} is on hold: Platen sends no further items of the order until it is approved.`]);
  await act(platen, order, 'retry');
  await untilCodes(platen, order, ['held_by_hand']);
  await untilNoDueJobs(platen, order);
  expect(await platen.printedFor(order.name)).toEqual([]);
  await act(platen, order, 'approve');
  await platen.untilState(order.id, 'printing');
  expect(await platen.printedFor(order.name)).toHaveLength(1);
}, 120_000);

/** Sends a request to erase the data of an order's customer. */
async function redact({ id }: PlacedOrder): Promise<void> {
  const delivery = { resourceIds: { orders: id }, receivedAt: new Date() };
  await receiveCustomerRedact(platen.app, platen.shop, delivery);
}

/**
 * Places an order and cancels it by hand. Then creates another live order at the service under the same reference, and lets the audit find
 * that order.
 */
async function placeWithUnknownOrder(): Promise<{ order: PlacedOrder; strayId: string }> {
  const { order } = await placePrinted(platen);
  await act(platen, order, 'cancel');
  const { id } = await untilFenced(order);
  await untilNoDueJobs(platen, order);
  const printOrder = (await printOrdersOf(platen, order)).find((one) => one.id === id);
  if (!printOrder) throw new Error('no print order');
  const stray = await placeDuplicate(platen, printOrder, {});
  await platen.app.db.manager.update(PrintOrders, { id }, { fencedAt: new Date(Date.now() - 3_600_000) });
  await audit();
  await untilCodes(platen, order, ['unknown_print_order']);
  return { order, strayId: stray.id };
}

const audit = () => auditPrintAccount(platen.app, { accountId: platen.shop.printAccountId ?? 0 });
const liveOf = async ({ name }: PlacedOrder) =>
  (await platen.printedFor(name)).filter(({ fulfillmentStatus }) => fulfillmentStatus !== 'canceled');

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
  await untilPrintOrder(platen, order, ({ part, confirmedAt }) => part === 2 && confirmedAt !== null);
  expect(await liveOf(order)).toHaveLength(1);
}, 180_000);

test('once someone has resolved the hold for an unknown order, later audits do not hold the order again', async () => {
  const { order, strayId } = await placeWithUnknownOrder();
  await act(platen, order, 'continue');
  await untilCodes(platen, order, []);
  await audit();
  expect(await codesOf(platen, order)).toEqual([]);
  expect((await liveOf(order)).map(({ id }) => id)).toEqual([strayId]);
}, 120_000);

test('"continue" resolves the hold for a forgotten part that was canceled in the dashboard, and the order is printed', async () => {
  await injectFaults(platen, [{ method: 'POST', path: '/v4/orders:search', rate: 1, kind: 'status', status: 500 }]);
  const order = await place();
  const printOrder = await untilPrintOrder(platen, order, ({ state }) => state === 'quoted');
  const { code, referenceKey: key } = await readInstallation(platen.app);
  const { id: shopifyOrderId, name: orderName } = order;
  const source = { installation: code, key, shop: platen.shop.domain, shopifyOrderId, orderName };
  const forgotten = await placeDuplicate(platen, printOrder, {
    orderReferenceId: computeReference(source, 3, 'current'),
  });
  await advance(forgotten.id, 'canceled');
  await injectFaults(platen, []);
  // The canceled part may have contained lines of the order, so someone must decide whether to print them.
  await untilCodes(platen, order, ['unknown_print_order']);
  expect(await liveOf(order)).toEqual([]);
  await act(platen, order, 'continue');
  await platen.untilState(order.id, 'printing');
  expect(await liveOf(order)).toHaveLength(1);
}, 120_000);

test('if two live orders have the same reference and the followed one is canceled, "continue" makes Platen follow the other', async () => {
  await injectFaults(platen, [{ method: 'POST', path: '/v4/orders:search', rate: 1, kind: 'status', status: 500 }]);
  const order = await place();
  const printOrder = await untilPrintOrder(platen, order, ({ state }) => state === 'quoted');
  await placeDuplicate(platen, printOrder, {});
  await placeDuplicate(platen, printOrder, {});
  await injectFaults(platen, []);
  await untilCodes(platen, order, ['several_orders']);
  const [{ serviceOrderId } = { serviceOrderId: '' }] = await printOrdersOf(platen, order);
  const other = (await platen.printedFor(order.name)).find(({ id }) => id !== serviceOrderId);
  await advance(serviceOrderId ?? '', 'canceled');
  await untilCodes(platen, order, ['several_orders', 'service_canceled']);
  await expect(act(platen, order, 'close')).rejects.toMatchObject(refusedAs('still_printing'));
  const { done } = await act(platen, order, 'continue');
  expect(done.join(' ')).toContain(other?.id);
  await untilCodes(platen, order, []);
  expect(await printOrdersOf(platen, order)).toMatchObject([{ serviceOrderId: other?.id, state: 'submitted' }]);
  await expect(act(platen, order, 'close')).rejects.toMatchObject(refusedAs('nothing_to_close'));
  await advance(other?.id, 'printed');
  await untilPrintOrder(platen, order, ({ state }) => state === 'in_production');
}, 120_000);
