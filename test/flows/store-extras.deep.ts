import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { enqueueTellStore } from '../../src/orders/enqueue/enqueue-tell-store.ts';
import { StorefrontOrders } from '../../src/database/entities/orders.ts';
import { markRedacted } from '../../src/orders/privacy/mark-redacted.ts';
import { enqueueFollow } from '../../src/orders/enqueue/enqueue-follow.ts';
import { remedyOf } from '../../src/orders/facts/hold-codes.ts';
import { changeSettings } from '../../src/shops/settings/settings.ts';
import { untilIdle } from '../helpers/until-idle.ts';
import { startPlaten, type Platen } from '../helpers/platen.ts';
import {
  BIG_MUG,
  BOOK,
  entriesOfKind,
  fulfillmentsOf,
  PATIENCE,
  placeAtService,
  placeSplit,
  type OrderAtService,
} from './shipping-orders.ts';
import { injectFaults, printOrdersOf, untilQuiet } from './submitting.ts';

const DEMO = 'demo.myshopify.com';
const POSTER = 'POSTER-13X18';
const MUG = 'MUG-11OZ';
const ON = { tagsOrders: true, writesOrderMetafields: true, sendsFulfillmentEvents: true };
const EXTRAS = ['AddOrderTags', 'RemoveOrderTags', 'SetOrderMetafields', 'CreateFulfillmentEvent', 'FulfillmentEvents'];
const OFF = { tagsOrders: false, writesOrderMetafields: false, sendsFulfillmentEvents: false };

let platen: Platen;
beforeAll(async () => {
  platen = await startPlaten({ advanceSeconds: null });
}, 60_000);
afterAll(() => platen.stop());
beforeEach(async () => {
  await platen.control('store', 'POST', `/shops/${DEMO}/scopes`, { grant: ['write_orders'] });
  await changeSettings(platen.app, platen.shop, ON);
});
afterEach(() => injectFaults(platen, [], 'store'));

const quiet = ({ order }: OrderAtService) => untilQuiet(platen, order, 40_000);

interface StoreExtras {
  tags: string[];
  metafields: Record<string, string>;
}

/** The tags of an order in the store and its metafields, by key. */
async function extrasOf({ order }: { order: { id: string } }): Promise<StoreExtras> {
  const { tags, metafields } = (await platen.control('store', 'GET', `/orders/${encodeURIComponent(order.id)}`)) as {
    tags: string[];
    metafields: { namespace: string; key: string; value: string }[];
  };
  return { tags, metafields: Object.fromEntries(metafields.map(({ key, value }) => [key, value])) };
}

/** From now on these calls of the Admin API fail. */
async function failCalls(operations: string[], fault: object = { kind: 'status', status: 500, effect: 'none' }) {
  await injectFaults(
    platen,
    operations.map((operation) => ({ operation, rate: 1, ...fault })),
    'store',
  );
}
/** How often the store was told something beside fulfilments. */
async function callsOfExtras(): Promise<number> {
  const calls = (await platen.control('store', 'GET', '/calls')) as Record<string, number>;
  return EXTRAS.reduce((sum, operation) => sum + (calls[operation] ?? 0), 0);
}

const eventsOf = async (at: OrderAtService) =>
  (await fulfillmentsOf(platen, at)).map(({ codes, events }) => [codes[0], events.map(({ status }) => status)]);

