import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Platen, PlacedOrder } from '../../helpers/platen.ts';
import {
  atService,
  changeLink,
  runSubmitJobsNow,
  injectFaults,
  placeWaitingToSubmit,
  requestReplan,
  printOrdersOf,
  startWithShortTimeouts,
  untilPrintedOnce,
  untilPrintOrder,
  untilNoDueJobs,
} from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

let platen: Platen;
beforeAll(async () => void (platen = await startWithShortTimeouts()));
afterAll(() => platen.stop());
afterEach(() => injectFaults(platen, []));

const POSTER = 'flat_300x400-mm-12x16-inch_170-gsm-65lb-uncoated_4-0_ver';
const A4_POSTER = 'flat_210x297-mm-8x12-inch_170-gsm-65lb-uncoated_4-0_ver';
const PHONE_CASE = 'phonecase_apple_iphone-13promax_flexi_transparent_satin';

const control = (order: PlacedOrder, act: string, body: object = {}) =>
  platen.control('store', 'POST', `/orders/${encodeURIComponent(order.id)}/${act}`, body);

test('an unsent order whose print link changes is printed with the new product under a new reference', async () => {
  const order = await placeWaitingToSubmit(platen, { 'POSTER-30X40': 1 });
  await changeLink(platen, 'POSTER-30X40', { productUid: A4_POSTER });
  await requestReplan(platen, order);
  await untilPrintOrder(platen, order, ({ closedAt }) => closedAt !== null);
  await injectFaults(platen, []);
  await untilPrintOrder(platen, order, ({ fencedAt }) => fencedAt !== null);
  await untilPrintedOnce(platen, [order]);
  const [printed] = await platen.printedFor(order.name);
  expect(printed?.items.map(({ productUid }) => productUid)).toEqual([A4_POSTER]);
  const [old, successor] = await printOrdersOf(platen, order);
  expect(old?.closedReason).toBe('changed');
  expect(successor?.reference).toBe(printed?.orderReferenceId);
  expect((await platen.listed(order.id)).printOrders).toHaveLength(1);
  await changeLink(platen, 'POSTER-30X40', { productUid: POSTER });
});

test('units removed from an order before it is sent are not printed', async () => {
  const order = await placeWaitingToSubmit(platen, { 'TSHIRT-M': 3 });
  await control(order, 'edit', { remove: [{ id: order.lines[0]?.id, quantity: 1 }] });
  await untilPrintOrder(platen, order, ({ closedAt }) => closedAt !== null);
  await injectFaults(platen, []);
  await untilPrintOrder(platen, order, ({ fencedAt }) => fencedAt !== null);
  await untilPrintedOnce(platen, [order]);
  expect((await platen.printedFor(order.name))[0]?.items.map(({ quantity }) => quantity)).toEqual([2]);
});

test('an order that is replanned without changes keeps its reference', async () => {
  const order = await placeWaitingToSubmit(platen, { 'MUG-11OZ': 1, 'TSHIRT-S': 2 });
  const before = await printOrdersOf(platen, order);
  await requestReplan(platen, order);
  await untilNoDueJobs(platen, order);
  await injectFaults(platen, []);
  await untilPrintedOnce(platen, [order]);
  expect((await printOrdersOf(platen, order)).map(({ reference }) => reference)).toEqual(
    before.map(({ reference }) => reference),
  );
});

test('an order canceled in the store before it is sent is not printed, and its spare drafts are deleted', async () => {
  await injectFaults(platen, [
    { path: '/v3/orders', rate: 1, times: 1, kind: 'reset', effect: 'done' },
    { method: 'PATCH', path: '/v4/orders', rate: 1, kind: 'status', status: 429 },
  ]);
  const order = await platen.placeSkus({ 'MUG-15OZ': 1 });
  await eventually(() => atService(platen, order)).toHaveLength(1);
  await control(order, 'cancel');
  await platen.untilState(order.id, 'canceled');
  await eventually(async () => {
    await runSubmitJobsNow(platen, order);
    return (await printOrdersOf(platen, order)).map(({ fencedAt }) => fencedAt !== null);
  }).toEqual([true]);
  expect((await atService(platen, order)).filter(({ deleted }) => !deleted)).toEqual([]);
});

