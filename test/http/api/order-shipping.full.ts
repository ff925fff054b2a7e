import { afterEach, expect, test } from 'vitest';
import type { PrintOrder } from '../../../src/database/entities/print-orders.ts';
import type { OfferedShipping } from '../../../src/orders/manual-actions/changes/offer-shipping.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { injectFaults, placeUnsubmitted, requestReplan, printOrdersOf } from '../../flows/submit/submit-helpers.ts';
import type { PlacedOrder } from '../../helpers/platen.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { callApi, refusal } from '../test-app.ts';
import { eventually } from '../../helpers/eventually.ts';

const FEDEX = 'fed_ex_2_day';
/** SKUs that the service produces in two different facilities. */
const TWO_FACILITIES = { 'BOOK-28': 1, 'MUG-11OZ': 1 };
const SWEDEN = {
  firstName: 'Ada',
  lastName: 'Miller',
  address1: 'Storgatan 1',
  city: 'Stockholm',
  countryCode: 'SE',
  zip: '111 22',
};
const DEFAULTS = { release: 'automatic', delayMinutes: 0, shippingRules: [], leavesDrafts: false } as const;

testPlaten({ advanceSeconds: null });
afterEach(async () => {
  await injectFaults(platen, []);
  await set(DEFAULTS);
});

const set = (settings: object) => changeSettings(platen.app, platen.shop, settings);
const toNumericId = ({ id }: { id: string }): string => id.split('/').at(-1) ?? '';

async function ask(method: 'GET' | 'POST', order: { id: string }, path: string, sent?: object) {
  const at = `/orders/${toNumericId(order)}/${path}`;
  const { status, body } = await callApi(platen.url, platen.shop, [method, at], sent);
  return { status, body };
}

async function readOffer(order: { id: string }): Promise<OfferedShipping> {
  const { status, body } = await ask('GET', order, 'shipping');
  expect([status, body]).toEqual([200, body]);
  return body as unknown as OfferedShipping;
}

const readMethods = async (order: { id: string }) => (await readOffer(order)).parts.flatMap(({ methods }) => methods);
const chooseMethod = (order: { id: string }, method: string | null) => ask('POST', order, 'shipping', { method });
const approve = (order: { id: string }) => ask('POST', order, 'approve');

async function readTimelineText(order: { id: string }): Promise<string> {
  const { body } = await ask('GET', order, '../' + toNumericId(order));
  return (body['timeline'] as { message: string }[]).map(({ message }) => message).join('\n');
}

/** Returns the UIDs of the shipping methods that the live orders at the service for a storefront order use. */
async function readSentMethods(order: PlacedOrder): Promise<string[]> {
  const orders = (await platen.printedFor(order.name)) as unknown as { shipment: { shipmentMethodUid: string } }[];
  return orders.map(({ shipment }) => shipment.shipmentMethodUid);
}

const waitUntilSent = (order: PlacedOrder, methods: string[]) =>
  eventually(() => readSentMethods(order)).toEqual(methods);

const findUnfenced = (printOrders: readonly PrintOrder[]): PrintOrder[] =>
  printOrders.filter(({ fencedAt }) => fencedAt === null);

test('an order that waits for approval is shipped with the method that the merchant chose, until the merchant lets the rules choose again', async () => {
  await set({ release: 'by_hand' });
  const order = await platen.placeSkus({ 'MUG-11OZ': 1 });
  await platen.untilState(order.id, 'held');
  const { byHand, parts } = await readOffer(order);
  expect(byHand).toBeNull();
  expect(parts).toMatchObject([{ lines: [{ sku: 'MUG-11OZ', quantity: 1 }], rule: 'cheapest method', lack: null }]);
  const methods = parts[0]?.methods ?? [];
  const [current] = methods;
  expect(methods.filter(({ isChosen }) => isChosen)).toEqual([{ ...current, difference: '0.00' }]);
  const { cost } = parts[0] ?? {};
  expect(cost).toMatchObject({ shipping: current?.price, currency: current?.currency });
  expect(Number(cost?.total)).toBeCloseTo(Number(cost?.products) + Number(cost?.shipping));
  const fedex = methods.find(({ uid }) => uid === FEDEX);
  expect(fedex).toMatchObject({
    name: 'FedEx 2Day',
    type: 'express',
    currency: 'USD',
    difference: (Number(fedex?.price) - Number(current?.price)).toFixed(2),
    from: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    to: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    isChosen: false,
  });
  const said = `The shipping method of ${order.name} is FedEx 2Day for ${fedex?.price} USD, chosen by the merchant.`;
  expect(await chooseMethod(order, FEDEX)).toEqual({ status: 200, body: { done: [said] } });
  const back = `The shop's rules choose the shipping method of ${order.name} again.`;
  expect(await chooseMethod(order, null)).toEqual({ status: 200, body: { done: [back] } });
  expect((await readMethods(order)).filter(({ isChosen }) => isChosen)).toMatchObject([{ uid: current?.uid }]);
  expect(await chooseMethod(order, FEDEX)).toEqual({ status: 200, body: { done: [said] } });
  expect(await readOffer(order)).toMatchObject({
    byHand: 'FedEx 2Day',
    parts: [
      {
        rule: 'chosen by the merchant',
        methods: [{ difference: expect.stringMatching(/^-/) }, {}, { isChosen: true }],
      },
    ],
  });
  await approve(order);
  await waitUntilSent(order, [FEDEX]);
  const messages = await readTimelineText(order);
  for (const message of [said, back]) expect(messages).toContain(message);
  expect(messages).toContain(`: FedEx 2Day for ${fedex?.price} USD, chosen by the merchant.`);
});

