import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { App } from '../../src/app.ts';
import { StorefrontOrders } from '../../src/database/entities/orders.ts';
import { Shops } from '../../src/database/entities/shops.ts';
import { countChangesToUndo } from '../../src/orders/leave/count-changes-to-undo.ts';
import { holdFulfillmentOrder } from '../../src/shopify/calls/fulfillment-holds.ts';
import { addOrderTags, setOrderMetafields } from '../../src/shopify/calls/order-extras.ts';
import { refreshGrantedScopes } from '../../src/shops/tokens/scopes.ts';
import { openAdmin } from '../../src/shops/tokens/tokens.ts';
import { clearStore } from '../../src/store-status/clear-store.ts';
import { updateStore } from '../../src/store-status/update-store.ts';
import type { WrittenValues } from '../../src/orders/store-view/written-values.ts';
import { readJobPayloads } from '../http/test-app.ts';
import { appBehindProxy } from '../shipments/store-in-between.ts';
import { openTestShop, type ShippedOrder, type TestShop } from '../shipments/test-shop.ts';

const POSTER = 'POSTER-13X18';
const HOLD = { reason: 'OTHER' as const, reasonNotes: 'This order needs approval.' };

let shop: TestShop;
beforeAll(async () => void (shop = await openTestShop()));
afterAll(() => shop.close());
beforeEach(async () => {
  await shop.inStore('/faults', []);
  await shop.app.db.query('delete from storefront_orders; delete from graphile_worker._private_jobs');
  await setState('installed');
  await grant({ grant: ['write_orders'] });
});

const setState = (state: 'installed' | 'leaving') =>
  shop.app.db.getRepository(Shops).update({ id: shop.shop.id }, { state });
const clear = (by: App = shop.app) => clearStore(by, { shopId: shop.shop.id });
const count = () => countChangesToUndo(shop.app, shop.shop);

async function grant(change: object): Promise<void> {
  await shop.inStore(`/shops/${shop.shop.domain}/scopes`, change);
  await refreshGrantedScopes(shop.app, shop.shop);
}

interface Shown {
  tags: string[];
  metafields: { key: string }[];
  fulfillmentOrders: { id: string; status: string; holds: { handle: string | null }[] }[];
}
const endpoint = ({ orderId }: ShippedOrder) => `/orders/${encodeURIComponent(orderId)}`;
async function shown(order: ShippedOrder) {
  const { tags, metafields, fulfillmentOrders } = await shop.inStore<Shown>(endpoint(order));
  const holds = fulfillmentOrders.flatMap((one) => one.holds.map(({ handle }) => handle));
  return { tags, metafields: metafields.map(({ key }) => key), holds };
}
async function writtenOf({ storefrontOrderId }: ShippedOrder): Promise<WrittenValues> {
  return (await shop.app.db.manager.findOneByOrFail(StorefrontOrders, { id: storefrontOrderId })).written;
}
async function kinds({ storefrontOrderId }: ShippedOrder): Promise<string[]> {
  const rows: { kind: string }[] = await shop.app.db.query(
    'select kind from timeline_entries where storefront_order_id = $1 order by id',
    [storefrontOrderId],
  );
  return rows.map(({ kind }) => kind);
}
const keep = ({ storefrontOrderId: id }: ShippedOrder, written: WrittenValues) =>
  shop.app.db.manager.update(StorefrontOrders, { id }, { written: written as never });

/** Adds an order with a hold, a tag and a metafield from Platen, and with a hold and a tag from others. */
async function addWritten(): Promise<ShippedOrder> {
  const order = await shop.ordered({ [POSTER]: 1 });
  const admin = await openAdmin(shop.app, shop.shop);
  const { fulfillmentOrders } = await shop.inStore<Shown>(endpoint(order));
  const id = fulfillmentOrders[0]?.id ?? '';
  await shop.inStore(`${endpoint(order)}/hold`, {});
  const holdId = await holdFulfillmentOrder(admin, id, HOLD);
  await addOrderTags(admin, order.orderId, ['VIP', 'platen: printing']);
  const type = 'single_line_text_field';
  await setOrderMetafields(admin, order.orderId, [{ key: 'print_status', type, value: 'printing' }]);
  await keep(order, {
    tags: ['platen: printing'],
    triedTags: ['platen: held'],
    metafields: { print_status: 'hash' },
    holds: { why: 'hash', ids: { [id]: holdId } },
  });
  return order;
}