test('an order canceled in the store after it was sent is canceled at the service', async () => {
  const order = await platen.placeSkus({ 'MUG-11OZ': 1 });
  await platen.untilState(order.id, 'printing');
  await control(order, 'cancel');
  await platen.untilState(order.id, 'canceled');
  await eventually(async () =>
    (await platen.printedFor(order.name)).map(({ fulfillmentStatus }) => fulfillmentStatus),
  ).toEqual(['canceled']);
  await eventually(async () => (await platen.listed(order.id)).printOrders).toEqual([]);
  expect((await platen.listed(order.id)).holds).toEqual([]);
});

test('an order that was just sent is canceled even if the search does not show it yet', async () => {
  await injectFaults(platen, [{ searchLagMs: 1200 }]);
  const order = await platen.placeSkus({ 'MUG-11OZ': 1 });
  await platen.untilState(order.id, 'printing');
  await control(order, 'cancel');
  await eventually(async () => {
    await runSubmitJobsNow(platen, order);
    return (await printOrdersOf(platen, order)).map(({ fencedAt }) => fencedAt !== null);
  }).toEqual([true]);
  expect((await platen.printedFor(order.name)).map(({ fulfillmentStatus }) => fulfillmentStatus)).toEqual(['canceled']);
});

test('an order is held if it is already printed when it is canceled in the store', async () => {
  const order = await platen.placeSkus({ 'POSTER-13X18': 1 });
  await platen.untilState(order.id, 'printing');
  const [printed] = await platen.printedFor(order.name);
  await platen.control('print', 'POST', `/orders/${printed?.id}/advance`, { to: 'printed' });
  await control(order, 'cancel');
  const codes = async () => (await platen.listed(order.id)).holds.map(({ code }) => code);
  await eventually(codes).toEqual(['cannot_cancel']);
  expect(await platen.printedFor(order.name)).toMatchObject([{ fulfillmentStatus: 'printed' }]);
});

test('an unsent order waits while it is on hold in the store, and is printed once when the hold is released', async () => {
  const variants = (await platen.control('store', 'GET', '/variants')) as { sku: string; variantId: string }[];
  const cards = variants.find(({ sku }) => sku === 'CARDS')?.variantId ?? '';
  await platen.control('store', 'POST', `/variants/${encodeURIComponent(cards)}/stock`, { location: 'own' });
  const order = await placeWaitingToSubmit(platen, { CARDS: 1 });
  await control(order, 'hold');
  await eventually(async () =>
    (await platen.storeOrder(order.id)).fulfillmentOrders.map(({ status }) => status),
  ).toEqual(['ON_HOLD']);
  await requestReplan(platen, order);
  await untilNoDueJobs(platen, order);
  await injectFaults(platen, []);
  await runSubmitJobsNow(platen, order);
  await untilNoDueJobs(platen, order);
  expect((await atService(platen, order)).filter(({ orderType }) => orderType === 'order')).toEqual([]);
  await control(order, 'release');
  await untilPrintedOnce(platen, [order]);
});

test('lines with separate quotes get one print order each, and replanning does not change these print orders', async () => {
  const order = await placeWaitingToSubmit(platen, { 'BOOK-28': 1, 'MUG-11OZ': 1 });
  await requestReplan(platen, order);
  await untilNoDueJobs(platen, order);
  // The service accepts only the first of the two print orders. The second print order must wait.
  await injectFaults(platen, [{ path: '/v3/orders', rate: 1, times: 1, kind: 'status', status: 429 }]);
  const confirmed = async () => (await printOrdersOf(platen, order)).filter(({ confirmedAt }) => confirmedAt !== null);
  await runSubmitJobsNow(platen, order);
  await eventually(confirmed).toHaveLength(1);
  await requestReplan(platen, order);
  await untilNoDueJobs(platen, order);
  await runSubmitJobsNow(platen, order);
  await eventually(confirmed).toHaveLength(2);
  expect(await printOrdersOf(platen, order)).toMatchObject([{ part: 1 }, { part: 2 }]);
  expect(await platen.timeline(order.id)).not.toContain('closed');
  const printed = await platen.printedFor(order.name);
  expect(printed.map(({ items }) => items.map(({ quantity }) => quantity))).toEqual([[1], [1]]);
});