test('methods chosen during the delay survive a change of the order, and each part of the order has its own method', async () => {
  await set({ delayMinutes: 60 });
  const order = await platen.placeSkus(TWO_FACILITIES);
  await eventually(async () => (await platen.listed(order.id)).name).toBe(order.name);
  const { parts } = await readOffer(order);
  const express = parts.map(({ methods }) => methods.find(({ type }) => type === 'express'));
  const uids = express.map((method) => method?.uid ?? '');
  expect([parts.length, new Set(uids).size]).toEqual([2, 2]);
  for (const wrong of [FEDEX, uids.toReversed(), [...uids, 'one_more'].slice(1)])
    expect(await ask('POST', order, 'shipping', { method: wrong })).toMatchObject({
      status: 400,
      body: {
        error: { field: 'method', message: expect.stringMatching(/for part [12] of this order now. It offers: /) },
      },
    });
  const costs = express.map((method) => `${method?.name} for ${method?.price} USD`).join(' and ');
  expect(await ask('POST', order, 'shipping', { method: uids })).toEqual({
    status: 200,
    body: { done: [`The shipping method of ${order.name} is ${costs}, chosen by the merchant.`] },
  });
  const shippingAddress = { ...SWEDEN, countryCode: 'US', zip: '60606', city: 'Chicago', provinceCode: 'IL' };
  await platen.control('store', 'POST', `/orders/${toNumericId(order)}/address`, { shippingAddress });
  await set({ delayMinutes: 0 });
  await requestReplan(platen, order);
  await eventually(async () => (await readSentMethods(order)).toSorted()).toEqual(uids.toSorted());
  const printed = await platen.printedFor(order.name);
  expect(printed.map(({ shippingAddress: to }) => to['city'])).toEqual(['Chicago', 'Chicago']);
});

test('the unsent print order of a quoted order is replaced by a print order with the chosen method', async () => {
  const { order, printOrder } = await placeUnsubmitted(platen, { 'MUG-11OZ': 1 });
  const [cheapest] = await readMethods(order);
  expect(cheapest).toMatchObject({ uid: printOrder.shipmentMethodUid, isChosen: true });
  expect((await chooseMethod(order, FEDEX)).status).toBe(200);
  // The print order cannot be replaced yet, because the search that must prove that nothing was created still fails.
  expect(await ask('GET', order, 'shipping')).toMatchObject(refusal(409, { code: 'being_replaced' }));
  await injectFaults(platen, []);
  await waitUntilSent(order, [FEDEX]);
  const all = await printOrdersOf(platen, order);
  expect(findUnfenced(all).map(({ part }) => part)).toEqual([2]);
  expect(all[0]).toMatchObject({ closedReason: 'other_shipping', shipmentMethodUid: printOrder.shipmentMethodUid });
});

