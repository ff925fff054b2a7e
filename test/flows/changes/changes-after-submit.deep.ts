import { afterAll, beforeAll, expect, test } from 'vitest';
import { PrintOrders } from '../../../src/database/entities/print-orders.ts';
import { performManualAction } from '../../../src/orders/manual-actions/perform-manual-action.ts';
import { findOrder } from '../../../src/orders/manual-actions/find-order.ts';
import { showRecipients } from '../../../src/orders/manual-actions/show-recipients.ts';
import type { Action } from '../../../src/orders/manual-actions/hold-actions.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { startPlaten, type Platen, type PlacedOrder } from '../../helpers/platen.ts';
import { untilIdle } from '../../helpers/until-idle.ts';
import {
  injectFaults,
  requestReplan,
  printOrdersOf,
  untilPrintedOnce,
  untilPrintOrder,
} from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

let platen: Platen;

beforeAll(async () => {
  platen = await startPlaten({ advanceSeconds: null, settings: { delayMinutes: 0 } });
}, 60_000);
afterAll(() => platen.stop());

const control = (order: PlacedOrder, act: string, body: object = {}) =>
  platen.control('store', 'POST', `/orders/${encodeURIComponent(order.id)}/${act}`, body);
const byHand = (order: PlacedOrder, action: Action) =>
  performManualAction(platen.app, platen.shop, { order: order.id, action, printOrder: null, by: 'merchant' });
const holds = async (order: PlacedOrder) => (await platen.listed(order.id)).holds;
const messages = async (order: PlacedOrder) => (await holds(order)).map(({ code, message }) => `${code}: ${message}`);
const remove = (order: PlacedOrder, quantity: number) =>
  control(order, 'edit', { remove: [{ id: order.lines[0]?.id, quantity }] });
const add = (order: PlacedOrder, quantity: number) =>
  control(order, 'edit', { add: [{ variantId: order.lines[0]?.variantId, quantity }] });
const move = (order: PlacedOrder, city: string, zip: string) =>
  control(order, 'address', {
    shippingAddress: {
      firstName: 'Ada',
      lastName: 'Miller',
      address1: '1 Elm Street',
      city,
      provinceCode: 'IL',
      countryCode: 'US',
      zip,
    },
  });

async function placePrinted(lines: Record<string, number>): Promise<PlacedOrder> {
  const order = await platen.placeSkus(lines);
  await untilPrintedOnce(platen, [order]);
  await untilIdle(platen.app);
  return order;
}

test('removing units during printing causes a hold that states both quantities, and later changes update the hold', async () => {
  const order = await placePrinted({ 'POSTER-30X40': 3 });
  await remove(order, 1);
  const prefix = 'changed_after_submit: SKU POSTER-30X40:';
  await eventually(() => messages(order)).toEqual([
    `${prefix} 1 of the 3 units in this print order is no longer wanted.`,
  ]);
  expect((await holds(order))[0]?.remedy).toMatch(/"Cancel printing".*"Continue"/);
  expect((await platen.listed(order.id)).state).toBe('held');
  await remove(order, 1);
  await eventually(() => messages(order)).toEqual([
    `${prefix} 2 of the 3 units in this print order are no longer wanted.`,
  ]);
  expect((await platen.timeline(order.id)).filter((kind) => kind === 'changed_after_submit')).toHaveLength(2);
  // The print order stays as it was sent, and no other print order is created.
  expect((await platen.printedFor(order.name)).map(({ items }) => items.map(({ quantity }) => quantity))).toEqual([
    [3],
  ]);
});

const SAME = {
  firstName: 'ADA',
  lastName: 'miller',
  address1: '233 South  Wacker Drive',
  city: 'Chicago',
  provinceCode: 'IL',
  countryCode: 'US',
  zip: '60606',
};