test('an order that the service splits across facilities is followed as one print order', async () => {
  await changeLink(platen, 'TSHIRT-L', { productUid: PHONE_CASE });
  const order = await platen.placeSkus({ 'TSHIRT-L': 1, 'POSTER-13X18': 1 });
  const { printOrders } = await platen.untilState(order.id, 'printing');
  expect(printOrders).toHaveLength(1);
  expect(printOrders[0]?.serviceOrderIds).toHaveLength(2);
  const [first, second] = await platen.printedFor(order.name);
  const stateOf = async () => (await platen.listed(order.id)).printOrders[0]?.state;
  await platen.control('print', 'POST', `/orders/${first?.id}/advance`, { to: 'printed' });
  await untilNoDueJobs(platen, order);
  expect(await stateOf()).toBe('submitted');
  await platen.control('print', 'POST', `/orders/${second?.id}/advance`, { to: 'printed' });
  await eventually(stateOf).toBe('in_production');
  await platen.control('print', 'POST', `/orders/${first?.id}/advance`, { to: 'shipped' });
  await platen.control('print', 'POST', `/orders/${second?.id}/advance`, { to: 'shipped' });
  await platen.untilState(order.id, 'fulfilled');
});

test('an order with an unknown product is held with the name of the field to fix, and resumes after the fix', async () => {
  await changeLink(platen, 'TSHIRT-S', { productUid: 'no_such_product' });
  const order = await platen.placeSkus({ 'TSHIRT-S': 1 });
  const held = await platen.untilState(order.id, 'held');
  expect(held.holds).toMatchObject([{ code: 'quote_refused', field: 'productUid' }]);
  await changeLink(platen, 'TSHIRT-S', { productUid: POSTER });
  await requestReplan(platen, order);
  await untilPrintOrder(platen, order, ({ fencedAt }) => fencedAt !== null);
  await untilPrintedOnce(platen, [order]);
  expect((await platen.untilState(order.id, 'printing')).holds).toEqual([]);
});

test('an order to a country that the service does not ship to is held with the service’s message', async () => {
  const shippingAddress = {
    firstName: 'Ada',
    lastName: 'Miller',
    address1: 'Calle 23 No. 1',
    city: 'La Habana',
    countryCode: 'CU',
    zip: '10400',
  };
  const order = await platen.placeSkus({ 'MUG-11OZ': 1 }, { shippingAddress });
  const held = await platen.untilState(order.id, 'held');
  expect(held.holds).toMatchObject([{ code: 'quote_refused' }]);
  expect(held.holds[0]?.message).toContain('not supported');
});

test('fixing the address after a refused confirm request creates a new draft and abandons the old draft', async () => {
  await injectFaults(platen, [{ method: 'PATCH', path: '/v4/orders', rate: 1, times: 1, kind: 'status', status: 422 }]);
  const order = await platen.placeSkus({ 'MUG-11OZ': 1 });
  const codes = async () => (await platen.listed(order.id)).holds.map(({ code }) => code);
  await eventually(() => codes().catch(() => [])).toEqual(['confirm_refused']);
  await control(order, 'address', {
    shippingAddress: {
      firstName: 'Ada',
      lastName: 'Miller',
      address1: '1 Corrected Street',
      city: 'Springfield',
      provinceCode: 'IL',
      countryCode: 'US',
      zip: '62701',
    },
  });
  await untilPrintOrder(platen, order, ({ closedReason }) => closedReason === 'changed');
  await untilPrintedOnce(platen, [order]);
  const printed = await platen.printedFor(order.name);
  expect(printed.map(({ shippingAddress }) => shippingAddress['addressLine1'])).toEqual(['1 Corrected Street']);
  await untilNoDueJobs(platen, order);
  expect(await codes()).toEqual([]);
}, 120_000);
