import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { planStorefrontOrder } from '../../src/orders/plan/plan-storefront-order.ts';
import { readJobPayloads } from '../http/test-app.ts';
import { appBehindProxy } from './store-in-between.ts';
import { openTestShop, type TestShop } from './test-shop.ts';
import { atTime } from '../helpers/at-time.ts';

let shop: TestShop;
beforeAll(async () => void (shop = await openTestShop()));
afterAll(() => shop.close());

describe('the fulfillment of shipped items', () => {
  test('a package with all items becomes one fulfillment, and the buyer gets one email', async () => {
    const order = await shop.ordered({ 'POSTER-13X18': 2, 'MUG-11OZ': 1 });
    await shop.ship(order, 'CODE-1', ['POSTER-13X18', 'MUG-11OZ']);
    await shop.push(order);
    expect(await shop.fulfilled(order.orderId)).toEqual([
      { lines: { 'POSTER-13X18': 2, 'MUG-11OZ': 1 }, codes: ['CODE-1'], notified: 1 },
    ]);
    const [made] = (await shop.storeOrder(order.orderId)).fulfillments;
    expect(made?.trackingUrls).toEqual(['https://track.example/CODE-1']);
    expect(await shop.rows(order)).toMatchObject([{ state: 'done', shopifyFulfillmentId: made?.id }]);
    expect((await shop.packages(order))[0]?.pushedAt).toBeInstanceOf(Date);
    expect(await shop.state(order)).toBe('fulfilled');
    expect(await shop.timeline(order)).toEqual(['tracking', 'fulfilled', 'finished']);
  });

  test('two workers with the same data create one fulfillment, although the store would accept a second one', async () => {
    const bought = await shop.buy({ 'POSTER-13X18': 9 });
    const order = await shop.printed(bought, { 'POSTER-13X18': 2 });
    await shop.ship(order, 'CODE-1', ['POSTER-13X18']);
    let reads = 0;
    const app = await appBehindProxy(shop, {
      async after(operation) {
        if (operation === 'OrderForPlan' && reads++ === 0) await shop.push(order);
      },
    });
    await shop.push(order, app);
    expect(reads).toBeGreaterThan(0);
    expect(await shop.fulfilled(bought.id)).toEqual([{ lines: { 'POSTER-13X18': 2 }, codes: ['CODE-1'], notified: 1 }]);
    expect((await shop.rows(order)).map(({ state }) => state)).toEqual(['done']);
  });

  test('two workers that claim simultaneously create one fulfillment', async () => {
    const bought = await shop.buy({ 'POSTER-13X18': 9 });
    const order = await shop.printed(bought, { 'POSTER-13X18': 2 });
    await shop.ship(order, 'CODE-1', ['POSTER-13X18']);
    // The trigger delays a claim so that the other worker starts before the claim is committed.
    await shop.app.db.query(`
      create function claim_slowly() returns trigger language plpgsql as $$ begin perform pg_sleep(0.5); return new; end $$;
      create trigger claim_slowly before insert on fulfillments for each row execute function claim_slowly();
    `);
    onTestFinished(async () => void (await shop.app.db.query('drop function claim_slowly cascade')));
    const both = Promise.withResolvers<void>();
    let reads = 0;
    const app = await appBehindProxy(shop, {
      async after(operation) {
        if (operation !== 'OrderForPlan') return;
        if ((reads += 1) === 2) both.resolve();
        await both.promise;
      },
    });
    await Promise.all([shop.push(order, app), shop.push(order, app)]);
    expect(await shop.fulfilled(bought.id)).toEqual([{ lines: { 'POSTER-13X18': 2 }, codes: ['CODE-1'], notified: 1 }]);
    expect((await shop.rows(order)).map(({ state }) => state)).toEqual(['done']);
  });

  test('a worker that pauses between its claim and its call does not send the call', async () => {
    const order = await shop.ordered({ 'POSTER-13X18': 1 });
    await shop.ship(order, 'CODE-1', ['POSTER-13X18']);
    let slept = 0;
    const now = () => new Date(Date.now() + 11_000 * slept++);
    await shop.push(order, atTime(shop.app, now));
    expect(await shop.fulfilled(order.orderId)).toEqual([]);
    expect((await shop.rows(order)).map(({ state }) => state)).toEqual(['refused', 'refused', 'refused']);
    expect(await readJobPayloads(shop.app.db, 'push_fulfillments')).toContainEqual({
      storefrontOrderId: order.storefrontOrderId,
    });
  });

  test('a code that has not been confirmed by a read is not sent to the buyer', async () => {
    const order = await shop.ordered({ 'POSTER-13X18': 1 });
    await shop.ship(order, 'CODE-1', ['POSTER-13X18']);
    await shop.app.db.query('update packages set confirmed_at = null where print_order_id = $1', [order.printOrder.id]);
    await shop.push(order);
    expect(await shop.fulfilled(order.orderId)).toEqual([]);
  });
});

