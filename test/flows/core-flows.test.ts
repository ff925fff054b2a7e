import { describe, expect, test } from 'vitest';
import { catchUpPrintOrders } from '../../src/orders/follow/catch-up-print-orders.ts';
import { changeSettings } from '../../src/shops/settings/settings.ts';
import type { PlacedOrder, PrintedOrder } from '../helpers/platen.ts';
import { platen, testPlaten } from '../helpers/test-platen.ts';
import { untilIdle } from '../helpers/until-idle.ts';
import { eventually } from '../helpers/eventually.ts';

const POSTER = 'POSTER-30X40';
const MUG = 'MUG-11OZ';

testPlaten({ advanceSeconds: null, settings: { delayMinutes: 0 } });

const control = (order: PlacedOrder, action: string, body: object = {}) =>
  platen.control('store', 'POST', `/orders/${encodeURIComponent(order.id)}/${action}`, body);
const holdsOf = async (order: PlacedOrder) => (await platen.listed(order.id)).holds.map(({ code }) => code);
const requestStatusOf = async (order: PlacedOrder) =>
  (await platen.storeOrder(order.id)).fulfillmentOrders.at(-1)?.requestStatus;

/** Returns the only live order at the print service for an order of the store. */
async function onlyPrintedOrder(order: PlacedOrder): Promise<PrintedOrder> {
  await platen.untilState(order.id, 'printing');
  await untilIdle(platen.app);
  const [printed, ...more] = await platen.printedFor(order.name);
  expect(more).toEqual([]);
  if (!printed) throw new Error(`${order.name} was not printed.`);
  return printed;
}

async function advance({ id }: PrintedOrder, to: string, more: object = {}): Promise<void> {
  await platen.control('print', 'POST', `/orders/${id}/advance`, { to, ...more });
  await untilIdle(platen.app);
}

/** Returns the units and tracking codes of the order's fulfillments in the store. */
async function shippedOf(order: PlacedOrder) {
  const { fulfillments } = await platen.storeOrder(order.id);
  return fulfillments.map(({ lines, trackingCodes }) => ({
    lines: lines.map(({ sku, quantity }) => `${quantity} ${sku}`),
    codes: trackingCodes.length,
  }));
}

describe.each(['draft', 'direct'])('orders that are sent with submit=%s', (submit) => {
  test('a paid order is printed once, then fulfilled in the store with its tracking code', async () => {
    await changeSettings(platen.app, platen.shop, { submit });
    const order = await platen.placeSkus({ [POSTER]: 2 });
    const printed = await onlyPrintedOrder(order);
    expect(printed.items).toMatchObject([{ quantity: 2 }]);
    await advance(printed, 'printed');
    expect(await shippedOf(order)).toEqual([]);
    await advance(printed, 'shipped');
    await platen.untilState(order.id, 'fulfilled');
    expect(await shippedOf(order)).toEqual([{ lines: [`2 ${POSTER}`], codes: 1 }]);
    await changeSettings(platen.app, platen.shop, { submit: 'draft' });
  });
});

test('an order that ships in two packages gets one fulfillment per package, each with its own code', async () => {
  const order = await platen.placeSkus({ [POSTER]: 1, [MUG]: 1 });
  const printed = await onlyPrintedOrder(order);
  const packages = printed.items.map(({ itemReferenceId }, index) => ({
    items: [itemReferenceId],
    trackingCode: `CORE-${index}`,
  }));
  await advance(printed, 'shipped', { packages });
  await platen.untilState(order.id, 'fulfilled');
  const shipped = await shippedOf(order);
  expect(shipped.flatMap(({ lines }) => lines).toSorted()).toEqual([`1 ${MUG}`, `1 ${POSTER}`]);
  expect(shipped.map(({ codes }) => codes)).toEqual([1, 1]);
});

test('only the printed lines of a mixed cart are sent to print and fulfilled', async () => {
  const { variants } = (await platen.control('store', 'POST', '/products', {
    title: 'Frame',
    variants: [{ sku: 'FRAME' }],
  })) as { variants: { variantId: string }[] };
  const [poster] = (await platen.control('store', 'GET', '/variants')) as { sku: string; variantId: string }[];
  const order = await platen.placeOrder({
    lines: [poster, variants[0]].map((variant) => ({ variantId: variant?.variantId, quantity: 1 })),
  });
  const printed = await onlyPrintedOrder(order);
  expect(printed.items).toHaveLength(1);
  await advance(printed, 'shipped');
  await platen.untilState(order.id, 'fulfilled');
  expect(await shippedOf(order)).toEqual([{ lines: [`1 ${poster?.sku}`], codes: 1 }]);
});

test('an order with an incomplete address is held until the store has a complete address, and is then printed once', async () => {
  const address = { firstName: 'Ada', lastName: 'Miller', address1: '1 Elm Street', countryCode: 'DE', zip: '10115' };
  const order = await platen.placeSkus({ [POSTER]: 1 }, { shippingAddress: address });
  await platen.untilState(order.id, 'held');
  expect(await holdsOf(order)).toEqual(['address_missing_field']);
  expect(await platen.printedFor(order.name)).toEqual([]);
  await control(order, 'address', { shippingAddress: { ...address, city: 'Berlin' } });
  expect((await onlyPrintedOrder(order)).shippingAddress['city']).toBe('Berlin');
  expect(await holdsOf(order)).toEqual([]);
});

test('a cancellation request after printing is rejected, and a hold on the order explains why', async () => {
  const order = await platen.placeSkus({ [POSTER]: 1 });
  const printed = await onlyPrintedOrder(order);
  await advance(printed, 'printed');
  await control(order, 'request-cancellation', { message: 'The buyer changed their mind.' });
  await eventually(() => requestStatusOf(order)).toBe('CANCELLATION_REJECTED');
  await eventually(() => holdsOf(order)).toEqual(['cannot_cancel']);
  expect((await onlyOrderWithReference(printed)).fulfillmentStatus).toBe('printed');
});

async function onlyOrderWithReference({ orderReferenceId }: PrintedOrder): Promise<PrintedOrder> {
  const [found, ...more] = (await platen.printed()).filter((one) => one.orderReferenceId === orderReferenceId);
  expect(more).toEqual([]);
  if (!found) throw new Error(`The print service has no order ${orderReferenceId}.`);
  return found;
}

test('an order whose print events were lost is fulfilled after the next poll', async () => {
  const order = await platen.placeSkus({ [POSTER]: 1 });
  const printed = await onlyPrintedOrder(order);
  await platen.control('print', 'POST', '/webhooks', { drop: true });
  await advance(printed, 'shipped');
  expect(await shippedOf(order)).toEqual([]);
  await catchUpPrintOrders(platen.app);
  await platen.untilState(order.id, 'fulfilled');
  expect(await shippedOf(order)).toEqual([{ lines: [`1 ${POSTER}`], codes: 1 }]);
  await platen.control('print', 'POST', '/webhooks', { drop: false });
});
