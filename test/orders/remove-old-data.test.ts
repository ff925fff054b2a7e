import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { NewProducts, type NewProduct } from '../../src/database/entities/new-products.ts';
import { PrintOrders, type PrintOrder } from '../../src/database/entities/print-orders.ts';
import { Shops, type Shop } from '../../src/database/entities/shops.ts';
import { removeOldData } from '../../src/orders/remove-old-data.ts';
import { addShop, readDeliveriesOfShop, openTestApp, type TestApp } from '../http/test-app.ts';
import { addCustomerOrder, readEverything } from './privacy/add-customer-order.ts';
import { atTime } from '../helpers/at-time.ts';

const DAY_MS = 86_400_000;
let app: TestApp;
let shop: Shop;

beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());
beforeEach(async () => {
  await app.db.query('delete from shops');
  shop = await addShop(app.db);
  await app.db.manager.update(Shops, { id: shop.id }, { settings: { retentionDays: 7 } });
});

async function passDays(days: number): Promise<void> {
  const now = new Date(Date.now() + days * DAY_MS);
  await removeOldData(atTime(app, () => now));
}

const read = ({ id }: PrintOrder) => app.db.manager.findOneByOrFail(PrintOrders, { id });
const SENT = { confirmStartedAt: new Date(), confirmedAt: new Date() };

test.each(['fulfilled', 'canceled', 'failed'] as const)(
  'the address of a %s order is erased once the number of days in the setting has passed, not earlier',
  async (state) => {
    const { printOrder } = await addCustomerOrder(app, shop, 'Canary', 1, { ...SENT, state });
    await passDays(6.9);
    expect((await read(printOrder)).recipientEncrypted).not.toBeNull();
    await passDays(7.1);
    expect(await read(printOrder)).toMatchObject({ recipientEncrypted: null, bodyEncrypted: null, bodySha256: 'body' });
    // The remaining match is in an event. Events are deleted after a separate time, which has not passed yet.
    expect((await readEverything(app)).match(/canary/gi)).toHaveLength(1);
    await passDays(31);
    expect(await readEverything(app)).not.toMatch(/canary/i);
    expect(await readDeliveriesOfShop(app.db, shop)).toEqual([]);
  },
);

test('after 90 days, the request body of a sent but unfinished order is erased, and that of an unsent order is kept', async () => {
  const sent = await addCustomerOrder(app, shop, 'Canary', 1, { ...SENT, state: 'shipped_no_tracking' });
  const unsent = await addCustomerOrder(app, shop, 'Waiting', 2, { state: 'held' });
  await passDays(89);
  expect((await read(sent.printOrder)).bodyEncrypted).not.toBeNull();
  await passDays(91);
  expect((await read(sent.printOrder)).bodyEncrypted).toBeNull();
  expect((await read(unsent.printOrder)).bodyEncrypted).not.toBeNull();
});

test.each<[string, Partial<Pick<Shop, 'state' | 'uninstalledAt' | 'signedOutAt'>>]>([
  ['removed Platen', { state: 'uninstalled', uninstalledAt: new Date() }],
  ['has not signed in since its tokens were refused', { state: 'needs_sign_in', signedOutAt: new Date() }],
])('all personal data of a shop that %s is erased, and its unsent orders are closed', async (_, gone) => {
  const sent = await addCustomerOrder(app, shop, 'Canary', 1, { ...SENT, state: 'in_production' });
  const unsent = await addCustomerOrder(app, shop, 'Canary', 2, { state: 'quoted' });
  await app.db.manager.update(Shops, { id: shop.id }, gone);
  await passDays(6.9);
  expect((await read(unsent.printOrder)).bodyEncrypted).not.toBeNull();
  await passDays(7.1);
  expect(await read(sent.printOrder)).toMatchObject({ recipientEncrypted: null, bodyEncrypted: null, closedAt: null });
  expect(await read(unsent.printOrder)).toMatchObject({ bodyEncrypted: null, closedReason: 'uninstalled' });
});

test('a pass removes all due rows in several batches, and no other rows', async () => {
  const sent = await addCustomerOrder(app, shop, 'Canary', 1, { ...SENT, state: 'fulfilled' });
  await app.db.query(
    `insert into print_orders (shop_id, storefront_order_id, shopify_fulfillment_order_id, part, reference, state, submit_way, plan_sha256, body_encrypted, updated_at)
     select shop_id, storefront_order_id, 'fo', 1 + n, 'copy-' || n, 'fulfilled', 'draft', 'plan', 'sealed', case when n = 1 then now() + interval '5 days' else now() end
     from print_orders, generate_series(1, 420) n where id = $1`,
    [sent.printOrder.id],
  );
  await app.db.query(
    `insert into deliveries (source, shop_id, dedupe_key, topic, body_sha256, received_at)
     select 'shopify', $1, n, 'orders/paid', '0', now() - case when n = 1 then interval '20 days' else interval '24 days' end from generate_series(1, 5100) n`,
    [shop.id],
  );
  await passDays(7.1);
  const kept = await app.db.query('select part from print_orders where body_encrypted is not null');
  expect(kept).toEqual([{ part: 2 }]);
  const left = await app.db.query(`select dedupe_key from deliveries where source = 'shopify'`);
  expect(left).toEqual([{ dedupe_key: '1' }]);
});

test('product requests are deleted 90 days after they end, and never while in progress', async () => {
  const asked = { shopId: shop.id, printAccountId: 1, storeId: 'store', templateId: 't', askedBy: 'cli' as const };
  const add = (requestSha256: string, more: Partial<NewProduct>) =>
    app.db.manager.insert(NewProducts, { ...asked, requestSha256, request: { title: 'Mug' }, ...more } as never);
  await add('published', { state: 'published', finishedAt: new Date() });
  await add('failed', { state: 'failed', finishedAt: new Date() });
  await add('under way', { state: 'publishing', askedAt: new Date(Date.now() - 200 * DAY_MS) });
  const left = async () => (await app.db.manager.find(NewProducts)).map(({ requestSha256 }) => requestSha256);
  await passDays(89);
  expect(await left()).toHaveLength(3);
  await passDays(91);
  expect(await left()).toEqual(['under way']);
});
