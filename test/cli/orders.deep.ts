import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Holds, OrderLines, StorefrontOrders } from '../../src/database/orders.ts';
import { OtherAppStores, type Shop } from '../../src/database/shops.ts';
import { addShop, jobsOf, openTestApp, type OpenTestApp } from '../http/test-app.ts';
import { runPlatenOn, type Ran } from './run-platen.ts';

let app: OpenTestApp;
let shop: Shop;

beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());
beforeEach(async () => {
  await app.db.query('delete from shops');
  shop = await addShop(app.db);
});

const platen = (...args: string[]): Promise<Ran> => runPlatenOn(app, args);
const ofShop = () => ['--shop', shop.domain];

async function addOrder(number: number, hold?: string): Promise<string> {
  const { identifiers } = await app.db.manager.insert(StorefrontOrders, {
    shopId: shop.id,
    shopifyOrderId: `gid://shopify/Order/${number}`,
    name: `#${number}`,
    placedAt: new Date('2026-11-01T00:00:00Z'),
  });
  const storefrontOrderId = String(identifiers[0]?.['id']);
  if (hold)
    await app.db.manager.insert(Holds, { shopId: shop.id, storefrontOrderId, code: hold, message: 'It waits.' });
  return storefrontOrderId;
}

const read = (id: string) => app.db.manager.findOneByOrFail(StorefrontOrders, { id });

test('an order is held and approved by its name, its digits or its GID; each says what it did', async () => {
  const id = await addOrder(1001);
  const held = await platen('orders', 'hold', '#1001', ...ofShop());
  expect(held).toEqual({
    code: 0,
    stdout: '#1001 is held: nothing more of it is sent until it is approved.\n',
    stderr: '',
  });
  expect(await read(id)).toMatchObject({ heldBy: 'cli', heldAt: expect.any(Date) });
  for (const order of ['1001', 'gid://shopify/Order/1001']) {
    const ran = await platen('orders', 'approve', order, ...ofShop());
    expect(ran).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^#1001 is approved/) });
  }
  expect(await read(id)).toMatchObject({ heldAt: null, approvedBy: 'cli' });
  expect(await jobsOf(app.db, 'plan_order')).toContainEqual({ storefrontOrderId: id });
}, 60_000);

test('one order that cannot be acted on does not keep the others from it, and the exit code says so', async () => {
  const [canceled, open] = [await addOrder(1), await addOrder(2)];
  await app.db.manager.update(StorefrontOrders, { id: canceled }, { canceledAt: new Date() });
  const ran = await platen('orders', 'approve', '#1', '#3', '#2', ...ofShop());
  expect(ran).toEqual({
    code: 1,
    stdout: expect.stringMatching(/^#2 is approved[^\n]*\n$/),
    stderr: '#1 was cancelled in the store. There is no order #3 of this shop.\n',
  });
  expect((await read(open)).approvedAt).not.toBeNull();
  expect((await read(canceled)).approvedAt).toBeNull();
}, 60_000);

test('all that wait for approval are approved at once, and nothing else', async () => {
  const waiting = await addOrder(1, 'needs_approval');
  const risky = await addOrder(2, 'high_risk');
  const free = await addOrder(3);
  const ran = await platen('orders', 'approve', '--all', ...ofShop());
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/^#1 is approved[^\n]*\n$/) });
  expect((await read(waiting)).approvedAt).not.toBeNull();
  for (const id of [risky, free]) expect((await read(id)).approvedAt).toBeNull();
}, 60_000);

test('an order is shown as text and as one JSON document, with what can be done', async () => {
  await addOrder(1, 'draft_gone');
  const text = await platen('orders', 'show', shop.domain, '#1');
  expect(text.stdout).toMatch(
    /^#1 \(gid:\/\/shopify\/Order\/1\): held\nHeld, draft_gone: It waits\. .*Actions: print-again, cancel\./,
  );
  const json = await platen('orders', 'show', shop.domain, '1', '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({
    name: '#1',
    holds: [{ code: 'draft_gone', actions: ['print-again', 'cancel'] }],
  });
}, 60_000);

test('what is held for its variant is shown with the address of that variant in the store', async () => {
  const storefrontOrderId = await addOrder(1);
  const shopifyLineItemId = 'gid://shopify/LineItem/3';
  const ids = { shopifyVariantId: 'gid://shopify/ProductVariant/5', shopifyProductId: 'gid://shopify/Product/4' };
  const line = { storefrontOrderId, shopifyLineItemId, decision: 'held' as const, reason: 'not_connected', ...ids };
  await app.db.manager.insert(OrderLines, line);
  const hold = { shopId: shop.id, storefrontOrderId, shopifyLineItemId, code: 'not_connected', message: 'It waits.' };
  await app.db.manager.insert(Holds, hold);
  const shown = await platen('orders', 'show', shop.domain, '#1');
  const address = `https://admin.shopify.com/store/${shop.domain.replace('.myshopify.com', '')}/products/4/variants/5`;
  expect(shown.stdout).toContain(` In your store: ${address} Actions: `);
}, 60_000);

test('another app is allowed', async () => {
  await app.db.manager.insert(OtherAppStores, { shopId: shop.id, storeId: 'x' });
  const ran = await platen('shops', 'allow-other-app', shop.domain);
  expect(ran).toMatchObject({ code: 0, stdout: 'The other app is allowed: held orders go on.\n' });
  expect(await jobsOf(app.db, 'resume_shop')).toContainEqual({ shopId: shop.id });
}, 60_000);

test.each([
  [['orders', 'approve', '#1'], 'Which shop?'],
  [['orders', 'approve', '--shop', 'x'], 'Which orders?'],
  [['orders', 'cancel', '--all', '--shop', 'x'], '--all stands alone'],
  [['orders', 'approve', '--all', '#1', '--shop', 'x'], '--all stands alone'],
  [['orders', 'retry', '#1', '#2', '--print-order', 'p', '--shop', 'x'], 'A print order is of one order'],
  [['orders', 'show', 'x'], 'Which order?'],
])(
  '%j is not understood',
  async (args, why) => {
    expect(await platen(...args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(why) });
  },
  60_000,
);
