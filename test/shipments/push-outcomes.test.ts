import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { PrintOrders } from '../../src/database/entities/print-orders.ts';
import { planStorefrontOrder } from '../../src/orders/plan/plan-storefront-order.ts';
import { readOrderForPlan } from '../../src/shopify/calls/orders.ts';
import { openAdmin } from '../../src/shops/tokens/tokens.ts';
import { catchUpPackages } from '../../src/shipments/catch-up-packages.ts';
import { appBehindProxy } from './store-in-between.ts';
import { ShopifyError } from '../../src/shopify/admin/errors.ts';
import { openTestShop, type ShippedOrder, type TestShop } from './test-shop.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop();
});
afterEach(() => shop.inStore('/faults', []));
afterAll(() => shop.close());

/** What the store does with the next creates of a fulfilment. */
const fail = (fault: Record<string, unknown>) =>
  shop.inStore('/faults', [{ operation: 'CreateFulfillment', rate: 1, ...fault }]);

async function shipPoster(units = 1): Promise<ShippedOrder> {
  const order = await shop.ordered({ 'POSTER-13X18': units });
  await shop.ship(order, 'CODE-1', ['POSTER-13X18']);
  return order;
}

/** When the next push of an order runs, in seconds from the app's now. */
async function nextPush({ storefrontOrderId }: ShippedOrder): Promise<number | null> {
  const rows: { run_at: Date }[] = await shop.app.db.query('select run_at from graphile_worker.jobs where key = $1', [
    `push:${storefrontOrderId}`,
  ]);
  return rows[0] ? (rows[0].run_at.getTime() - shop.app.now().getTime()) / 1000 : null;
}

/** How long after the last call of a fulfilment its order is looked at again, in seconds. */
async function nextLook(order: ShippedOrder): Promise<number> {
  const [row] = (await shop.rows(order)).slice(-1);
  return ((await nextPush(order)) ?? 0) + (shop.app.now().getTime() - (row?.begunAt.getTime() ?? 0)) / 1000;
}

async function states(order: ShippedOrder): Promise<string[]> {
  return (await shop.rows(order)).map(({ state }) => state);
}