test("Platen's own hold, tags and metafields are removed from an order, but those of others are kept", async () => {
  const order = await addWritten();
  expect(await count()).toMatchObject({ held: 1, tagged: 1, orderMetafields: 1, missingScopes: [] });
  expect((await shown(order)).holds).toEqual([null, 'platen']);
  await clear();
  expect(await writtenOf(order)).toHaveProperty('tags');
  await setState('leaving');
  await clear();
  expect(await shown(order)).toEqual({ tags: ['VIP'], metafields: [], holds: [null] });
  expect(await writtenOf(order)).toEqual({});
  expect(await kinds(order)).toEqual(['released_in_store', 'tags_taken_back', 'metafields_taken_back']);
  expect(await count()).toMatchObject({ held: 0, tagged: 0, orderMetafields: 0 });
  expect(await readJobPayloads(shop.app.db, 'clear_store')).toEqual([]);
});

test('a hold that moved to another fulfillment order, or whose response was lost, is found and released', async () => {
  const [moved, lost] = [await addWritten(), await addWritten()];
  await keep(moved, {
    holds: { why: 'hash', ids: { 'gid://shopify/FulfillmentOrder/1': 'gid://shopify/FulfillmentHold/1' } },
  });
  await keep(lost, { holds: { why: '', ids: {}, isTried: true } });
  expect(await count()).toMatchObject({ held: 2 });
  await setState('leaving');
  await clear();
  expect([(await shown(moved)).holds, (await shown(lost)).holds]).toEqual([[null], [null]]);
  expect(await count()).toMatchObject({ held: 0 });
});

test('a missing hold or order counts as done and does not block other removals', async () => {
  const [released, deleted, other] = [await addWritten(), await addWritten(), await addWritten()];
  await shop.inStore(`${endpoint(released)}/release`, {});
  await fetch(`${shop.storeUrl}/_control${endpoint(deleted)}`, { method: 'DELETE' });
  await setState('leaving');
  await clear();
  expect(await count()).toMatchObject({ held: 0, tagged: 0, orderMetafields: 0 });
  expect((await shown(other)).tags).toEqual(['VIP']);
  expect(await kinds(released)).toEqual(['tags_taken_back', 'metafields_taken_back']);
  expect(await kinds(deleted)).toEqual(['tags_left', 'metafields_left']);
});

test('a hold that the store does not release is reported as remaining', async () => {
  const order = await addWritten();
  await setState('leaving');
  const app = await appBehindProxy(shop, {
    before: async (operation) =>
      operation === 'TakeBackHolds'
        ? { data: { at0: { complaints: [{ field: ['id'], message: 'Not this one.' }] } } }
        : null,
  });
  await clear(app);
  expect((await shown(order)).holds).toHaveLength(2);
  expect(await kinds(order)).toContain('hold_left');
  expect(await kinds(order)).not.toContain('released_in_store');
  expect(await count()).toMatchObject({ held: 0 });
});

test('without the permission, only holds are released, and the other values are counted with the missing scopes', async () => {
  const order = await addWritten();
  await grant({ revoke: ['write_orders'] });
  await setState('leaving');
  await clear();
  expect(await shown(order)).toMatchObject({ tags: ['VIP', 'platen: printing'], holds: [null] });
  expect(await count()).toMatchObject({ held: 0, tagged: 1, orderMetafields: 1, missingScopes: ['write_orders'] });
  expect(await readJobPayloads(shop.app.db, 'clear_store')).toEqual([]);
});

test('a shop that resumes Platen keeps its remaining values, and removed values are written again', async () => {
  const order = await addWritten();
  await setState('leaving');
  const app = await appBehindProxy(shop, {
    after: async (operation) => void (operation === 'TakeBackTags' && (await setState('installed'))),
  });
  await expect(clear(app)).rejects.toMatchObject({ code: 'shop_needs_sign_in' });
  expect(await shown(order)).toMatchObject({ tags: ['VIP'], metafields: ['print_status'] });
  expect(await writtenOf(order)).toEqual({ metafields: { print_status: 'hash' } });
  expect(await readJobPayloads(shop.app.db, 'update_store')).toEqual([{ storefrontOrderId: order.storefrontOrderId }]);
});

test('changes that are being written when the shop starts leaving are also undone', async () => {
  const order = await shop.ordered({ [POSTER]: 1 });
  await shop.set({ tagsOrders: true });
  const app = await appBehindProxy(shop, {
    after: async (operation) => void (operation === 'AddOrderTags' && (await setState('leaving'))),
  });
  await updateStore(app, order);
  expect((await shown(order)).tags).toEqual(['platen: shipped']);
  expect(await readJobPayloads(shop.app.db, 'clear_store')).toEqual([{ shopId: shop.shop.id }]);
  await clear();
  expect(await shown(order)).toMatchObject({ tags: [] });
});