describe('tags and metafields', () => {
  test('follow the printing, and the tags of others stay', async () => {
    const at = await placeAtService(platen, { [POSTER]: 1 }, { tags: ['VIP', 'platen-fan'] });
    await expect.poll(() => extrasOf(at).then(({ tags }) => tags), PATIENCE).toContain('platen: printing');
    const { tags, metafields } = await extrasOf(at);
    expect(tags.toSorted()).toEqual(['VIP', 'platen-fan', 'platen: printing']);
    await expect
      .poll(() => extrasOf(at).then((extras) => extras.metafields), PATIENCE)
      .toMatchObject({
        print_status: 'printing',
        references: JSON.stringify([at.printOrder.reference]),
      });
    expect(metafields).not.toHaveProperty('hold');
    await at.advance('shipped', [{ skus: [POSTER], code: 'TAG-1' }]);
    await expect.poll(() => extrasOf(at).then((extras) => extras.metafields['print_status']), PATIENCE).toBe('shipped');
    await expect
      .poll(() => extrasOf(at).then((extras) => extras.tags.toSorted()), PATIENCE)
      .toEqual(['VIP', 'platen-fan', 'platen: shipped']);
    await quiet(at);
    expect((await extrasOf(at)).tags.toSorted()).toEqual(['VIP', 'platen-fan', 'platen: shipped']);
  });

  test('are written when something changes and not again', async () => {
    const at = await placeAtService(platen, { [POSTER]: 1 });
    await expect
      .poll(() => extrasOf(at).then((extras) => extras.metafields['print_status']), PATIENCE)
      .toBe('printing');
    await quiet(at);
    const before = await callsOfExtras();
    await enqueueTellStore(platen.app.db, at.printOrder.storefrontOrderId);
    await quiet(at);
    expect(await callsOfExtras()).toBe(before);
  });

  test('say what is held and what to do about it, and that it no longer is', async () => {
    const at = await placeAtService(platen, { [POSTER]: 1 });
    await at.advance('on_hold');
    await expect.poll(() => extrasOf(at).then(({ tags }) => tags), PATIENCE).toContain('platen: held');
    const [hold] = (await platen.listed(at.order.id)).holds;
    await expect
      .poll(() => extrasOf(at).then(({ metafields }) => metafields['hold']), PATIENCE)
      .toBe(`${hold?.message}\nWhat to do: ${remedyOf(hold?.code ?? '')}`);
    await at.advance('passed');
    await expect
      .poll(() => extrasOf(at).then(({ metafields }) => metafields['hold']), PATIENCE)
      .toBe('Nothing is held.');
    expect((await extrasOf(at)).tags).not.toContain('platen: held');
  });

  test('come once the store can be asked again; the fulfilment does not wait for them', async () => {
    const at = await placeAtService(platen, { [POSTER]: 1 });
    await quiet(at);
    await failCalls(['AddOrderTags', 'SetOrderMetafields']);
    await at.advance('shipped', [{ skus: [POSTER], code: 'LATE-TAG' }]);
    await expect.poll(() => fulfillmentsOf(platen, at), PATIENCE).toMatchObject([{ codes: ['LATE-TAG'], mails: 1 }]);
    expect((await extrasOf(at)).tags).not.toContain('platen: shipped');
    await expect.poll(() => waitingTells(at), PATIENCE).toHaveLength(1);
    await injectFaults(platen, [], 'store');
    // As if the wait for the store were over.
    await enqueueTellStore(platen.app.db, at.printOrder.storefrontOrderId);
    await expect.poll(() => extrasOf(at).then(({ tags }) => tags), PATIENCE).toEqual(['platen: shipped']);
    await expect.poll(() => extrasOf(at).then((extras) => extras.metafields['print_status']), PATIENCE).toBe('shipped');
  });

  test('stay as they are where the permission was taken back, and the order is fulfilled all the same', async () => {
    const at = await placeAtService(platen, { [POSTER]: 1 });
    await expect.poll(() => extrasOf(at).then(({ tags }) => tags), PATIENCE).toEqual(['platen: printing']);
    await quiet(at);
    // The news of it is lost: the store's own refusal tells it.
    await platen.control('store', 'POST', '/webhooks', { drop: 1 });
    await platen.control('store', 'POST', `/shops/${DEMO}/scopes`, { revoke: ['write_orders'] });
    await platen.control('store', 'POST', '/webhooks', { drop: 0 });
    await at.advance('shipped', [{ skus: [POSTER], code: 'NO-SCOPE' }]);
    await expect.poll(() => fulfillmentsOf(platen, at), PATIENCE).toMatchObject([{ codes: ['NO-SCOPE'], mails: 1 }]);
    await platen.untilState(at.order.id, 'fulfilled', 40_000);
    await quiet(at);
    expect((await extrasOf(at)).tags).toEqual(['platen: printing']);
    expect(await waitingTells(at)).toEqual([]);
  });
});

