import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { PrintOrders } from '../../src/database/entities/print-orders.ts';
import { readOrderForPlan } from '../../src/shopify/calls/orders.ts';
import { openAdmin } from '../../src/shops/tokens/tokens.ts';
import { catchUpPackages } from '../../src/shipments/catch-up-packages.ts';
import { appBehindProxy } from './store-in-between.ts';
import { ShopifyError } from '../../src/shopify/admin/errors.ts';
import { openTestShop, type ShippedOrder, type TestShop } from './test-shop.ts';

let shop: TestShop;
beforeAll(async () => void (shop = await openTestShop()));
afterEach(() => shop.inStore('/faults', []));
afterAll(() => shop.close());

/** Sets how the store responds to the next calls that create a fulfillment. */
const fail = (fault: Record<string, unknown>) =>
  shop.inStore('/faults', [{ operation: 'CreateFulfillment', rate: 1, ...fault }]);

async function shipPoster(units = 1): Promise<ShippedOrder> {
  const order = await shop.ordered({ 'POSTER-13X18': units });
  await shop.ship(order, 'CODE-1', ['POSTER-13X18']);
  return order;
}

/** Returns the time until the next push of an order, in seconds from the app's current time. */
async function nextPush({ storefrontOrderId }: ShippedOrder): Promise<number | null> {
  const rows: { run_at: Date }[] = await shop.app.db.query('select run_at from graphile_worker.jobs where key = $1', [
    `push:${storefrontOrderId}`,
  ]);
  return rows[0] ? (rows[0].run_at.getTime() - shop.app.clock.now().getTime()) / 1000 : null;
}

/** Returns the seconds from the start of the last fulfillment call to the next push of its order. */
async function nextReadAt(order: ShippedOrder): Promise<number> {
  const [row] = (await shop.rows(order)).slice(-1);
  return ((await nextPush(order)) ?? 0) + (shop.app.clock.now().getTime() - (row?.begunAt.getTime() ?? 0)) / 1000;
}

async function states(order: ShippedOrder): Promise<string[]> {
  return (await shop.rows(order)).map(({ state }) => state);
}

describe('a lost response to a fulfillment call', () => {
  test.each([
    ['the connection breaks after', { kind: 'reset', effect: 'done' }],
    ['the response is truncated after', { kind: 'truncate', effect: 'done' }],
  ])('a fulfillment whose response was lost is found and not created again (%s the call)', async (_, fault) => {
    const order = await shipPoster();
    await fail({ ...fault, times: 1 });
    await shop.push(order);
    expect(await states(order)).toEqual(['unclear']);
    expect((await shop.packages(order))[0]?.pushedAt).toBeNull();
    expect([5, 30]).toContain(Math.round(await nextReadAt(order)));
    await shop.push(order);
    expect(await states(order)).toEqual(['done']);
    expect(await shop.fulfilled(order.orderId)).toEqual([
      { lines: { 'POSTER-13X18': 1 }, codes: ['CODE-1'], notified: 1 },
    ]);
    expect(await shop.timeline(order)).toEqual(['tracking', 'fulfillment_unclear', 'fulfilled', 'finished']);
    expect(await shop.state(order)).toBe('fulfilled');
  });

  test('a fulfillment call without effect is checked after 5, 30 and 120 s and then repeated', async () => {
    const order = await shipPoster();
    await fail({ kind: 'reset', effect: 'none', times: 1 });
    await shop.push(order);
    shop.later(6);
    await shop.push(order);
    expect(await nextReadAt(order)).toBeCloseTo(30, 0);
    shop.later(25);
    await shop.push(order);
    expect(await nextReadAt(order)).toBeCloseTo(120, 0);
    expect(await states(order)).toEqual(['unclear']);
    expect(await shop.fulfilled(order.orderId)).toEqual([]);
    shop.later(90);
    await shop.push(order);
    expect(await states(order)).toEqual(['refused', 'done']);
    expect(await shop.fulfilled(order.orderId)).toMatchObject([{ codes: ['CODE-1'], notified: 1 }]);
  });

  test('a call whose response is lost and whose effect is late creates only one fulfillment', async () => {
    const bought = await shop.buy({ 'POSTER-13X18': 5 });
    const order = await shop.printed(bought, { 'POSTER-13X18': 2 });
    await shop.ship(order, 'CODE-1', ['POSTER-13X18']);
    await fail({ kind: 'reset', effect: 'late', lateMs: 300, times: 1 });
    await shop.push(order);
    await shop.push(order);
    await expect.poll(() => shop.fulfilled(bought.id)).toHaveLength(1);
    shop.later(121);
    await shop.push(order);
    expect(await shop.fulfilled(bought.id)).toEqual([{ lines: { 'POSTER-13X18': 2 }, codes: ['CODE-1'], notified: 1 }]);
    expect(await states(order)).toEqual(['done']);
  });

  test("the next worker resolves a dead worker's call by finding the fulfillment through its tracking codes", async () => {
    const order = await shipPoster();
    await shop.push(order);
    await shop.app.db.query(
      `update fulfillments set state = 'sending', shopify_fulfillment_id = null where print_order_id = $1`,
      [order.printOrder.id],
    );
    await shop.app.db.query('update packages set pushed_at = null where print_order_id = $1', [order.printOrder.id]);
    await shop.push(order);
    expect(await states(order)).toEqual(['done']);
    expect(await shop.fulfilled(order.orderId)).toHaveLength(1);
  });
});

