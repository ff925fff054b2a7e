import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { OrderLines, TimelineEntries } from '../../src/database/entities/orders.ts';
import { readJobPayloads } from '../http/test-app.ts';
import { appBehindProxy } from './store-in-between.ts';
import { openTestShop, type TestShop } from './test-shop.ts';
import { atTime } from '../helpers/at-time.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop();
});
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

  test("the order lines get the store's fulfilled quantities, and the order is planned again", async () => {
    const order = await shop.ordered({ 'POSTER-13X18': 3, 'MUG-11OZ': 1 });
    await shop.ship(order, 'CODE-1', ['POSTER-13X18']);
    await shop.push(order);
    const where = { storefrontOrderId: order.storefrontOrderId };
    const lines = await shop.app.db.manager.find(OrderLines, { where, order: { sku: 'ASC' } });
    expect(lines.map(({ sku, fulfilledQuantity }) => [sku, fulfilledQuantity])).toEqual([
      ['MUG-11OZ', 0],
      ['POSTER-13X18', 3],
    ]);
    expect(await readJobPayloads(shop.app.db, 'plan_order')).toContainEqual(where);
    expect(await shop.state(order)).toBe('shipped');
  });

  test('two packages with different items become two fulfillments', async () => {
    const order = await shop.ordered({ 'POSTER-13X18': 1, 'MUG-11OZ': 1 });
    await shop.ship(order, 'CODE-2', ['MUG-11OZ']);
    await shop.ship(order, 'CODE-1', ['POSTER-13X18']);
    await shop.push(order);
    expect(await shop.fulfilled(order.orderId)).toEqual([
      { lines: { 'POSTER-13X18': 1 }, codes: ['CODE-1'], notified: 1 },
      { lines: { 'MUG-11OZ': 1 }, codes: ['CODE-2'], notified: 1 },
    ]);
  });

  test('two packages that share an item become one fulfillment with both codes', async () => {
    const order = await shop.ordered({ 'POSTER-13X18': 2, 'MUG-11OZ': 1 });
    await shop.ship(order, 'CODE-2', ['POSTER-13X18', 'MUG-11OZ']);
    await shop.ship(order, 'CODE-1', ['POSTER-13X18']);
    await shop.push(order);
    expect(await shop.fulfilled(order.orderId)).toEqual([
      { lines: { 'POSTER-13X18': 2, 'MUG-11OZ': 1 }, codes: ['CODE-1', 'CODE-2'], notified: 1 },
    ]);
  });

  test('a second push of the same packages changes nothing', async () => {
    const order = await shop.ordered({ 'POSTER-13X18': 1 });
    await shop.ship(order, 'CODE-1', ['POSTER-13X18']);
    await shop.push(order);
    await shop.push(order);
    await shop.push(order);
    expect(await shop.fulfilled(order.orderId)).toHaveLength(1);
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

  test("a worker does not change a fulfillment while another worker's call is in progress", async () => {
    const bought = await shop.buy({ 'POSTER-13X18': 9 });
    const order = await shop.printed(bought, { 'POSTER-13X18': 2 });
    await shop.ship(order, 'CODE-1', ['POSTER-13X18']);
    let creates = 0;
    const app = await appBehindProxy(shop, {
      async before(operation) {
        if (operation === 'CreateFulfillment' && creates++ === 0) await shop.push(order);
        return null;
      },
    });
    await shop.push(order, app);
    expect(creates).toBe(1);
    expect(await shop.fulfilled(bought.id)).toEqual([{ lines: { 'POSTER-13X18': 2 }, codes: ['CODE-1'], notified: 1 }]);
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

  test('the buyer gets no email if the shop has turned off these emails', async () => {
    await shop.set({ notifyCustomer: false });
    const order = await shop.ordered({ 'POSTER-13X18': 1 });
    await shop.ship(order, 'CODE-1', ['POSTER-13X18']);
    await shop.push(order);
    await shop.set({ notifyCustomer: true });
    expect(await shop.fulfilled(order.orderId)).toMatchObject([{ codes: ['CODE-1'], notified: 0 }]);
  });
});

test('a code with unknown items fulfills nothing, and the timeline records this', async () => {
  const order = await shop.ordered({ 'POSTER-13X18': 1 });
  await shop.shipItems(order, 'CODE-1', [{ itemReferenceId: 'unknown', quantity: 1 }]);
  await shop.push(order);
  expect(await shop.fulfilled(order.orderId)).toEqual([]);
  const [said] = await shop.app.db.manager.findBy(TimelineEntries, {
    printOrderId: order.printOrder.id,
    kind: 'nothing_to_fulfill',
  });
  expect(said?.message).toBe(
    `The print service lists no item of ${order.printOrder.reference} for the tracking code CODE-1, so Platen fulfills no items.`,
  );
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

  test('a code for a fulfilled item and a new item is added to the old fulfillment and fulfills the new item', async () => {
    const order = await shop.ordered({ 'POSTER-13X18': 1, 'MUG-11OZ': 1 });
    await shop.ship(order, 'CODE-1', ['POSTER-13X18']);
    await shop.push(order);
    await shop.ship(order, 'CODE-2', ['POSTER-13X18', 'MUG-11OZ']);
    await shop.push(order);
    expect(await shop.fulfilled(order.orderId)).toEqual([
      { lines: { 'POSTER-13X18': 1 }, codes: ['CODE-1', 'CODE-2'], notified: 1 },
      { lines: { 'MUG-11OZ': 1 }, codes: ['CODE-2'], notified: 1 },
    ]);
  });

  test("an item that is added later to a pushed package is fulfilled with the package's code", async () => {
    const order = await shop.ordered({ 'POSTER-13X18': 1, 'MUG-11OZ': 1 });
    await shop.ship(order, 'CODE-1', ['POSTER-13X18']);
    await shop.push(order);
    await shop.ship(order, 'CODE-1', ['POSTER-13X18', 'MUG-11OZ']);
    await shop.push(order);
    expect(await shop.fulfilled(order.orderId)).toEqual([
      { lines: { 'POSTER-13X18': 1 }, codes: ['CODE-1'], notified: 1 },
      { lines: { 'MUG-11OZ': 1 }, codes: ['CODE-1'], notified: 1 },
    ]);
    expect(await shop.state(order)).toBe('fulfilled');
  });

  test('the parts of a split line are each fulfilled with their own units', async () => {
    const order = await shop.ordered({ 'POSTER-13X18': 3 });
    await shop.ship(order, 'CODE-1', ['POSTER-13X18'], { serviceOrderId: 'part-1' });
    await shop.app.db.query(
      'update package_items set quantity = 2 where package_id in (select id from packages where print_order_id = $1)',
      [order.printOrder.id],
    );
    await shop.push(order);
    expect(await shop.state(order)).toBe('shipped');
    await shop.ship(order, 'CODE-2', ['POSTER-13X18'], { serviceOrderId: 'part-2' });
    await shop.push(order);
    expect(await shop.fulfilled(order.orderId)).toEqual([
      { lines: { 'POSTER-13X18': 2 }, codes: ['CODE-1'], notified: 1 },
      { lines: { 'POSTER-13X18': 1 }, codes: ['CODE-2'], notified: 1 },
    ]);
    expect(await shop.state(order)).toBe('fulfilled');
  });

  test("a part's code is added to another part's fulfillment if the part's units are in that fulfillment", async () => {
    const order = await shop.ordered({ 'POSTER-13X18': 2 });
    await shop.ship(order, 'CODE-1', ['POSTER-13X18'], { serviceOrderId: 'part-1' });
    await shop.push(order);
    await shop.ship(order, 'CODE-2', ['POSTER-13X18'], { serviceOrderId: 'part-2' });
    await shop.push(order);
    expect(await shop.fulfilled(order.orderId)).toEqual([
      { lines: { 'POSTER-13X18': 2 }, codes: ['CODE-1', 'CODE-2'], notified: 1 },
    ]);
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