describe('settings and permissions that change', () => {
  test('what was missed while the permission was taken back is told once it is given again', async () => {
    const at = await placeAtService(platen, { [POSTER]: 1 });
    await expect.poll(() => extrasOf(at).then(({ tags }) => tags), PATIENCE).toEqual(['platen: printing']);
    await quiet(at);
    await platen.control('store', 'POST', `/shops/${DEMO}/scopes`, { revoke: ['write_orders'] });
    await at.advance('shipped', [{ skus: [POSTER], code: 'GIVEN-BACK' }]);
    await platen.untilState(at.order.id, 'fulfilled', 40_000);
    await quiet(at);
    expect((await extrasOf(at)).tags).toEqual(['platen: printing']);
    await platen.control('store', 'POST', `/shops/${DEMO}/scopes`, { grant: ['write_orders'] });
    await expect.poll(() => extrasOf(at).then(({ tags }) => tags), PATIENCE).toEqual(['platen: shipped']);
  });

  test('tags that are no longer wanted are taken off, and set again when they are', async () => {
    const at = await placeAtService(platen, { [POSTER]: 1 }, { tags: ['VIP'] });
    await expect.poll(() => extrasOf(at).then(({ tags }) => tags), PATIENCE).toContain('platen: printing');
    await changeSettings(platen.app, platen.shop, { tagsOrders: false });
    await expect.poll(() => extrasOf(at).then(({ tags }) => tags), PATIENCE).toEqual(['VIP']);
    await quiet(at);
    await changeSettings(platen.app, platen.shop, { tagsOrders: true });
    await expect
      .poll(() => extrasOf(at).then(({ tags }) => tags.toSorted()), PATIENCE)
      .toEqual(['VIP', 'platen: printing']);
  });

  test('the service’s words go from the store with the customer’s data though metafields are switched off', async () => {
    const at = await placeAtService(platen, { [POSTER]: 1 });
    await platen.control('print', 'POST', `/orders/${at.printed.id}/advance`, {
      to: 'on_hold',
      comment: 'Paul has moved',
    });
    const hold = () => extrasOf(at).then(({ metafields }) => metafields['hold']);
    await expect.poll(hold, PATIENCE).toContain('Paul has moved');
    await changeSettings(platen.app, platen.shop, { writesOrderMetafields: false });
    await quiet(at);
    expect(await hold()).toContain('Paul has moved');
    const { id, shopId } = await platen.app.db.manager.findOneByOrFail(StorefrontOrders, {
      id: at.printOrder.storefrontOrderId,
    });
    await markRedacted(platen.app, platen.app.db.manager, { id, shopId });
    await expect.poll(hold, PATIENCE).toBe('Nothing is held.');
    await quiet(at);
    const before = await callsOfExtras();
    await enqueueTellStore(platen.app.db, id);
    await quiet(at);
    expect(await callsOfExtras()).toBe(before);
  });
});

/** What waits to be told of an order until the store can be asked again. */
const waitingTells = ({ printOrder }: OrderAtService): Promise<object[]> =>
  platen.app.db.query(`select key from graphile_worker.jobs where key = $1 and run_at > now() and locked_at is null`, [
    `tell:${printOrder.storefrontOrderId}`,
  ]);