describe('a store that does not respond', () => {
  test('a store that does not respond is called again later, and no data is lost', async () => {
    const order = await shipPoster();
    await shop.inStore('/faults', [{ kind: 'status', status: 503, rate: 1 }]);
    await shop.push(order);
    expect(await nextPush(order)).toBeGreaterThan(3);
    expect(await nextPush(order)).toBeLessThanOrEqual(30);
    expect(await shop.rows(order)).toEqual([]);
    await shop.inStore('/faults', []);
    await shop.push(order);
    expect(await shop.fulfilled(order.orderId)).toHaveLength(1);
  });

  test('the store is called again within 20 minutes, even if its response specifies a wait of several days', async () => {
    const order = await shipPoster();
    const throttled = new ShopifyError('throttled', {
      operation: 'Any',
      effect: 'none',
      retryAfterSeconds: 3 * 86_400,
    });
    const refuse = () => Promise.reject(throttled);
    const admin = () => ({ shop: shop.shop.domain, request: refuse, requestPartial: refuse });
    await shop.push(order, { ...shop.app, shopify: { ...shop.app.shopify, admin } });
    expect(await nextPush(order)).toBeGreaterThan(60);
    expect(await nextPush(order)).toBeLessThanOrEqual(1200);
  });
});

test('a fully refunded order is finished only once all packages have shipped, not with the first package', async () => {
  const order = await shop.ordered({ 'POSTER-13X18': 1, 'MUG-11OZ': 1 });
  const { id } = order.printOrder;
  await shop.app.db.manager.update(PrintOrders, { id }, { state: 'in_production', shippedAt: null });
  await shop.inStore(`/orders/${encodeURIComponent(order.orderId)}/refund`, {});
  await shop.app.db.query('update order_lines set ordered_quantity = 0 where storefront_order_id = $1', [
    order.storefrontOrderId,
  ]);
  await shop.ship(order, 'CODE-1', ['POSTER-13X18']);
  await shop.push(order);
  expect((await shop.packages(order))[0]?.pushedAt).toBeInstanceOf(Date);
  expect(await shop.state(order)).toBe('in_production');
  await shop.app.db.manager.update(PrintOrders, { id }, { state: 'shipped', shippedAt: shop.app.clock.now() });
  shop.later(120);
  await catchUpPackages(shop.app);
  await shop.runJobs();
  expect(await shop.state(order)).toBe('fulfilled');
});