describe('an answer that is lost', () => {
  test.each([
    ['the connection breaks after', { kind: 'reset', effect: 'done' }],
    ['a gateway fails after', { kind: 'status', status: 502, effect: 'done' }],
    ['half of the answer comes of', { kind: 'truncate', effect: 'done' }],
  ])('%s the fulfilment was made: it is found, and not made again', async (_, fault) => {
    const order = await shipPoster();
    await fail({ ...fault, times: 1 });
    await shop.push(order);
    expect(await states(order)).toEqual(['unclear']);
    expect((await shop.packages(order))[0]?.pushedAt).toBeNull();
    expect([5, 30]).toContain(Math.round(await nextLook(order)));
    await shop.push(order);
    expect(await states(order)).toEqual(['done']);
    expect(await shop.fulfilled(order.orderId)).toEqual([{ lines: { 'POSTER-13X18': 1 }, codes: ['CODE-1'], told: 1 }]);
    expect(await shop.timeline(order)).toEqual(['tracking', 'fulfillment_unclear', 'fulfilled', 'finished']);
    expect(await shop.state(order)).toBe('fulfilled');
  });

  test('of some units of a line: the units are not fulfilled twice', async () => {
    const bought = await shop.buy({ 'POSTER-13X18': 5 });
    const order = await shop.printed(bought, { 'POSTER-13X18': 2 });
    await shop.ship(order, 'CODE-1', ['POSTER-13X18']);
    await fail({ kind: 'reset', effect: 'done', times: 1 });
    for (let round = 0; round < 4; round += 1) await shop.push(order);
    expect(await shop.fulfilled(bought.id)).toEqual([{ lines: { 'POSTER-13X18': 2 }, codes: ['CODE-1'], told: 1 }]);
  });

  test('of a fulfilment that was not made: it is looked for after 5, 30 and 120 s and then made', async () => {
    const order = await shipPoster();
    await fail({ kind: 'reset', effect: 'none', times: 1 });
    await shop.push(order);
    shop.later(6);
    await shop.push(order);
    expect(await nextLook(order)).toBeCloseTo(30, 0);
    shop.later(25);
    await shop.push(order);
    expect(await nextLook(order)).toBeCloseTo(120, 0);
    expect(await states(order)).toEqual(['unclear']);
    expect(await shop.fulfilled(order.orderId)).toEqual([]);
    shop.later(90);
    await shop.push(order);
    expect(await states(order)).toEqual(['refused', 'done']);
    expect(await shop.fulfilled(order.orderId)).toMatchObject([{ codes: ['CODE-1'], told: 1 }]);
  });

  test('and an effect that comes late: one fulfilment of some units', async () => {
    const bought = await shop.buy({ 'POSTER-13X18': 5 });
    const order = await shop.printed(bought, { 'POSTER-13X18': 2 });
    await shop.ship(order, 'CODE-1', ['POSTER-13X18']);
    await fail({ kind: 'reset', effect: 'late', lateMs: 300, times: 1 });
    await shop.push(order);
    await shop.push(order);
    await expect.poll(() => shop.fulfilled(bought.id)).toHaveLength(1);
    shop.later(121);
    await shop.push(order);
    expect(await shop.fulfilled(bought.id)).toEqual([{ lines: { 'POSTER-13X18': 2 }, codes: ['CODE-1'], told: 1 }]);
    expect(await states(order)).toEqual(['done']);
  });

  test('while other items wait: they are fulfilled meanwhile', async () => {
    const order = await shop.ordered({ 'POSTER-13X18': 1, 'MUG-11OZ': 1 });
    await shop.ship(order, 'CODE-1', ['POSTER-13X18']);
    await fail({ kind: 'reset', effect: 'none', times: 1 });
    await shop.push(order);
    await shop.ship(order, 'CODE-2', ['MUG-11OZ']);
    await shop.push(order);
    expect(await shop.fulfilled(order.orderId)).toEqual([{ lines: { 'MUG-11OZ': 1 }, codes: ['CODE-2'], told: 1 }]);
  });

  test('of a worker that died right after the call: the next finds the fulfilment by its codes', async () => {
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

  test('of what is read after a fulfilment of many lines was made: it was made', async () => {
    const variants = await shop.inStore<{ sku: string; variantId: string }[]>('/variants');
    const variantId = variants.find(({ sku }) => sku === 'POSTER-13X18')?.variantId;
    const { id } = await shop.inStore<{ id: string }>('/orders', {
      lines: Array.from({ length: 22 }, () => ({ variantId, quantity: 1 })),
    });
    await expect.poll(() => shop.storeOrder(id)).toHaveProperty('fulfillmentOrders.0.id');
    const bought = await shop.storeOrder(id);
    const order = await shop.printed(bought, { 'POSTER-13X18': 1 });
    await shop.ship(order, 'CODE-1', ['POSTER-13X18']);
    await addLines(
      order,
      bought.lines.slice(1).map((line) => line.id),
    );
    await shop.inStore('/faults', [{ operation: 'FulfillmentLineItems', kind: 'status', status: 403, rate: 1 }]);
    await shop.push(order);
    expect(await states(order)).toEqual(['unclear']);
    await shop.inStore('/faults', []);
    await shop.push(order);
    expect(await states(order)).toEqual(['done']);
    expect((await shop.storeOrder(id)).fulfillments).toHaveLength(1);
  });

  test('by a restored database: the fulfilment is known by its codes', async () => {
    const order = await shop.ordered({ 'POSTER-13X18': 2, 'MUG-11OZ': 1 });
    await shop.ship(order, 'CODE-1', ['POSTER-13X18', 'MUG-11OZ']);
    await shop.push(order);
    await shop.app.db.query('delete from fulfillments where print_order_id = $1', [order.printOrder.id]);
    await shop.app.db.query('update packages set pushed_at = null where print_order_id = $1', [order.printOrder.id]);
    await shop.push(order);
    expect(await shop.fulfilled(order.orderId)).toHaveLength(1);
    expect((await shop.packages(order))[0]?.pushedAt).toBeInstanceOf(Date);
  });

  test('of a fulfilment that a person cancelled at once: it is not made again', async () => {
    const order = await shipPoster();
    await fail({ kind: 'reset', effect: 'done', times: 1 });
    await shop.push(order);
    const [made] = (await shop.storeOrder(order.orderId)).fulfillments;
    await shop.cancelFulfillment(made?.id ?? '');
    await shop.push(order);
    expect(await shop.fulfilled(order.orderId)).toEqual([]);
    expect(await nextPush(order)).toBeLessThanOrEqual(5);
  });
});

describe('a store that cannot be reached', () => {
  test('is asked again later, and nothing is lost', async () => {
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

  test('that asks for days of patience is asked again within minutes all the same', async () => {
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

  test('while a code is added to a fulfilment: it is added later', async () => {
    const order = await shipPoster();
    await shop.push(order);
    await shop.ship(order, 'CODE-2', ['POSTER-13X18']);
    await shop.inStore('/faults', [{ operation: 'UpdateFulfillmentTracking', kind: 'reset', rate: 1, times: 1 }]);
    await shop.push(order);
    await shop.push(order);
    expect(await shop.fulfilled(order.orderId)).toMatchObject([{ codes: ['CODE-1', 'CODE-2'], told: 1 }]);
  });

  test('of a shop that has uninstalled the app is left alone', async () => {
    const order = await shipPoster();
    await shop.app.db.query(`update shops set state = 'uninstalled'`);
    await shop.push(order);
    await shop.app.db.query(`update shops set state = 'installed'`);
    expect(await shop.fulfilled(order.orderId)).toEqual([]);
  });
});

describe('what was fulfilled by hand', () => {
  test('is met and not fulfilled again', async () => {
    const order = await shipPoster();
    const [line] = await shop.openLines(order.orderId);
    await shop.fulfillByHand(line?.fulfillmentOrderId ?? '');
    await shop.push(order);
    expect(await shop.fulfilled(order.orderId)).toEqual([{ lines: { 'POSTER-13X18': 1 }, codes: [], told: 0 }]);
    expect(await shop.timeline(order)).toEqual(['tracking', 'nothing_to_fulfill', 'finished']);
    expect((await shop.packages(order))[0]?.pushedAt).toBeInstanceOf(Date);
    expect(await shop.state(order)).toBe('fulfilled');
  });

  test('in part leaves the rest to be fulfilled', async () => {
    const order = await shipPoster(3);
    const [line] = await shop.openLines(order.orderId);
    await shop.fulfillByHand(line?.fulfillmentOrderId ?? '', [{ id: line?.id ?? '', quantity: 1 }]);
    await shop.push(order);
    expect(await shop.fulfilled(order.orderId)).toEqual([
      { lines: { 'POSTER-13X18': 1 }, codes: [], told: 0 },
      { lines: { 'POSTER-13X18': 2 }, codes: ['CODE-1'], told: 1 },
    ]);
    expect(await shop.state(order)).toBe('fulfilled');
  });

  test('with the code is known by it, and gets the others', async () => {
    const order = await shipPoster();
    await shop.ship(order, 'CODE-2', ['POSTER-13X18']);
    const [line] = await shop.openLines(order.orderId);
    await shop.fulfillByHand(line?.fulfillmentOrderId ?? '', undefined, ['CODE-1']);
    await shop.push(order);
    expect(await shop.fulfilled(order.orderId)).toEqual([
      { lines: { 'POSTER-13X18': 1 }, codes: ['CODE-1', 'CODE-2'], told: 0 },
    ]);
  });
});

test('an order of which everything was refunded is finished once all of it has shipped, not with its first parcel', async () => {
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
  await shop.app.db.manager.update(PrintOrders, { id }, { state: 'shipped', shippedAt: shop.app.now() });
  shop.later(120);
  await catchUpPackages(shop.app);
  await shop.runJobs();
  expect(await shop.state(order)).toBe('fulfilled');
});

describe('what cannot be fulfilled', () => {
  test('in an order that was cancelled is said and left', async () => {
    const order = await shipPoster();
    await shop.inStore(`/orders/${encodeURIComponent(order.orderId)}/cancel`, {});
    await shop.push(order);
    expect(await shop.fulfilled(order.orderId)).toEqual([]);
    expect(await shop.timeline(order)).toEqual(['tracking', 'nothing_to_fulfill']);
    expect((await shop.packages(order))[0]?.pushedAt).toBeInstanceOf(Date);
    expect(await shop.state(order)).toBe('shipped');
  });

  test('in an order that the store no longer has is said and left', async () => {
    const order = await shipPoster();
    await shop.app.db.query('update storefront_orders set shopify_order_id = $2 where id = $1', [
      order.storefrontOrderId,
      'gid://shopify/Order/1',
    ]);
    await shop.push(order);
    expect(await shop.timeline(order)).toEqual(['tracking', 'nothing_to_fulfill']);
  });

  test('in a fulfillment order on hold waits until it is released', async () => {
    const order = await shipPoster();
    const path = `/orders/${encodeURIComponent(order.orderId)}`;
    await shop.inStore(`${path}/hold`, {});
    await shop.push(order);
    await shop.push(order);
    expect(await shop.fulfilled(order.orderId)).toEqual([]);
    expect(await shop.timeline(order)).toEqual(['tracking', 'fulfillment_waits']);
    expect(await shop.holds(order)).toEqual([]);
    // What lasts is shown to a person.
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

  test('the rest of a package is fulfilled when its fulfillment order is open again', async () => {
    const order = await shop.ordered({ 'POSTER-13X18': 1, 'MUG-11OZ': 1 });
    await splitOff(order, 'MUG-11OZ');
    const path = `/orders/${encodeURIComponent(order.orderId)}`;
    const mug = (await shop.openLines(order.orderId)).find(({ sku }) => sku === 'MUG-11OZ');
    await shop.inStore(`${path}/hold`, { fulfillmentOrderId: mug?.fulfillmentOrderId });
    await shop.ship(order, 'CODE-1', ['POSTER-13X18', 'MUG-11OZ']);
    await shop.push(order);
    expect(await shop.fulfilled(order.orderId)).toMatchObject([{ lines: { 'POSTER-13X18': 1 }, codes: ['CODE-1'] }]);
    await shop.inStore(`${path}/release`, { fulfillmentOrderId: mug?.fulfillmentOrderId });
    await shop.push(order);
    expect(await shop.fulfilled(order.orderId)).toMatchObject([
      { lines: { 'POSTER-13X18': 1 }, codes: ['CODE-1'] },
      { lines: { 'MUG-11OZ': 1 }, codes: ['CODE-1'] },
    ]);
    expect(await shop.state(order)).toBe('fulfilled');
  });

  test('because the store refuses holds the print order with the store’s sentence, until a person has fulfilled it', async () => {
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

describe('a fulfilment that the store has refused', () => {
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

  test('is tried again after an hour, and the hold ends when it is taken', async () => {
    const order = await refused();
    shop.later(3700);
    await catchUpPackages(shop.app);
    expect(await nextPush(order)).not.toBeNull();
    await shop.runJobs();
    expect(await shop.fulfilled(order.orderId)).toEqual([{ lines: { 'POSTER-13X18': 1 }, codes: ['CODE-1'], told: 1 }]);
    expect((await shop.holds(order))[0]?.resolvedAt).toBeInstanceOf(Date);
    expect(await shop.timeline(order)).toEqual(['tracking', 'held', 'fulfilled', 'finished', 'hold_resolved']);
  });

  test('is tried again at once when something of the order has changed in the store', async () => {
    const order = await refused();
    shop.later(61);
    await planStorefrontOrder(shop.app, order);
    expect(await nextPush(order)).toBeLessThanOrEqual(1);
    await shop.push(order);
    expect(await shop.fulfilled(order.orderId)).toHaveLength(1);
    expect((await shop.holds(order))[0]?.resolvedAt).toBeInstanceOf(Date);
  });

  test('is not tried with every change within a minute', async () => {
    const order = await refused();
    await planStorefrontOrder(shop.app, order);
    expect(await nextPush(order)).toBeGreaterThan(20);
  });
});

test.each(['A B<C>|1', 'A{1}', '50%', 'É 1'])(
  'the URL of the code %j is spelled as the store takes it',
  async (code) => {
    const order = await shop.ordered({ 'POSTER-13X18': 1 });
    await shop.ship(order, code, ['POSTER-13X18']);
    await shop.push(order);
    const [made] = (await shop.storeOrder(order.orderId)).fulfillments;
    expect(made?.trackingCodes).toEqual([code]);
    expect(decodeURIComponent(made?.trackingUrls[0] ?? '')).toBe(`https://track.example/${code}`);
  },
);

test('a code that the store does not take for a fulfilment holds the print order, and the rest is fulfilled', async () => {
  const order = await shop.ordered({ 'POSTER-13X18': 1, 'MUG-11OZ': 1 });
  await shop.ship(order, 'CODE-1', ['POSTER-13X18']);
  await shop.push(order);
  await shop.ship(order, 'CODE-2', ['POSTER-13X18', 'MUG-11OZ']);
  const userErrors = [{ field: ['fulfillmentId'], message: 'The fulfillment is archived.' }];
  const refusing = await appBehindProxy(shop, {
    before: async (operation) =>
      operation === 'UpdateFulfillmentTracking'
        ? { data: { fulfillmentTrackingInfoUpdate: { fulfillment: null, userErrors } } }
        : null,
  });
  await shop.push(order, refusing);
  const refusal =
    'The store refused the fulfillment with the tracking codes CODE-1, CODE-2: The fulfillment is archived.';
  expect(await shop.holds(order)).toMatchObject([
    { code: 'fulfillment_refused', field: 'fulfillmentId', message: refusal },
  ]);
  expect(await shop.fulfilled(order.orderId)).toMatchObject([{ codes: ['CODE-1'] }, { codes: ['CODE-2'] }]);
  expect((await shop.packages(order)).map(({ pushedAt }) => pushedAt !== null)).toEqual([true, false]);
  expect(await shop.state(order)).toBe('shipped');
});

describe('a store that changes under our hands', () => {
  test('by a person who fulfils at the same time: their fulfilment is met and nothing is held', async () => {
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
    expect(await shop.fulfilled(order.orderId)).toEqual([{ lines: { 'POSTER-13X18': 1 }, codes: [], told: 0 }]);
    expect(await shop.holds(order)).toEqual([]);
    expect(await shop.state(order)).toBe('fulfilled');
  });

  test('by a split: the line is fulfilled where it is now', async () => {
    const order = await shop.ordered({ 'POSTER-13X18': 1, 'MUG-11OZ': 1 });
    await splitOff(order, 'MUG-11OZ');
    await shop.ship(order, 'CODE-1', ['MUG-11OZ', 'POSTER-13X18']);
    await shop.push(order);
    expect(await shop.fulfilled(order.orderId)).toEqual([
      { lines: { 'POSTER-13X18': 1, 'MUG-11OZ': 1 }, codes: ['CODE-1'], told: 1 },
    ]);
  });

  test('by a move of one line to another location: one fulfilment for each', async () => {
    const order = await shop.ordered({ 'POSTER-13X18': 1, 'MUG-11OZ': 1 });
    await splitOff(order, 'MUG-11OZ');
    await move(order, 'MUG-11OZ', shop.shop.locationId);
    await shop.ship(order, 'CODE-1', ['MUG-11OZ', 'POSTER-13X18']);
    await shop.push(order);
    expect(await shop.fulfilled(order.orderId)).toMatchObject([
      { lines: { 'POSTER-13X18': 1 }, codes: ['CODE-1'] },
      { lines: { 'MUG-11OZ': 1 }, codes: ['CODE-1'] },
    ]);
    expect(await shop.state(order)).toBe('fulfilled');
  });

  test('by a move to another fulfilment service: the print order is held for a person', async () => {
    const order = await shipPoster();
    await move(order, 'POSTER-13X18', await otherServiceLocation());
    await shop.push(order);
    await shop.push(order);
    expect(await shop.fulfilled(order.orderId)).toEqual([]);
    expect(await shop.holds(order)).toMatchObject([{ code: 'fulfillment_refused', resolvedAt: null }]);
    expect(await shop.timeline(order)).toEqual(['tracking', 'held']);
  });
});

/** Further lines of the print order, all in its package. */
async function addLines({ printOrder }: ShippedOrder, lineItemIds: string[]): Promise<void> {
  await shop.app.db.query(
    `insert into print_order_lines (print_order_id, item_reference_id, shopify_line_item_id, product_uid, quantity)
     select $1, split_part(id, '/', 5), id, 'product', 1 from unnest($2::text[]) as id`,
    [printOrder.id, lineItemIds],
  );
  await shop.app.db.query(
    `insert into package_items (package_id, item_reference_id)
     select k.id, split_part(l.id, '/', 5) from packages k, unnest($2::text[]) as l(id) where k.print_order_id = $1`,
    [printOrder.id, lineItemIds],
  );
}

/** Moves the fulfillment order of a line to another location. */
async function move(order: ShippedOrder, sku: string, newLocationId: string | null): Promise<void> {
  const line = (await shop.openLines(order.orderId)).find((one) => one.sku === sku);
  const text = `mutation MoveFulfillmentOrder($id: ID!, $newLocationId: ID!) {
    fulfillmentOrderMove(id: $id, newLocationId: $newLocationId) { userErrors { message } }
  }`;
  await shop.mutate('MoveFulfillmentOrder', text, { id: line?.fulfillmentOrderId, newLocationId });
}

/** The location of another app's fulfilment service. */
async function otherServiceLocation(): Promise<string> {
  const variants = await shop.inStore<{ sku: string; variantId: string }[]>('/variants');
  const vase = variants.find(({ sku }) => sku === 'MUG-15OZ');
  await shop.inStore(`/variants/${encodeURIComponent(vase?.variantId ?? '')}/stock`, { location: 'other' });
  const elsewhere = await shop.buy({ 'MUG-15OZ': 1 });
  const admin = await openAdmin(shop.app, shop.shop);
  const order = await readOrderForPlan(admin, elsewhere.id, { withCustomer: false });
  return order?.fulfillmentOrders[0]?.assignedLocation.location?.id ?? '';
}

/** Moves a line of an order into a fulfillment order of its own. */
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