describe('fulfilment events', () => {
  test('tell that a parcel is on its way, with its day, and delivered, each once', async () => {
    const at = await placeAtService(platen, { [POSTER]: 1 });
    await platen.app.db.query(`update print_orders set max_delivery_date = '2026-12-09' where id = $1`, [
      at.printOrder.id,
    ]);
    await at.advance('shipped', [{ skus: [POSTER], code: 'EVENT-1' }]);
    await expect.poll(() => eventsOf(at), PATIENCE).toEqual([['EVENT-1', []]]);
    await quiet(at);
    await at.advance('in_transit');
    await expect.poll(() => eventsOf(at), PATIENCE).toEqual([['EVENT-1', ['IN_TRANSIT']]]);
    const [{ events } = { events: [] }] = await fulfillmentsOf(platen, at);
    expect(events[0]?.estimatedDeliveryAt).toMatch(/^2026-12-\d\dT12:00:00/);
    await at.advance('delivered');
    await expect.poll(() => eventsOf(at), PATIENCE).toEqual([['EVENT-1', ['IN_TRANSIT', 'DELIVERED']]]);
    for (let again = 0; again < 2; again += 1) {
      await enqueueFollow(platen.app.db.manager, at.printOrder);
      await enqueueTellStore(platen.app.db, at.printOrder.storefrontOrderId);
      await quiet(at);
    }
    expect(await eventsOf(at)).toEqual([['EVENT-1', ['IN_TRANSIT', 'DELIVERED']]]);
    expect((await entriesOfKind(platen, at, 'event_told')).map(({ data }) => data['status'])).toEqual([
      'IN_TRANSIT',
      'DELIVERED',
    ]);
  });

  test('of one part of an order are told of the fulfilment that bears its codes', async () => {
    const { at, parts } = await placeSplit(platen);
    await at.advance('shipped', [{ skus: [BOOK], code: 'BOOK-1' }], parts.of(BOOK));
    await at.advance('shipped', [{ skus: [BIG_MUG], code: 'MUG-1' }], parts.of(BIG_MUG));
    await expect.poll(() => eventsOf(at).then((events) => events.length), PATIENCE).toBe(2);
    await at.advance('delivered', undefined, parts.of(BOOK));
    const events = async () => Object.fromEntries(await eventsOf(at)) as object;
    // The step on the way may have been seen or not.
    const told = async () => Object.entries(await events()).map(([code, of]) => [code, (of as string[]).at(-1)]);
    await expect.poll(told, PATIENCE).toContainEqual(['BOOK-1', 'DELIVERED']);
    await quiet(at);
    expect(await events()).toMatchObject({ 'MUG-1': [] });
  });

  test('are told once though the answer was lost', async () => {
    const at = await placeAtService(platen, { [POSTER]: 1 });
    await at.advance('shipped', [{ skus: [POSTER], code: 'EVENT-2' }]);
    await expect.poll(() => eventsOf(at), PATIENCE).toEqual([['EVENT-2', []]]);
    await quiet(at);
    await failCalls(['CreateFulfillmentEvent'], { kind: 'reset', effect: 'done', times: 1 });
    await at.advance('delivered');
    await expect.poll(() => eventsOf(at), PATIENCE).toEqual([['EVENT-2', ['DELIVERED']]]);
    await enqueueTellStore(platen.app.db, at.printOrder.storefrontOrderId);
    await quiet(at);
    expect(await eventsOf(at)).toEqual([['EVENT-2', ['DELIVERED']]]);
    expect(await waitingTells(at)).toEqual([]);
  });

  test('are told of a fulfilment that is made after the parcel has arrived', async () => {
    const at = await placeAtService(platen, { [POSTER]: 1 });
    await at.advance('shipped', []);
    await at.advance('delivered', [{ skus: [POSTER], code: 'EVENT-3' }]);
    await expect.poll(() => eventsOf(at), PATIENCE).toEqual([['EVENT-3', ['DELIVERED']]]);
  });
});

test('with all settings off the store is not called beside the fulfilment', async () => {
  await changeSettings(platen.app, platen.shop, OFF);
  await untilIdle(platen.app);
  const before = await callsOfExtras();
  const at = await placeAtService(platen, { [POSTER]: 1, [MUG]: 1 });
  await at.advance('delivered', [{ skus: [POSTER, MUG], code: 'OFF-1' }]);
  await platen.untilState(at.order.id, 'fulfilled', 40_000);
  await quiet(at);
  expect(await callsOfExtras()).toBe(before);
  expect(await extrasOf(at)).toEqual({ tags: [], metafields: {} });
  expect(await printOrdersOf(platen, at.order)).toMatchObject([{ state: 'fulfilled' }]);
});
