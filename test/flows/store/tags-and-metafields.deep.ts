import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { enqueueStoreUpdate } from '../../../src/orders/enqueue/enqueue-store-update.ts';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { markRedacted } from '../../../src/orders/privacy/mark-redacted.ts';
import { enqueueFollow } from '../../../src/orders/enqueue/enqueue-follow.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { entriesOfKind, fulfillmentsOf, placeAtService, type OrderAtService } from '../follow/place-at-service.ts';
import { injectFaults, untilNoDueJobs } from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

const DEMO = 'demo.myshopify.com';
const POSTER = 'POSTER-13X18';
const ON = { tagsOrders: true, writesOrderMetafields: true };
const OPTIONAL = ['AddOrderTags', 'RemoveOrderTags', 'SetOrderMetafields'];
const EXTRAS = [...OPTIONAL, 'CreateFulfillmentEvent', 'FulfillmentEvents'];
const OFF = { tagsOrders: false, writesOrderMetafields: false };

testPlaten({ advanceSeconds: null });
beforeEach(async () => {
  await platen.control('store', 'POST', `/shops/${DEMO}/scopes`, { grant: ['write_orders'] });
  await changeSettings(platen.app, platen.shop, ON);
});
afterEach(() => injectFaults(platen, [], 'store'));

const quiet = ({ order }: OrderAtService) => untilNoDueJobs(platen, order);

interface StoreExtras {
  tags: string[];
  metafields: Record<string, string>;
}

/** Returns the tags of an order in the store and its metafields, by key. */
async function readExtras({ order }: { order: { id: string } }): Promise<StoreExtras> {
  const { tags, metafields } = (await platen.control('store', 'GET', `/orders/${encodeURIComponent(order.id)}`)) as {
    tags: string[];
    metafields: { namespace: string; key: string; value: string }[];
  };
  return { tags, metafields: Object.fromEntries(metafields.map(({ key, value }) => [key, value])) };
}

/** Makes these Admin API requests fail. */
async function failCalls(operations: string[], fault: object = { kind: 'status', status: 500, effect: 'none' }) {
  await injectFaults(
    platen,
    operations.map((operation) => ({ operation, rate: 1, ...fault })),
    'store',
  );
}

/** Returns the number of requests that wrote or read tags, metafields and fulfillment events. */
async function countExtrasCalls(operations = EXTRAS): Promise<number> {
  const calls = (await platen.control('store', 'GET', '/calls')) as Record<string, number>;
  return operations.reduce((sum, operation) => sum + (calls[operation] ?? 0), 0);
}

const eventsOf = async (at: OrderAtService) =>
  (await fulfillmentsOf(platen, at)).map(({ codes, events }) => [codes[0], events.map(({ status }) => status)]);

describe('tags and metafields', () => {
  test('tags and metafields follow the print progress, and other tags remain unchanged', async () => {
    const at = await placeAtService(platen, { [POSTER]: 1 }, { tags: ['VIP', 'platen-fan'] });
    await eventually(() => readExtras(at).then(({ tags }) => tags)).toContain('platen: printing');
    const { tags, metafields } = await readExtras(at);
    expect(tags.toSorted()).toEqual(['VIP', 'platen-fan', 'platen: printing']);
    await eventually(() => readExtras(at).then((extras) => extras.metafields)).toMatchObject({
      print_status: 'printing',
      references: JSON.stringify([at.printOrder.reference]),
    });
    expect(metafields).not.toHaveProperty('hold');
    await at.advance('shipped', [{ skus: [POSTER], code: 'TAG-1' }]);
    await eventually(() => readExtras(at).then((extras) => extras.metafields['print_status'])).toBe('shipped');
    await eventually(() => readExtras(at).then((extras) => extras.tags.toSorted())).toEqual([
      'VIP',
      'platen-fan',
      'platen: shipped',
    ]);
    await quiet(at);
    expect((await readExtras(at)).tags.toSorted()).toEqual(['VIP', 'platen-fan', 'platen: shipped']);
  });

  test('a fulfillment does not wait for tags and metafields while the store requests for them fail', async () => {
    const at = await placeAtService(platen, { [POSTER]: 1 });
    await quiet(at);
    await failCalls(['AddOrderTags', 'SetOrderMetafields']);
    await at.advance('shipped', [{ skus: [POSTER], code: 'LATE-TAG' }]);
    await eventually(() => fulfillmentsOf(platen, at)).toMatchObject([{ codes: ['LATE-TAG'], mails: 1 }]);
    expect((await readExtras(at)).tags).not.toContain('platen: shipped');
    await eventually(() => findWaitingWrites(at)).toHaveLength(1);
    await injectFaults(platen, [], 'store');
    // Retries immediately instead of after the backoff.
    await enqueueStoreUpdate(platen.app.db, at.printOrder.storefrontOrderId);
    await eventually(() => readExtras(at).then(({ tags }) => tags)).toEqual(['platen: shipped']);
    await eventually(() => readExtras(at).then((extras) => extras.metafields['print_status'])).toBe('shipped');
  });
});

