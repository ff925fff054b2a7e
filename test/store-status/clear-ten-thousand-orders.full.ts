import { afterAll, beforeAll, expect, test } from 'vitest';
import { countChangesToUndo } from '../../src/orders/leave/count-changes-to-undo.ts';
import { startLeaving } from '../../src/orders/leave/start-leaving.ts';
import { refreshGrantedScopes } from '../../src/shops/tokens/scopes.ts';
import { startWorker } from '../helpers/start-worker.ts';
import { openTestShop, type TestShop } from '../shipments/test-shop.ts';

const ALL = 10_000;
const KEYS = ['print_status', 'references', 'delivery_from', 'delivery_until', 'hold'];

let world: TestShop;
beforeAll(async () => {
  world = await openTestShop();
  await world.inStore(`/shops/${world.shop.domain}/scopes`, { grant: ['write_orders'] });
  await refreshGrantedScopes(world.app, world.shop);
}, 120_000);
afterAll(() => world.close());

/**
 * Adds orders with Platen's status in the store, as rows only. The orders do not need to exist in the store, because only their number
 * matters.
 */
async function addWritten(): Promise<void> {
  const told = { tags: ['platen: shipped'], metafields: Object.fromEntries(KEYS.map((key) => [key, 'hash'])) };
  await world.app.db.query(
    `insert into storefront_orders (shop_id, shopify_order_id, name, placed_at, told)
     select $1, 'gid://shopify/Order/9' || n, '#' || n, now(),
       $2::jsonb || jsonb_build_object('holds', jsonb_build_object('why', 'hash', 'ids', jsonb_build_object('gid://shopify/FulfillmentOrder/9' || n, 'gid://shopify/FulfillmentHold/9' || n)))
     from generate_series(1, $3::int) n`,
    [world.shop.id, JSON.stringify(told), ALL],
  );
}

test("10,000 orders are cleared 50 per call, within the store's limits, and clearing resumes after the worker stops", async () => {
  await addWritten();
  // Unlike the other orders, the last order exists in the store.
  const order = await world.ordered({ 'POSTER-13X18': 1 });
  const { app, shop } = world;
  await app.db.query(`update storefront_orders set told = '{"tags":["platen: shipped"]}' where id = $1`, [
    order.storefrontOrderId,
  ]);
  const text = 'mutation Tag($id: ID!, $tags: [String!]!) { tagsAdd(id: $id, tags: $tags) { userErrors { message } } }';
  await world.mutate('Tag', text, { id: order.orderId, tags: ['platen: shipped', 'VIP'] });
  const before = await world.inStore<Record<string, number>>('/calls');
  const calls = async (operation: string) =>
    ((await world.inStore<Record<string, number>>('/calls'))[operation] ?? 0) - (before[operation] ?? 0);

  await startLeaving(app, shop);
  const first = await startWorker(world.app);
  await expect.poll(() => calls('TakeBackHolds'), { timeout: 60_000, interval: 20 }).toBeGreaterThan(40);
  await first.stop();
  expect(await countChangesToUndo(app, shop)).toMatchObject({ tagged: ALL + 1, orderMetafields: ALL });
  const second = await startWorker(world.app);
  const left = async () => {
    const { held, tagged, orderMetafields } = await countChangesToUndo(app, shop);
    return held + tagged + orderMetafields;
  };
  await expect.poll(left, { timeout: 180_000, interval: 500 }).toBe(0);
  await second.stop();

  const shown = await world.inStore<{ tags: string[] }>(`/orders/${encodeURIComponent(order.orderId)}`);
  expect(shown.tags).toEqual(['VIP']);
  const pages = ALL / 50;
  expect(await calls('OrderHolds')).toBeLessThanOrEqual(pages + 1);
  expect(await calls('TakeBackHolds')).toBeLessThanOrEqual(pages + 1);
  expect(await calls('TakeBackTags')).toBe(pages + 1);
  expect(await calls('TakeBackOrderMetafields')).toBe(pages);
}, 300_000);
