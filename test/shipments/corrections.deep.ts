import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { replacePackages } from '../../src/orders/follow/receive/replace-packages.ts';
import type { SubmitScope } from '../../src/orders/submit/submit-scope.ts';
import type { PortOrder } from '../../src/print/port.ts';
import { updateFulfillmentTracking } from '../../src/shopify/calls/fulfillments.ts';
import { openAdmin } from '../../src/shops/tokens/tokens.ts';
import { openTestShop, type ShippedOrder, type TestShop } from './test-shop.ts';

let shop: TestShop;
beforeAll(async () => void (shop = await openTestShop()));
afterAll(() => shop.close());

const POSTER = 'POSTER-13X18';

/** Adds an order that has been fulfilled with a code. */
async function fulfilled(code = 'OLD'): Promise<ShippedOrder> {
  const order = await shop.ordered({ [POSTER]: 1 });
  await shop.ship(order, code, [POSTER]);
  await shop.push(order);
  return order;
}

/** Replaces one code with another, as the service does. */
async function correct(order: ShippedOrder, from: string, to: string): Promise<void> {
  await shop.ship(order, to, [POSTER]);
  await takeOff(order, from);
}

async function takeOff({ printOrder }: ShippedOrder, code: string): Promise<void> {
  await shop.app.db.query(
    'update packages set replaced_at = now(), pushed_at = null where print_order_id = $1 and tracking_code = $2',
    [printOrder.id, code],
  );
}

/** Changes the tracking codes of the order's fulfillment in the store, as a person does. */
async function changeByHand({ orderId }: ShippedOrder, numbers: string[]): Promise<void> {
  const [fulfillment] = (await shop.storeOrder(orderId)).fulfillments;
  const admin = await openAdmin(shop.app, shop.shop);
  await updateFulfillmentTracking(admin, fulfillment?.id ?? '', { numbers }, { notifyCustomer: false });
}

const codes = async ({ orderId }: ShippedOrder) => (await shop.fulfilled(orderId)).map((one) => one.codes);
const waiting = async (order: ShippedOrder) =>
  (await shop.packages(order)).filter(({ pushedAt }) => pushedAt === null).map(({ trackingCode }) => trackingCode);

describe('a tracking code that the service has corrected', () => {
  test('a corrected code replaces the old code in the same fulfillment, without an email to the buyer', async () => {
    const order = await fulfilled();
    await correct(order, 'OLD', 'NEW');
    await shop.push(order);
    expect(await shop.fulfilled(order.orderId)).toEqual([{ lines: { [POSTER]: 1 }, codes: ['NEW'], notified: 1 }]);
    expect(await shop.rows(order)).toMatchObject([{ trackingCodes: ['NEW'] }]);
    expect(await waiting(order)).toEqual([]);
    expect(await shop.timeline(order)).toEqual(['tracking', 'fulfilled', 'finished', 'tracking', 'tracking_corrected']);
    await shop.push(order);
    expect(await shop.fulfilled(order.orderId)).toHaveLength(1);
  });
});

describe('a code that a person changed in the store before the service corrected it', () => {
  test('a code that a person changed is not replaced, and the timeline records this', async () => {
    const order = await fulfilled();
    await changeByHand(order, ['BY-HAND']);
    await correct(order, 'OLD', 'NEW');
    await shop.push(order);
    await shop.push(order);
    expect(await codes(order)).toEqual([['BY-HAND']]);
    expect(await waiting(order)).toEqual([]);
    expect(await shop.holds(order)).toEqual([]);
    const timeline = await shop.timeline(order);
    expect(timeline.filter((kind) => kind === 'tracking_left')).toHaveLength(1);
    expect(timeline).not.toContain('tracking_corrected');
  });
});

describe('the tracking codes that the service shows for a part', () => {
  /** Applies a response of the service that contains these codes. */
  async function show({ printOrder }: ShippedOrder, codes: string[]): Promise<void> {
    const packages = codes.map((trackingCode) => ({ trackingCode, trackingUrl: null, orderItemIds: [] }));
    const order = { id: printOrder.serviceOrderId, shipment: { packages } } as unknown as PortOrder;
    await replacePackages({ app: shop.app, printOrder } as SubmitScope, shop.app.db.manager, order);
  }
  const replaced = async (order: ShippedOrder) =>
    (await shop.packages(order))
      .filter(({ replacedAt }) => replacedAt !== null)
      .map(({ trackingCode }) => trackingCode);

  test('a newer code for the same items replaces a code that the service no longer shows', async () => {
    const order = await fulfilled('A-OLD');
    await shop.ship(order, 'B-NEW', [POSTER]);
    await show(order, ['B-NEW']);
    expect(await replaced(order)).toEqual(['A-OLD']);
    await shop.push(order);
    expect(await codes(order)).toEqual([['B-NEW']]);
    await show(order, ['B-NEW']);
    expect(await waiting(order)).toEqual([]);
    expect((await shop.timeline(order)).filter((kind) => kind === 'tracking_replaced')).toHaveLength(1);
  });

  test('a code is not replaced if any of its items has no other code', async () => {
    const order = await shop.ordered({ [POSTER]: 1, 'MUG-11OZ': 1 });
    await shop.ship(order, 'A-OLD', [POSTER, 'MUG-11OZ']);
    await shop.ship(order, 'B-NEW', [POSTER]);
    await show(order, ['B-NEW']);
    expect(await replaced(order)).toEqual([]);
    await shop.ship(order, 'C-NEW', ['MUG-11OZ']);
    await show(order, ['B-NEW', 'C-NEW']);
    expect(await replaced(order)).toEqual(['A-OLD']);
  });

  test('a replacement is undone when the service shows the old code again', async () => {
    const order = await fulfilled('A-OLD');
    await shop.ship(order, 'B-NEW', [POSTER]);
    await show(order, ['B-NEW']);
    await shop.push(order);
    await show(order, ['A-OLD', 'B-NEW']);
    expect(await replaced(order)).toEqual([]);
    await shop.push(order);
    expect(await codes(order)).toEqual([['B-NEW', 'A-OLD']]);
    expect(await shop.fulfilled(order.orderId)).toMatchObject([{ notified: 1 }]);
  });
});