describe('a package that cannot be fulfilled', () => {
  test('a package in a canceled order is noted in the timeline and not fulfilled', async () => {
    const order = await shipPoster();
    await shop.inStore(`/orders/${encodeURIComponent(order.orderId)}/cancel`, {});
    await shop.push(order);
    expect(await shop.fulfilled(order.orderId)).toEqual([]);
    expect(await shop.timeline(order)).toEqual(['tracking', 'nothing_to_fulfill']);
    expect((await shop.packages(order))[0]?.pushedAt).toBeInstanceOf(Date);
    expect(await shop.state(order)).toBe('shipped');
  });

  test('a package in a fulfillment order on hold waits until the hold is released', async () => {
    const order = await shipPoster();
    const path = `/orders/${encodeURIComponent(order.orderId)}`;
    await shop.inStore(`${path}/hold`, {});
    await shop.push(order);
    await shop.push(order);
    expect(await shop.fulfilled(order.orderId)).toEqual([]);
    expect(await shop.timeline(order)).toEqual(['tracking', 'fulfillment_waits']);
    expect(await shop.holds(order)).toEqual([]);
    // If the hold in the store persists, Platen holds the print order.
    for (let poll = 1; poll <= 3; poll += 1) {
      shop.later(301);
      await shop.push(order);
    }
    expect(await shop.holds(order)).toMatchObject([{ code: 'fulfillment_refused', resolvedAt: null }]);
    await shop.inStore(`${path}/release`, {});
    await shop.push(order);
    expect(await shop.fulfilled(order.orderId)).toHaveLength(1);
    expect(await shop.holds(order)).toMatchObject([{ resolvedAt: expect.any(Date) }]);
  });

  test('a fulfillment that the store refuses holds the print order until a person fulfills it', async () => {
    const order = await shipPoster();
    const message = 'Fulfillment order 1 has an unfulfillable request status= closed.';
    const userErrors = [{ field: ['fulfillment'], message }];
    const refusing = await appBehindProxy(shop, {
      before: async (operation) =>
        operation === 'CreateFulfillment' ? { data: { fulfillmentCreate: { fulfillment: null, userErrors } } } : null,
    });
    await shop.push(order, refusing);
    await shop.push(order, refusing);
    const refused = await shop.holds(order);
    expect(refused).toMatchObject([{ code: 'fulfillment_refused', resolvedAt: null }]);
    expect(refused[0]?.message).toBe(`The store refused the fulfillment with the tracking code CODE-1: ${message}`);
    expect(await states(order)).toEqual(['refused', 'refused']);
    expect(await shop.timeline(order)).toEqual(['tracking', 'held']);
    expect(await shop.state(order)).toBe('shipped');
    shop.later(3500);
    await catchUpPackages(shop.app);
    expect(await nextPush(order)).toBeNull();
    const [line] = await shop.openLines(order.orderId);
    await shop.fulfillByHand(line?.fulfillmentOrderId ?? '', undefined, ['CODE-1']);
    await shop.app.db.query('update order_lines set fulfilled_quantity = 1 where storefront_order_id = $1', [
      order.storefrontOrderId,
    ]);
    await catchUpPackages(shop.app);
    expect(await nextPush(order)).not.toBeNull();
    await shop.push(order);
    expect((await shop.holds(order))[0]?.resolvedAt).toBeInstanceOf(Date);
    expect(await shop.state(order)).toBe('fulfilled');
  });
});

describe('a fulfillment that the store has refused', () => {
  const refuse = (operation: string) =>
    operation === 'CreateFulfillment'
      ? { data: { fulfillmentCreate: { fulfillment: null, userErrors: [{ field: null, message: 'Not now.' }] } } }
      : null;

  async function refused(): Promise<ShippedOrder> {
    const order = await shipPoster();
    await shop.push(order, await appBehindProxy(shop, { before: async (operation) => refuse(operation) }));
    expect(await shop.holds(order)).toMatchObject([{ code: 'fulfillment_refused', resolvedAt: null }]);
    return order;
  }

  test('a refused fulfillment is retried after an hour, and the hold ends when the store accepts the fulfillment', async () => {
    const order = await refused();
    shop.later(3700);
    await catchUpPackages(shop.app);
    expect(await nextPush(order)).not.toBeNull();
    await shop.runJobs();
    expect(await shop.fulfilled(order.orderId)).toEqual([
      { lines: { 'POSTER-13X18': 1 }, codes: ['CODE-1'], notified: 1 },
    ]);
    expect((await shop.holds(order))[0]?.resolvedAt).toBeInstanceOf(Date);
    expect(await shop.timeline(order)).toEqual(['tracking', 'held', 'fulfilled', 'finished', 'hold_resolved']);
  });
});