test('an order is held if the chosen method does not serve its new address, and no other method is used instead', async () => {
  await set({ release: 'by_hand' });
  const order = await platen.placeSkus({ 'MUG-11OZ': 1 });
  await platen.untilState(order.id, 'held');
  await chooseMethod(order, FEDEX);
  await platen.control('store', 'POST', `/orders/${toNumericId(order)}/address`, { shippingAddress: SWEDEN });
  await approve(order);
  await eventually(async () => (await platen.listed(order.id)).holds.map(({ code }) => code)).toEqual([
    'no_shipment_method',
  ]);
  const [hold] = (await platen.listed(order.id)).holds;
  expect(hold?.message).toBe(
    `The shipping method FedEx 2Day, which was chosen for this order by hand, is not possible now: no method ${FEDEX} is offered. Choose another method with "Change the shipping method".`,
  );
  await ask('POST', order, 'retry');
  expect(await readSentMethods(order)).toEqual([]);
  expect(await chooseMethod(order, FEDEX)).toMatchObject(
    refusal(400, { field: 'method', message: expect.stringContaining(`does not offer ${FEDEX}`) }),
  );
  const [possible] = await readMethods(order);
  await chooseMethod(order, possible?.uid ?? '');
  await waitUntilSent(order, [possible?.uid ?? '']);
});

test('the method of an order with a draft at the print service can change only after the order is canceled', async () => {
  await set({ leavesDrafts: true });
  const order = await platen.placeSkus({ 'MUG-11OZ': 1 });
  expect(await platen.untilState(order.id, 'held')).toMatchObject({ holds: [{ code: 'left_as_draft' }] });
  const [draft] = await printOrdersOf(platen, order);
  for (const answer of [
    await ask('GET', order, 'shipping'),
    await chooseMethod(order, FEDEX),
    await chooseMethod(order, null),
  ])
    expect(answer).toMatchObject({
      status: 409,
      body: {
        error: {
          code: 'method_in_use',
          message: expect.stringMatching(`^${draft?.reference} already exists .*"Cancel printing"`),
        },
      },
    });
  await ask('POST', order, 'cancel');
  await eventually(async () => findUnfenced(await printOrdersOf(platen, order))).toEqual([]);
  expect((await chooseMethod(order, FEDEX)).status).toBe(200);
  await set({ leavesDrafts: false });
  await approve(order);
  await waitUntilSent(order, [FEDEX]);
});

test('the method of an order that was sent to print can change only after the printing is canceled', async () => {
  const order = await platen.placeSkus({ 'MUG-11OZ': 1 });
  await platen.untilState(order.id, 'printing');
  await eventually(() => ask('GET', order, 'shipping')).toMatchObject(
    refusal(409, { code: 'already_sent', message: expect.stringContaining('"Cancel printing"') }),
  );
  expect(await chooseMethod(order, FEDEX)).toMatchObject({ status: 409, body: { error: { code: 'already_sent' } } });
  expect(findUnfenced(await printOrdersOf(platen, order))).toHaveLength(1);
  await ask('POST', order, 'cancel');
  await eventually(async () => (await chooseMethod(order, FEDEX)).status).toBe(200);
  await approve(order);
  await eventually(() => readSentMethods(order)).toContain(FEDEX);
});

test('the response is 409 if the print service refuses to quote, and 503 while the service is unavailable', async () => {
  await set({ release: 'by_hand' });
  const order = await platen.placeSkus({ 'MUG-11OZ': 1 });
  await platen.untilState(order.id, 'held');
  await injectFaults(platen, [{ path: '/v4/orders:quote', rate: 1, kind: 'status', status: 400 }]);
  expect(await ask('GET', order, 'shipping')).toMatchObject(refusal(409, { code: 'quote_refused' }));
  expect(await chooseMethod(order, FEDEX)).toMatchObject({ status: 409, body: { error: { code: 'quote_refused' } } });
  await injectFaults(platen, [{ path: '/v4/orders:quote', rate: 1, kind: 'status', status: 503 }]);
  expect(await ask('GET', order, 'shipping')).toMatchObject({ status: 503 });
  await injectFaults(platen, []);
  await eventually(async () => (await ask('GET', order, 'shipping')).status).toBe(200);
});

test('a request gets 409 with an explanation if the order cannot be quoted, and 400 if the method is invalid', async () => {
  const order = await platen.placeSkus({ 'MUG-11OZ': 1 }, { shippingAddress: null });
  await platen.untilState(order.id, 'held');
  expect(await ask('GET', order, 'shipping')).toMatchObject(
    refusal(409, { code: 'held', message: expect.stringContaining('The order has no shipping address.') }),
  );
  for (const body of [{}, { method: '' }, { method: 7 }, { method: FEDEX, price: 1 }])
    expect(await ask('POST', order, 'shipping', body)).toMatchObject(refusal(400, { field: 'method' }));
});
