import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { VariantConnections } from '../../../src/database/entities/products.ts';
import { OtherAppStores, Shops } from '../../../src/database/entities/shops.ts';
import { performManualAction } from '../../../src/orders/manual-actions/perform-manual-action.ts';
import { allowOtherApp } from '../../../src/orders/manual-actions/allow-other-app.ts';
import { actOnHeldOrders } from '../../../src/orders/manual-actions/act-on-held-orders.ts';
import { showOrder } from '../../../src/orders/manual-actions/show-order.ts';
import { findOrder } from '../../../src/orders/manual-actions/find-order.ts';
import { catchUpPrintOrders } from '../../../src/orders/follow/catch-up-print-orders.ts';
import { computeReference } from '../../../src/orders/facts/compute-reference.ts';
import { readInstallation } from '../../../src/shops/install/installation.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { startPlaten, type Platen } from '../../helpers/platen.ts';
import { act, codesOf, entriesOf, placePrinted, untilCodes } from './manual-actions.ts';
import {
  atService,
  runSubmitJobsNow,
  injectFaults,
  placeDuplicate,
  requestReplan,
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
afterEach(async () => {
  await injectFaults(platen, []);
  await changeSettings(platen.app, platen.shop, { release: 'automatic', submit: 'draft', printInterface: 'current' });
});

const path = ({ id }: { id: string }) => `/orders/${encodeURIComponent(id)}`;
const place = () => platen.placeSkus({ 'POSTER-30X40': 1 });
const advance = (id: string | undefined, to: string) =>
  platen.control('print', 'POST', `/orders/${id}/advance`, { to });

const refusedAs = (code: string) => ({ name: 'NotPossibleError', code });

test('an order that waits for approval is printed only after it is approved, individually or together with other orders', async () => {
  await changeSettings(platen.app, platen.shop, { release: 'by_hand' });
  const orders = [await place(), await place(), await place()];
  for (const order of orders) await untilCodes(platen, order, ['needs_approval']);
  const [first, ...others] = orders;
  if (!first) throw new Error('no order was placed');
  expect(await platen.printedFor(first.name)).toEqual([]);
  await act(platen, first, 'approve');
  await platen.untilState(first.id, 'printing');
  for (const other of others) expect(await platen.printedFor(other.name)).toEqual([]);
  const shop = await platen.app.db.manager.findOneByOrFail(Shops, { id: platen.shop.id });
  const approved = [];
  for await (const done of actOnHeldOrders(platen.app, shop, { action: 'approve', code: 'needs_approval', by: 'cli' }))
    if ('name' in done) approved.push(done.name);
  expect(new Set(approved)).toEqual(new Set(others.map(({ name }) => name)));
  for (const other of others) {
    await platen.untilState(other.id, 'printing');
    expect(await entriesOf(platen, other, 'approved')).toMatchObject([{ by: 'cli' }]);
  }
  for (const order of orders) expect(await platen.printedFor(order.name)).toHaveLength(1);
}, 180_000);

test('an order put on hold by hand is not sent until it is approved, but an order that was already sent is not recalled', async () => {
  await injectFaults(platen, [{ path: '/v4/orders:quote', rate: 1, kind: 'status', status: 500 }]);
  const order = await place();
  await untilPrintOrder(platen, order, ({ state }) => state === 'planned');
  const { done } = await act(platen, order, 'hold');
  expect(done).toEqual([`${order.name} is on hold: Platen sends no further items of the order until it is approved.`]);
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
}, 120_000);

test('canceling an order by hand cancels it permanently at the service and leaves it open in the store', async () => {
  const { order, serviceOrderId } = await placePrinted(platen);
  const { done } = await act(platen, order, 'cancel');
  expect(done[0]).toMatch(/This does not cancel the order in the store/);
  await untilPrintOrder(platen, order, ({ fencedAt }) => fencedAt !== null);
  await requestReplan(platen, order);
  await untilNoDueJobs(platen, order);
  expect(await printOrdersOf(platen, order)).toHaveLength(1);
  expect(await atService(platen, order)).toMatchObject([{ id: serviceOrderId, fulfillmentStatus: 'canceled' }]);
  expect((await platen.storeOrder(order.id)).cancelledAt).toBeNull();
  await act(platen, order, 'cancel');
  expect(await entriesOf(platen, order, 'canceled_by_hand')).toHaveLength(1);
  await act(platen, order, 'approve');
  await eventually(async () => (await printOrdersOf(platen, order)).length).toBe(2);
}, 120_000);

test('an order that has already been printed cannot be canceled and is held until someone chooses "continue"', async () => {
  const { order, serviceOrderId } = await placePrinted(platen);
  await advance(serviceOrderId, 'printed');
  await act(platen, order, 'cancel');
  await untilCodes(platen, order, ['cannot_cancel']);
  await requestReplan(platen, order);
  await untilNoDueJobs(platen, order);
  await act(platen, order, 'continue');
  await untilCodes(platen, order, []);
  await requestReplan(platen, order);
  await untilNoDueJobs(platen, order);
  expect(await codesOf(platen, order)).toEqual([]);
  expect(await platen.printedFor(order.name)).toHaveLength(1);
}, 120_000);

test.each([
  ['a refused create request', { method: 'POST', path: '/v3/orders' }, 400, 'create_refused'],
  ['a refused quote', { method: 'POST', path: '/v4/orders:quote' }, 400, 'quote_refused'],
  ['a refused confirm request', { method: 'PATCH', path: '/v4/orders' }, 422, 'confirm_refused'],
])(
  'an order with %s is printed once when someone retries it',
  async (_what, call, status, code) => {
    await injectFaults(platen, [{ ...call, rate: 1, times: 1, kind: 'status', status }]);
    const order = await place();
    await untilCodes(platen, order, [code]);
    expect(await platen.printedFor(order.name)).toEqual([]);
    await act(platen, order, 'retry');
    await platen.untilState(order.id, 'printing');
    await act(platen, order, 'retry');
    await untilNoDueJobs(platen, order);
    expect(await platen.printedFor(order.name)).toHaveLength(1);
    expect((await entriesOf(platen, order, 'retried')).every(({ by }) => by === 'merchant')).toBe(true);
  },
  120_000,
);

test.each(['canceled', 'failed'])(
  'an order that was %s at the service is reprinted once on request, under a new reference',
  async (to) => {
    const { order, serviceOrderId } = await placePrinted(platen);
    await advance(serviceOrderId, to);
    await untilCodes(platen, order, [`service_${to}`]);
    await requestReplan(platen, order);
    await untilNoDueJobs(platen, order);
    expect(await printOrdersOf(platen, order)).toHaveLength(1);
    await act(platen, order, 'print-again');
    await expect(act(platen, order, 'print-again')).rejects.toMatchObject(refusedAs('nothing_to_print_again'));
    const isNew = ({ part, confirmedAt }: { part: number; confirmedAt: Date | null }) =>
      part === 2 && confirmedAt !== null;
    await untilPrintOrder(platen, order, isNew);
    await untilCodes(platen, order, []);
    const made = await platen.printedFor(order.name);
    expect(new Set(made.map(({ orderReferenceId }) => orderReferenceId)).size).toBe(2);
    expect(made.filter(({ fulfillmentStatus }) => fulfillmentStatus !== to)).toHaveLength(1);
  },
  120_000,
);

test('an order is not reprinted while the service may still print a live order under its reference', async () => {
  const { order, serviceOrderId } = await placePrinted(platen);
  await expect(act(platen, order, 'print-again')).rejects.toMatchObject(refusedAs('nothing_to_print_again'));
  const [printOrder] = await printOrdersOf(platen, order);
  await advance(serviceOrderId, 'canceled');
  await untilCodes(platen, order, ['service_canceled']);
  // Someone has placed the order again in the dashboard under the same reference.
  if (!printOrder) throw new Error('no print order');
  const beside = await placeDuplicate(platen, printOrder, {});
  await act(platen, order, 'print-again');
  await untilPrintOrder(platen, order, (one) => one.serviceOrderId === beside.id);
  await untilNoDueJobs(platen, order);
  expect(await printOrdersOf(platen, order)).toMatchObject([{ fencedAt: null, closedAt: null }]);
  expect(await platen.printedFor(order.name)).toHaveLength(2);
}, 120_000);

test('a shipped print order is reprinted only if the request names the print order', async () => {
  const { order, serviceOrderId } = await placePrinted(platen);
  await platen.control('print', 'POST', `/orders/${serviceOrderId}/advance`, { to: 'shipped', packages: [] });
  const [printOrder] = await printOrdersOf(platen, order);
  await untilPrintOrder(platen, order, ({ state }) => state === 'shipped');
  await expect(act(platen, order, 'print-again')).rejects.toMatchObject(refusedAs('nothing_to_print_again'));
  await act(platen, order, 'print-again', printOrder?.reference ?? '');
  await untilPrintOrder(platen, order, ({ part, confirmedAt }) => part === 2 && confirmedAt !== null);
  await requestReplan(platen, order);
  await untilNoDueJobs(platen, order);
  expect(await platen.printedFor(order.name)).toHaveLength(2);
}, 120_000);

test('an order that was canceled by hand is reprinted once on request', async () => {
  const { order } = await placePrinted(platen);
  await act(platen, order, 'cancel');
  await untilPrintOrder(platen, order, ({ fencedAt }) => fencedAt !== null);
  await untilNoDueJobs(platen, order);
  await act(platen, order, 'print-again');
  await untilPrintOrder(platen, order, ({ part, confirmedAt }) => part === 2 && confirmedAt !== null);
  await untilNoDueJobs(platen, order);
  const live = (await platen.printedFor(order.name)).filter(
    ({ fulfillmentStatus }) => fulfillmentStatus !== 'canceled',
  );
  expect(live).toHaveLength(1);
}, 120_000);

test('only the failed line of an order is reprinted', async () => {
  const order = await platen.placeSkus({ 'POSTER-30X40': 1, 'MUG-11OZ': 2 });
  await platen.untilState(order.id, 'printing');
  await untilNoDueJobs(platen, order);
  const [printed] = await platen.printedFor(order.name);
  const mug = printed?.items.find(({ quantity }) => quantity === 2)?.itemReferenceId;
  await platen.control('print', 'POST', `/orders/${printed?.id}/advance`, { to: 'failed', items: [mug] });
  await untilCodes(platen, order, ['service_failed']);
  await act(platen, order, 'print-again');
  await untilPrintOrder(platen, order, ({ part, confirmedAt }) => part === 2 && confirmedAt !== null);
  await untilCodes(platen, order, []);
  const others = (await platen.printedFor(order.name)).filter(({ id }) => id !== printed?.id);
  expect(others.map(({ items }) => items.map(({ quantity }) => quantity))).toEqual([[2]]);
}, 120_000);

test('an order whose parcel was returned is reprinted on request and is no longer held', async () => {
  const { order, serviceOrderId } = await placePrinted(platen);
  await platen.control('print', 'POST', `/orders/${serviceOrderId}/advance`, { to: 'shipped', packages: [] });
  await advance(serviceOrderId, 'returned');
  await untilCodes(platen, order, ['service_returned']);
  await act(platen, order, 'print-again');
  await untilPrintOrder(platen, order, ({ part, confirmedAt }) => part === 2 && confirmedAt !== null);
  await catchUpPrintOrders(platen.app);
  await untilNoDueJobs(platen, order);
  expect(await codesOf(platen, order)).toEqual([]);
  expect(await platen.printedFor(order.name)).toHaveLength(2);
}, 120_000);

test('the hold for a live order that is missing from a restored database is resolved by "cancel", but not by "continue"', async () => {
  await injectFaults(platen, [{ method: 'POST', path: '/v4/orders:search', rate: 1, kind: 'status', status: 500 }]);
  const order = await place();
  const printOrder = await untilPrintOrder(platen, order, ({ state }) => state === 'quoted');
  const { code, referenceKey } = await readInstallation(platen.app);
  const source = {
    installation: code,
    key: referenceKey,
    shop: platen.shop.domain,
    shopifyOrderId: order.id,
    orderName: order.name,
  };
  const forgotten = await placeDuplicate(platen, printOrder, {
    orderReferenceId: computeReference(source, 3, 'current'),
  });
  await injectFaults(platen, []);
  await untilCodes(platen, order, ['unknown_print_order']);
  await act(platen, order, 'continue');
  // The unknown order still exists, so "continue" cannot resolve it.
  await untilCodes(platen, order, ['unknown_print_order']);
  expect(await platen.printedFor(order.name)).toHaveLength(1);
  await act(platen, order, 'cancel');
  await untilCodes(platen, order, []);
  expect((await platen.printedFor(order.name)).map(({ id }) => id)).toEqual([forgotten.id]);
}, 120_000);

describe('orders that are created directly', () => {
  test('a direct order is held, approved and canceled like any other order', async () => {
    await changeSettings(platen.app, platen.shop, { submit: 'direct' });
    await injectFaults(platen, [{ path: '/v4/orders:quote', rate: 1, kind: 'status', status: 500 }]);
    const order = await place();
    await untilPrintOrder(platen, order, ({ state }) => state === 'planned');
    await act(platen, order, 'hold');
    await injectFaults(platen, []);
    await untilCodes(platen, order, ['held_by_hand']);
    await untilNoDueJobs(platen, order);
    expect(await atService(platen, order)).toEqual([]);
    await act(platen, order, 'approve');
    await platen.untilState(order.id, 'printing');
    await act(platen, order, 'cancel');
    await untilPrintOrder(platen, order, ({ fencedAt }) => fencedAt !== null);
    expect(await atService(platen, order)).toMatchObject([{ fulfillmentStatus: 'canceled' }]);
  }, 120_000);

  test('a direct order whose response was lost is reprinted on request if the service does not show the order', async () => {
    await changeSettings(platen.app, platen.shop, { submit: 'direct' });
    await injectFaults(platen, [{ method: 'POST', path: '/v3/orders', rate: 1, kind: 'reset', effect: 'none' }]);
    const order = await place();
    const look = async () => {
      await runSubmitJobsNow(platen, order);
      return codesOf(platen, order).catch(() => []);
    };
    await eventually(look).toEqual(['outcome_unknown']);
    await injectFaults(platen, []);
    await act(platen, order, 'print-again');
    const isPrintedAgain = async () => {
      await runSubmitJobsNow(platen, order);
      return (await printOrdersOf(platen, order)).some(({ part, confirmedAt }) => part === 2 && confirmedAt !== null);
    };
    await eventually(isPrintedAgain).toBe(true);
    await untilCodes(platen, order, []);
    expect(await platen.printedFor(order.name)).toHaveLength(1);
  }, 180_000);

  test('an order on an earlier interface cannot be canceled, and both the response and the hold say so', async () => {
    await changeSettings(platen.app, platen.shop, { printInterface: 'v2' });
    const order = await place();
    await untilPrintOrder(platen, order, ({ confirmedAt }) => confirmedAt !== null);
    const { done } = await act(platen, order, 'cancel');
    expect(done.join(' ')).toMatch(/cannot be canceled from here/);
    await untilCodes(platen, order, ['cannot_cancel']);
    await act(platen, order, 'continue');
    await untilCodes(platen, order, []);
  }, 120_000);
});

test('an order that was planned while its variant was ignored at the service is replanned only on request', async () => {
  const connection = { shopId: platen.shop.id, shopifyVariantId: '' };
  const variants = (await platen.control('store', 'GET', '/variants')) as { sku: string; variantId: string }[];
  connection.shopifyVariantId = variants.find(({ sku }) => sku === 'TSHIRT-M')?.variantId ?? '';
  const { manager } = platen.app.db;
  const before = await manager.findOneBy(VariantConnections, connection);
  await manager.delete(VariantConnections, connection);
  await manager.insert(VariantConnections, { ...connection, status: 'ignored' });
  const order = await platen.placeSkus({ 'TSHIRT-M': 1 });
  await platen.untilState(order.id, 'nothing_to_do');
  await manager.delete(VariantConnections, connection);
  if (before) await manager.insert(VariantConnections, before);
  await requestReplan(platen, order);
  await untilNoDueJobs(platen, order);
  expect(await atService(platen, order)).toEqual([]);
  await act(platen, order, 'retry');
  await platen.untilState(order.id, 'printing');
  expect(await platen.printedFor(order.name)).toHaveLength(1);
}, 120_000);

test('a fulfillment that the store refused is pushed again on request', async () => {
  const variants = (await platen.control('store', 'GET', '/variants')) as { sku: string; variantId: string }[];
  const id = encodeURIComponent(variants.find(({ sku }) => sku === 'POSTER-30X40')?.variantId ?? '');
  await platen.control('store', 'POST', `/variants/${id}/stock`, { location: 'own' });
  const { order, serviceOrderId } = await placePrinted(platen);
  await platen.control('store', 'POST', `/variants/${id}/stock`, { location: 'service' });
  await platen.control('store', 'POST', `${path(order)}/move`, { to: 'other' });
  await advance(serviceOrderId, 'shipped');
  const isRefused = async () => (await codesOf(platen, order)).includes('fulfillment_refused');
  await eventually(isRefused).toBe(true);
  await platen.control('store', 'POST', `${path(order)}/move`, { to: 'own' });
  await untilNoDueJobs(platen, order);
  await act(platen, order, 'retry');
  await platen.untilState(order.id, 'fulfilled');
  expect(await platen.printedFor(order.name)).toHaveLength(1);
}, 120_000);

test('"continue" resumes an order with two live orders only after one of them is canceled in the dashboard', async () => {
  await injectFaults(platen, [{ method: 'POST', path: '/v4/orders:search', rate: 1, kind: 'status', status: 500 }]);
  const order = await place();
  const printOrder = await untilPrintOrder(platen, order, ({ state }) => state === 'quoted');
  await placeDuplicate(platen, printOrder, {});
  await placeDuplicate(platen, printOrder, {});
  await injectFaults(platen, []);
  await untilCodes(platen, order, ['several_orders']);
  await expect(act(platen, order, 'continue')).rejects.toMatchObject(refusedAs('several_orders'));
  const [{ serviceOrderId } = { serviceOrderId: '' }] = await printOrdersOf(platen, order);
  const other = (await platen.printedFor(order.name)).find(({ id }) => id !== serviceOrderId);
  await advance(other?.id, 'canceled');
  await act(platen, order, 'continue');
  await untilCodes(platen, order, []);
  expect((await printOrdersOf(platen, order))[0]).toMatchObject({ serviceOrderId, state: 'submitted' });
}, 120_000);

test('an impossible action is rejected with an explanation, and another shop’s order is not found', async () => {
  const { order } = await placePrinted(platen);
  await expect(act(platen, order, 'continue')).rejects.toMatchObject(refusedAs('nothing_to_continue'));
  await expect(act(platen, order, 'close')).rejects.toMatchObject(refusedAs('nothing_to_close'));
  await expect(act(platen, order, 'hold', 'another')).rejects.toMatchObject({ code: 'not_found' });
  const domain = 'second.myshopify.com';
  const { id } = await platen.app.db
    .getRepository(Shops)
    .save({ domain, currency: 'USD', takesOrdersFrom: new Date(0) });
  const other = await platen.app.db.manager.findOneByOrFail(Shops, { id });
  const asked = { order: order.id, action: 'cancel', printOrder: null, by: 'merchant' } as const;
  await expect(performManualAction(platen.app, other, asked)).rejects.toMatchObject({ code: 'not_found' });
  await platen.control('store', 'POST', `${path(order)}/cancel`, {});
  await platen.untilState(order.id, 'canceled');
  await expect(act(platen, order, 'approve')).rejects.toMatchObject(refusedAs('order_canceled'));
  await expect(act(platen, order, 'hold')).rejects.toMatchObject(refusedAs('order_canceled'));
}, 120_000);

test('orders that are held because another app prints for the shop resume once the merchant allows the other app', async () => {
  const { app, shop } = platen;
  await app.db.manager.insert(OtherAppStores, { shopId: shop.id, storeId: 'another' });
  const order = await place();
  await untilCodes(platen, order, ['another_app_prints']);
  expect(await allowOtherApp(app, shop)).toBe(true);
  await platen.untilState(order.id, 'printing');
  expect(await allowOtherApp(app, shop)).toBe(false);
}, 120_000);

test('an order is shown with its available actions, its status at the service, its shipping and its timeline', async () => {
  const { order, serviceOrderId } = await placePrinted(platen);
  await advance(serviceOrderId, 'canceled');
  await untilCodes(platen, order, ['service_canceled']);
  const shown = await showOrder(platen.app, await findOrder(platen.app, platen.shop, order.name.replace('#', '')));
  expect(shown).toMatchObject({
    orderId: order.id,
    name: order.name,
    state: 'held',
    holds: [{ code: 'service_canceled', actions: ['print-again', 'close'], reference: expect.any(String) }],
    printOrders: [
      {
        state: 'canceled',
        service: { status: 'canceled', orderIds: [serviceOrderId] },
        lines: [{ sku: 'POSTER-30X40', quantity: 1 }],
      },
    ],
  });
  const [printOrder] = shown.printOrders;
  expect(printOrder?.shipping.offered).toContainEqual(expect.objectContaining({ uid: printOrder?.shipping.chosen }));
  expect(shown.timeline.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['planned', 'quoted', 'submitted', 'canceled']),
  );
  expect(JSON.stringify(shown)).not.toMatch(/@|addressLine/);
}, 120_000);