describe('changes after a fulfillment', () => {
  test('another code for a fulfilled item is added to the same fulfillment without another email', async () => {
    const order = await shop.ordered({ 'POSTER-13X18': 2 });
    await shop.ship(order, 'CODE-2', ['POSTER-13X18']);
    await shop.push(order);
    await shop.ship(order, 'CODE-1', ['POSTER-13X18']);
    await shop.push(order);
    expect(await shop.fulfilled(order.orderId)).toEqual([
      { lines: { 'POSTER-13X18': 2 }, codes: ['CODE-2', 'CODE-1'], notified: 1 },
    ]);
    expect(await shop.rows(order)).toMatchObject([{ state: 'done', trackingCodes: ['CODE-2', 'CODE-1'] }]);
    expect(await shop.timeline(order)).toEqual(['tracking', 'fulfilled', 'finished', 'tracking', 'tracking_updated']);
  });

  test('two print orders for one line are each fulfilled with their own units', async () => {
    const bought = await shop.buy({ 'POSTER-13X18': 3 });
    const first = await shop.printed(bought, { 'POSTER-13X18': 1 }, 1);
    const second = await shop.printed(bought, { 'POSTER-13X18': 2 }, 2);
    await shop.ship(second, 'CODE-2', ['POSTER-13X18']);
    await shop.push(second);
    expect([await shop.state(first), await shop.state(second)]).toEqual(['shipped', 'fulfilled']);
    await shop.ship(first, 'CODE-1', ['POSTER-13X18']);
    await shop.push(first);
    expect(await shop.fulfilled(bought.id)).toEqual([
      { lines: { 'POSTER-13X18': 2 }, codes: ['CODE-2'], notified: 1 },
      { lines: { 'POSTER-13X18': 1 }, codes: ['CODE-1'], notified: 1 },
    ]);
    expect(await shop.state(first)).toBe('fulfilled');
  });

  test('a fulfillment that a person canceled is not created again', async () => {
    const order = await shop.ordered({ 'POSTER-13X18': 1 });
    await shop.ship(order, 'CODE-1', ['POSTER-13X18']);
    await shop.push(order);
    const [made] = (await shop.storeOrder(order.orderId)).fulfillments;
    await shop.cancelFulfillment(made?.id ?? '');
    await shop.push(order);
    expect(await shop.fulfilled(order.orderId)).toEqual([]);
  });
});

test('an order with removed units is finished only after a plan has read the removal', async () => {
  const order = await shop.ordered({ 'POSTER-13X18': 2 });
  const [line] = (await shop.storeOrder(order.orderId)).lines;
  const remove = [{ id: line?.id, quantity: 2 }];
  await shop.inStore(`/orders/${encodeURIComponent(order.orderId)}/edit`, { remove });
  await shop.ship(order, 'CODE-1', ['POSTER-13X18']);
  await shop.push(order);
  expect(await shop.state(order)).toBe('shipped');
  expect(await planStorefrontOrder(shop.app, order)).not.toBeNull();
  expect(await shop.holds(order)).toMatchObject([{ code: 'changed_after_submit', resolvedAt: null }]);
  await shop.runJobs();
  expect(await shop.state(order)).toBe('fulfilled');
});