describe('a change in the store before or during a push', () => {
  test('a fulfillment that a person makes during a push is found, and nothing is held', async () => {
    const order = await shipPoster();
    const [line] = await shop.openLines(order.orderId);
    let creates = 0;
    const app = await appBehindProxy(shop, {
      async before(operation) {
        if (operation === 'CreateFulfillment' && creates++ === 0)
          await shop.fulfillByHand(line?.fulfillmentOrderId ?? '');
        return null;
      },
    });
    await shop.push(order, app);
    expect(await shop.fulfilled(order.orderId)).toEqual([{ lines: { 'POSTER-13X18': 1 }, codes: [], notified: 0 }]);
    expect(await shop.holds(order)).toEqual([]);
    expect(await shop.state(order)).toBe('fulfilled');
  });

  test('a line that a split moved to another fulfillment order is fulfilled there', async () => {
    const order = await shop.ordered({ 'POSTER-13X18': 1, 'MUG-11OZ': 1 });
    await splitOff(order, 'MUG-11OZ');
    await shop.ship(order, 'CODE-1', ['MUG-11OZ', 'POSTER-13X18']);
    await shop.push(order);
    expect(await shop.fulfilled(order.orderId)).toEqual([
      { lines: { 'POSTER-13X18': 1, 'MUG-11OZ': 1 }, codes: ['CODE-1'], notified: 1 },
    ]);
  });

  test('a print order whose fulfillment order moves to another service is held', async () => {
    const order = await shipPoster();
    await move(order, 'POSTER-13X18', await otherServiceLocation());
    await shop.push(order);
    await shop.push(order);
    expect(await shop.fulfilled(order.orderId)).toEqual([]);
    expect(await shop.holds(order)).toMatchObject([{ code: 'fulfillment_refused', resolvedAt: null }]);
    expect(await shop.timeline(order)).toEqual(['tracking', 'held']);
  });
});

/** Moves a line's fulfillment order to another location. */
async function move(order: ShippedOrder, sku: string, newLocationId: string | null): Promise<void> {
  const line = (await shop.openLines(order.orderId)).find((one) => one.sku === sku);
  const text = `mutation MoveFulfillmentOrder($id: ID!, $newLocationId: ID!) {
    fulfillmentOrderMove(id: $id, newLocationId: $newLocationId) { userErrors { message } }
  }`;
  await shop.mutate('MoveFulfillmentOrder', text, { id: line?.fulfillmentOrderId, newLocationId });
}

/** Returns the location of another app's fulfillment service. */
async function otherServiceLocation(): Promise<string> {
  const variants = await shop.inStore<{ sku: string; variantId: string }[]>('/variants');
  const vase = variants.find(({ sku }) => sku === 'MUG-15OZ');
  await shop.inStore(`/variants/${encodeURIComponent(vase?.variantId ?? '')}/stock`, { location: 'other' });
  const elsewhere = await shop.buy({ 'MUG-15OZ': 1 });
  const admin = await openAdmin(shop.app, shop.shop);
  const order = await readOrderForPlan(admin, elsewhere.id, { withCustomer: false });
  return order?.fulfillmentOrders[0]?.assignedLocation.location?.id ?? '';
}

/** Moves a line of an order into a separate fulfillment order. */
async function splitOff(order: ShippedOrder, sku: string): Promise<void> {
  const line = (await shop.openLines(order.orderId)).find((one) => one.sku === sku);
  const text = `mutation SplitFulfillmentOrder($splits: [FulfillmentOrderSplitInput!]!) {
    fulfillmentOrderSplit(fulfillmentOrderSplits: $splits) { userErrors { message } }
  }`;
  const splits = [
    { fulfillmentOrderId: line?.fulfillmentOrderId, fulfillmentOrderLineItems: [{ id: line?.id, quantity: 1 }] },
  ];
  await shop.mutate('SplitFulfillmentOrder', text, { splits });
}
