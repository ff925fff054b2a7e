import { afterEach, describe, expect, test } from 'vitest';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { findOrder } from '../../../src/orders/manual-actions/find-order.ts';
import { showRecipients } from '../../../src/orders/manual-actions/show-recipients.ts';
import { catchUpStorefrontOrders } from '../../../src/orders/intake/catch-up-storefront-orders.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { eventually } from '../../helpers/eventually.ts';
import type { PlacedOrder } from '../../helpers/platen.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { untilIdle } from '../../helpers/until-idle.ts';
import {
  atService,
  injectFaults,
  inStore,
  placeWaitingToSubmit,
  printOrdersOf,
  requestReplan,
  runSubmitJobsNow,
  untilPrintedOnce,
  untilPrintOrder,
} from '../submit/submit-helpers.ts';
import { act, untilCodes } from './manual-actions.ts';

testPlaten({ advanceSeconds: null });

const set = (settings: Record<string, unknown>) => changeSettings(platen.app, platen.shop, settings);
const dropWebhooks = (drop: number) => platen.control('store', 'POST', '/webhooks', { drop });
afterEach(async () => {
  await injectFaults(platen, []);
  await dropWebhooks(0);
  await set({ delayMinutes: 0, leavesDrafts: false, submit: 'draft' });
});

const ADA = { firstName: 'Ada', lastName: 'Miller', provinceCode: 'IL', countryCode: 'US' };
const CHICAGO = { ...ADA, firstName: 'ADA', address1: '233 South  Wacker Drive', city: 'Chicago', zip: '60606' };
const SPRINGFIELD = { ...ADA, address1: '1 Elm Street', city: 'Springfield', zip: '62701' };

const holds = async ({ id }: PlacedOrder) => (await platen.listed(id)).holds;
const messages = async (order: PlacedOrder) => (await holds(order)).map(({ code, message }) => `${code}: ${message}`);
const remove = (order: PlacedOrder, quantity: number) =>
  inStore(platen, order, 'edit', { remove: [{ id: order.lines[0]?.id, quantity }] });
const unitsOf = async ({ name }: PlacedOrder) =>
  (await platen.printedFor(name))
    .filter(({ fulfillmentStatus }) => fulfillmentStatus !== 'canceled')
    .map(({ items }) => items.map(({ quantity }) => quantity));

async function placePrinted(lines: Record<string, number>, more: object = {}): Promise<PlacedOrder> {
  const order = await platen.placeSkus(lines, { ...more });
  await untilPrintedOnce(platen, [order]);
  await untilIdle(platen.app);
  return order;
}

describe('an order that is not sent yet', () => {
  test('lines with separate quotes get one print order each, and replanning does not change these print orders', async () => {
    const order = await placeWaitingToSubmit(platen, { 'BOOK-28': 1, 'MUG-11OZ': 1 });
    // The service accepts only the first of the two print orders. The second print order must wait.
    await injectFaults(platen, [{ path: '/v3/orders', rate: 1, times: 1, kind: 'status', status: 429 }]);
    const confirmed = async () =>
      (await printOrdersOf(platen, order)).filter(({ confirmedAt }) => confirmedAt !== null);
    await runSubmitJobsNow(platen, order);
    await eventually(confirmed).toHaveLength(1);
    await requestReplan(platen, order);
    await eventually(confirmed).toHaveLength(2);
    expect(await printOrdersOf(platen, order)).toMatchObject([{ part: 1 }, { part: 2 }]);
    expect(await platen.timeline(order.id)).not.toContain('closed');
    expect(await unitsOf(order)).toEqual([[1], [1]]);
  });
});

describe('an order that is being printed', () => {
  test('removing units causes a hold that states both quantities until someone accepts it, and a new print order has only the wanted units', async () => {
    const order = await placePrinted({ 'POSTER-30X40': 3 });
    const prefix = 'changed_after_submit: SKU POSTER-30X40:';
    await remove(order, 1);
    await eventually(() => messages(order)).toEqual([
      `${prefix} 1 of the 3 units in this print order is no longer wanted.`,
    ]);
    expect((await holds(order))[0]?.remedy).toMatch(/"Cancel printing".*"Continue"/);
    // An accepted difference causes no further hold, but a new difference does.
    await act(platen, order, 'continue');
    await untilCodes(platen, order, []);
    await requestReplan(platen, order);
    await untilIdle(platen.app);
    expect(await messages(order)).toEqual([]);
    await remove(order, 1);
    await eventually(() => messages(order)).toEqual([
      `${prefix} 2 of the 3 units in this print order are no longer wanted.`,
    ]);
    expect((await platen.timeline(order.id)).filter((kind) => kind === 'changed_after_submit')).toHaveLength(2);
    expect(await unitsOf(order)).toEqual([[3]]);
    await act(platen, order, 'cancel');
    await untilPrintOrder(platen, order, ({ fencedAt }) => fencedAt !== null);
    await untilCodes(platen, order, []);
    await act(platen, order, 'approve');
    await eventually(() => unitsOf(order)).toEqual([[1]]);
    await untilIdle(platen.app);
    expect(await unitsOf(order)).toEqual([[1]]);
  });

  test('a changed address causes a hold that names the changed fields and is shown beside the sent address, until it is changed back', async () => {
    const order = await placePrinted({ 'MUG-15OZ': 1 }, { shippingAddress: CHICAGO });
    await inStore(platen, order, 'address', { shippingAddress: SPRINGFIELD });
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
    await inStore(platen, order, 'address', { shippingAddress: CHICAGO });
    await untilCodes(platen, order, []);
    expect(await shown()).toMatchObject({ storeAddress: null });
    expect(await platen.timeline(order.id)).toContain('hold_resolved');
    expect(await platen.printedFor(order.name)).toHaveLength(1);
  });
});

describe('the buyer’s request to remove items', () => {
  const requestEdit = (order: PlacedOrder) =>
    inStore(platen, order, 'request-edit', { lines: [{ id: order.lines[0]?.id, quantity: 1 }] });
  const rowOf = ({ id }: PlacedOrder) =>
    platen.app.db.manager.findOneByOrFail(StorefrontOrders, { shopifyOrderId: id });
  const untilWaiting = (order: PlacedOrder, reason: string) =>
    eventually(() => rowOf(order).catch(() => null)).toMatchObject({ outcomeReason: reason });

  /** Makes the last reading of an order too old to send the order without another reading. */
  const ageReading = ({ id }: PlacedOrder) =>
    platen.app.db.query(
      `update storefront_orders set read_at = read_at - interval '1 minute' where shopify_order_id = $1`,
      [id],
    );

  test('a request whose webhook is lost is read before the order is created, and the poll notices that it was declined', async () => {
    await set({ submit: 'direct' });
    const order = await placeWaitingToSubmit(platen, { 'TSHIRT-M': 2 });
    await dropWebhooks(1);
    await requestEdit(order);
    await ageReading(order);
    await injectFaults(platen, []);
    await runSubmitJobsNow(platen, order);
    await untilWaiting(order, 'edit_requested');
    await untilIdle(platen.app);
    expect(await atService(platen, order)).toEqual([]);
    await inStore(platen, order, 'decline-edit');
    await ageReading(order);
    await platen.during(catchUpStorefrontOrders(platen.app, { shopId: platen.shop.id }));
    await untilPrintedOnce(platen, [order]);
    expect(await unitsOf(order)).toEqual([[2]]);
  });
});