test('a changed address causes a hold that names the changed fields and is shown beside the sent address, until it is changed back', async () => {
  const order = await platen.placeSkus({ 'MUG-15OZ': 1 }, { shippingAddress: SAME });
  await untilPrintedOnce(platen, [order]);
  await untilIdle(platen.app);
  await move(order, 'Springfield', '62701');
  await eventually(() => messages(order)).toEqual([
    'changed_after_submit: The shipping address was changed (address line 1, postal code, city) after the order was sent to print. The parcel will go to the old address.',
  ]);
  expect(JSON.stringify(await holds(order))).not.toMatch(/Springfield|62701|Elm/);
  const shown = async () =>
    showRecipients(platen.app, platen.shop, await findOrder(platen.app, platen.shop, order.name));
  expect(await shown()).toMatchObject({
    recipients: [{ sent: { address: { city: 'Chicago', postCode: '60606' } } }],
    storeAddress: { addressLine1: '1 Elm Street', city: 'Springfield', postCode: '62701' },
  });
  const prints = platen.app.db.getRepository(PrintOrders);
  const [printOrder] = await printOrdersOf(platen, order);
  const setFencedAt = (fencedAt: Date | null) => prints.update({ id: printOrder?.id ?? '' }, { fencedAt });
  await setFencedAt(new Date());
  // A print order that was replaced before it was sent has an earlier address by design.
  expect(await shown()).toMatchObject({ storeAddress: null });
  await setFencedAt(null);
  await control(order, 'address', { shippingAddress: SAME });
  await eventually(() => messages(order)).toEqual([]);
  expect(await shown()).toMatchObject({ storeAddress: null });
  expect(await platen.timeline(order.id)).toContain('hold_resolved');
  expect(await platen.printedFor(order.name)).toHaveLength(1);
});

test('a difference that someone accepted causes no further hold, but a new difference does', async () => {
  const order = await placePrinted({ 'TSHIRT-M': 3 });
  await remove(order, 1);
  await eventually(() => messages(order)).toHaveLength(1);
  await byHand(order, 'continue');
  await eventually(() => messages(order)).toEqual([]);
  await requestReplan(platen, order);
  await untilIdle(platen.app);
  expect(await messages(order)).toEqual([]);
  await remove(order, 1);
  await eventually(() => messages(order)).toHaveLength(1);
});

test('an order that is canceled and then approved again is printed without the removed units', async () => {
  const order = await placePrinted({ 'TSHIRT-S': 3 });
  await remove(order, 1);
  await eventually(() => messages(order)).toHaveLength(1);
  await byHand(order, 'cancel');
  await untilPrintOrder(platen, order, ({ fencedAt }) => fencedAt !== null);
  await untilIdle(platen.app);
  expect(await messages(order)).toEqual([]);
  await byHand(order, 'approve');
  const printing = async () =>
    (await platen.printedFor(order.name))
      .filter(({ fulfillmentStatus }) => fulfillmentStatus !== 'canceled')
      .map(({ items }) => items.map(({ quantity }) => quantity));
  await eventually(printing).toEqual([[2]]);
  await untilIdle(platen.app);
  expect(await printing()).toEqual([[2]]);
});

test('units added to a sent order are printed as a separate print order', async () => {
  const order = await placePrinted({ 'MUG-11OZ': 1 });
  await add(order, 2);
  const units = async () =>
    (await platen.printedFor(order.name)).map(({ items }) => items.map(({ quantity }) => quantity));
  await eventually(units).toEqual([[1], [2]]);
  await untilIdle(platen.app);
  expect(await messages(order)).toEqual([]);
  expect((await printOrdersOf(platen, order)).filter(({ fencedAt }) => fencedAt === null)).toHaveLength(2);
});

test('an order edited during an unfinished confirm request is printed as sent, and a hold reports the difference', async () => {
  await injectFaults(platen, [{ method: 'PATCH', path: '/v4/orders/', kind: 'status', status: 503, rate: 1 }]);
  const order = await platen.placeSkus({ 'POSTER-13X18': 2 });
  await untilPrintOrder(platen, order, ({ confirmStartedAt }) => confirmStartedAt !== null);
  await remove(order, 1);
  await eventually(() => messages(order)).toHaveLength(1);
  await injectFaults(platen, []);
  await untilPrintedOnce(platen, [order]);
  expect((await platen.printedFor(order.name))[0]?.items.map(({ quantity }) => quantity)).toEqual([2]);
  expect(await messages(order)).toEqual([
    'changed_after_submit: SKU POSTER-13X18: 1 of the 2 units in this print order is no longer wanted.',
  ]);
});

test('if the return address changes before an order is sent, the order is sent with the new return address', async () => {
  await injectFaults(platen, [{ path: '/v3/orders', rate: 1, kind: 'status', status: 429 }]);
  const order = await platen.placeSkus({ 'MUG-11OZ': 1 });
  await eventually(() => platen.timeline(order.id).catch(() => [])).toContain('not_made');
  await changeSettings(platen.app, platen.shop, { returnAddress: { companyName: 'Harbour Prints' } });
  await untilPrintOrder(platen, order, ({ closedReason }) => closedReason === 'changed');
  await injectFaults(platen, []);
  await untilPrintedOnce(platen, [order]);
  const [printed] = await platen.printedFor(order.name);
  expect(JSON.stringify(printed)).toContain('Harbour Prints');
});