describe('changes to settings or permissions', () => {
  test('tags and metafields are removed when their settings are turned off, restored when they are turned on, and the service’s comment is erased with the customer', async () => {
    const at = await placeAtService(platen, { [POSTER]: 1 }, { tags: ['VIP'] });
    const held = { to: 'on_hold', comment: 'Paul has moved' };
    await platen.control('print', 'POST', `/orders/${at.printed.id}/advance`, held);
    const metafields = () => readExtras(at).then((extras) => extras.metafields);
    await eventually(() => metafields().then(({ hold }) => hold)).toContain('Paul has moved');
    await eventually(() => readExtras(at).then(({ tags }) => tags)).toContain('platen: held');
    await changeSettings(platen.app, platen.shop, OFF);
    await eventually(() => readExtras(at)).toEqual({ tags: ['VIP'], metafields: {} });
    await quiet(at);
    const before = await countExtrasCalls();
    await enqueueStoreUpdate(platen.app.db, at.printOrder.storefrontOrderId);
    await quiet(at);
    expect(await countExtrasCalls()).toBe(before);
    await changeSettings(platen.app, platen.shop, ON);
    await eventually(() => metafields().then(({ hold }) => hold)).toContain('Paul has moved');
    await eventually(() => readExtras(at).then(({ tags }) => tags)).toContain('platen: held');
    await quiet(at);
    const { id, shopId } = await platen.app.db.manager.findOneByOrFail(StorefrontOrders, {
      id: at.printOrder.storefrontOrderId,
    });
    await markRedacted(platen.app, platen.app.db.manager, { id, shopId });
    await eventually(() => metafields().then(({ hold }) => hold)).not.toContain('Paul has moved');
  });
});

/** Returns an order's jobs that are waiting to write to the store. */
const findWaitingWrites = ({ printOrder }: OrderAtService): Promise<object[]> =>
  platen.app.db.query(`select key from graphile_worker.jobs where key = $1 and run_at > now() and locked_at is null`, [
    `update_store:${printOrder.storefrontOrderId}`,
  ]);

describe('fulfillment events', () => {
  test('fulfillment events report once that a parcel is in transit and once that it has been delivered', async () => {
    const at = await placeAtService(platen, { [POSTER]: 1 });
    await platen.app.db.query(`update print_orders set max_delivery_date = '2026-12-09' where id = $1`, [
      at.printOrder.id,
    ]);
    await at.advance('shipped', [{ skus: [POSTER], code: 'EVENT-1' }]);
    await eventually(() => eventsOf(at)).toEqual([['EVENT-1', []]]);
    await quiet(at);
    await at.advance('in_transit');
    await eventually(() => eventsOf(at)).toEqual([['EVENT-1', ['IN_TRANSIT']]]);
    const [{ events } = { events: [] }] = await fulfillmentsOf(platen, at);
    expect(events[0]?.estimatedDeliveryAt).toMatch(/^2026-12-\d\dT12:00:00/);
    await at.advance('delivered');
    await eventually(() => eventsOf(at)).toEqual([['EVENT-1', ['IN_TRANSIT', 'DELIVERED']]]);
    for (let again = 0; again < 2; again += 1) {
      await enqueueFollow(platen.app.db.manager, at.printOrder);
      await enqueueStoreUpdate(platen.app.db, at.printOrder.storefrontOrderId);
      await quiet(at);
    }
    expect(await eventsOf(at)).toEqual([['EVENT-1', ['IN_TRANSIT', 'DELIVERED']]]);
    expect((await entriesOfKind(platen, at, 'event_sent')).map(({ data }) => data['status'])).toEqual([
      'IN_TRANSIT',
      'DELIVERED',
    ]);
  });
});
