import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Holds, StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { PrintOrders } from '../../../src/database/entities/print-orders.ts';
import type { Shop } from '../../../src/database/entities/shops.ts';
import {
  addShop,
  readJobPayloads,
  openTestEndpoints,
  callApi,
  createTestSessionToken,
  type TestEndpoints,
  refusal,
} from '../test-app.ts';

let endpoints: TestEndpoints;
let shop: Shop;
let other: Shop;

beforeAll(async () => void (endpoints = await openTestEndpoints()));
afterAll(() => endpoints.close());
beforeEach(async () => {
  await endpoints.app.db.query('delete from shops');
  shop = await addShop(endpoints.app.db);
  other = await addShop(endpoints.app.db);
});

async function ask(method: 'GET' | 'POST', path: string, { body, of = shop }: { body?: string; of?: Shop } = {}) {
  const answer = await callApi(endpoints.url, of, [method, `/orders${path}`], body);
  return { status: answer.status, body: answer.body };
}

async function addOrder(number: number, of = shop, hold?: string): Promise<string> {
  const { db } = endpoints.app;
  const { identifiers } = await db.manager.insert(StorefrontOrders, {
    shopId: of.id,
    shopifyOrderId: `gid://shopify/Order/${number}`,
    name: `#${number}`,
    placedAt: new Date('2026-11-01T00:00:00Z'),
  });
  const id = String(identifiers[0]?.['id']);
  if (hold) await db.manager.insert(Holds, { shopId: of.id, storefrontOrderId: id, code: hold, message: 'It waits.' });
  return id;
}

const namesOf = ({ body }: { body: Record<string, unknown> }) =>
  (body['orders'] as { name: string }[]).map(({ name }) => name);

test('the orders endpoint lists only the orders of the shop, page by page, newest first', async () => {
  for (let number = 1; number <= 60; number += 1) await addOrder(number);
  await addOrder(99, other);
  const first = await ask('GET', '');
  expect(namesOf(first)).toEqual(Array.from({ length: 50 }, (_, index) => `#${60 - index}`));
  const second = await ask('GET', `?after=${String(first.body['next'])}`);
  expect(namesOf(second)).toEqual(Array.from({ length: 10 }, (_, index) => `#${10 - index}`));
  expect(second.body['next']).toBeNull();
});

test('an order that is stored late is listed by the time at which it was placed', async () => {
  for (let number = 1; number <= 51; number += 1) await addOrder(number);
  const { db } = endpoints.app;
  const placedAt = new Date('2026-10-15T00:00:00Z');
  await db.manager.update(StorefrontOrders, { id: await addOrder(99) }, { placedAt });
  const first = await ask('GET', '');
  expect(namesOf(first)).toEqual(Array.from({ length: 50 }, (_, index) => `#${51 - index}`));
  expect(namesOf(await ask('GET', `?after=${String(first.body['next'])}`))).toEqual(['#1', '#99']);
  expect(namesOf(await ask('GET', '?sort=oldest')).slice(0, 2)).toEqual(['#99', '#1']);
});

test('a merchant’s action is attributed to the merchant, returns a message and triggers a plan', async () => {
  const id = await addOrder(9);
  const held = await ask('POST', '/9/hold', { body: '{}' });
  expect(held).toEqual({
    status: 200,
    body: {
      orderId: 'gid://shopify/Order/9',
      name: '#9',
      action: 'hold',
      done: ['#9 is on hold: Platen sends no further items of the order until it is approved.'],
      stillHeld: [],
    },
  });
  const read = () => endpoints.app.db.manager.findOneByOrFail(StorefrontOrders, { id });
  expect(await read()).toMatchObject({ heldAt: expect.any(Date), heldBy: 'merchant', approvedAt: null });
  expect((await ask('POST', '/9/approve')).status).toBe(200);
  expect(await read()).toMatchObject({ heldAt: null, approvedAt: expect.any(Date), approvedBy: 'merchant' });
  expect((await ask('POST', '/9/cancel')).status).toBe(200);
  expect(await read()).toMatchObject({ cancelAskedAt: expect.any(Date), cancelAskedBy: 'merchant', approvedAt: null });
  expect(await readJobPayloads(endpoints.app.db, 'plan_order')).toContainEqual({ storefrontOrderId: id });
  expect(await ask('GET', '/9')).toMatchObject({
    body: { timeline: ['held_by_hand', 'approved', 'canceled_by_hand'].map((kind) => ({ kind, by: 'merchant' })) },
  });
});

test('an impossible action gets 409 with a code and a message, and an invalid action is rejected', async () => {
  const id = await addOrder(10);
  await endpoints.app.db.manager.update(StorefrontOrders, { id }, { canceledAt: new Date() });
  for (const action of ['approve', 'hold'])
    expect(await ask('POST', `/10/${action}`)).toEqual({
      status: 409,
      body: { error: { code: 'order_canceled', field: null, message: '#10 was canceled in the store.' } },
    });
  expect(await ask('POST', '/10/continue')).toMatchObject(refusal(409, { code: 'nothing_to_continue' }));
  expect(await ask('POST', '/10/burn')).toMatchObject({ status: 404 });
  expect(await ask('POST', '/10/hold', { body: '[]' })).toMatchObject({ status: 400 });
  expect(await ask('POST', '/10/hold', { body: '{"printOrder":7}' })).toMatchObject(
    refusal(400, { field: 'printOrder' }),
  );
  expect(await ask('POST', '/10/retry', { body: '{"printOrder":"nope"}' })).toMatchObject({ status: 404 });
  for (const odd of [String.raw`\u0000`, String.raw`\ud800`, String.raw`x\u0000`])
    expect([400, 404]).toContain((await ask('POST', '/10/approve', { body: `{"printOrder":"${odd}"}` })).status);
  expect((await ask('POST', '/%00/approve')).status).toBe(404);
});

test('a print order in another print account is reprinted only by its reference, and is closed if it was not confirmed', async () => {
  const { manager } = endpoints.app.db;
  const storefrontOrderId = await addOrder(11);
  const of = { shopId: shop.id, storefrontOrderId };
  const shopifyFulfillmentOrderId = 'gid://shopify/FulfillmentOrder/1';
  for (const [part, confirmedAt] of [[1, new Date()] as const, [2, null] as const]) {
    const state = confirmedAt === null ? 'submitting' : 'submitted';
    const row = {
      ...of,
      part,
      reference: `pl-${part}`,
      state,
      submitWay: 'draft',
      planSha256: 'x',
      confirmedAt,
    } as const;
    const { identifiers } = await manager.insert(PrintOrders, { ...row, shopifyFulfillmentOrderId });
    const hold = { code: 'print_account_changed', message: 'It waits.', printOrderId: String(identifiers[0]?.['id']) };
    await manager.insert(Holds, { ...of, ...hold });
  }
  const refused = await ask('POST', '/11/print-again');
  expect(refused).toMatchObject(refusal(409, { message: expect.stringMatching(/another print account/) }));
  for (const part of [1, 2])
    expect((await ask('POST', '/11/print-again', { body: JSON.stringify({ printOrder: `pl-${part}` }) })).status).toBe(
      200,
    );
  expect(await manager.find(PrintOrders, { where: of, order: { part: 'ASC' } })).toMatchObject([
    { printAgainAt: expect.any(Date), closedAt: null },
    { printAgainAt: expect.any(Date), closedAt: expect.any(Date), closedReason: 'print_again' },
  ]);
});

test('a merchant can allow another app, but only for their own shop', async () => {
  await endpoints.app.db.query(`insert into other_app_stores (shop_id, store_id) values ($1, 'x'), ($2, 'x')`, [
    shop.id,
    other.id,
  ]);
  const allow = async () => {
    const headers = { Authorization: `Bearer ${createTestSessionToken(shop.domain)}` };
    return (await fetch(`${endpoints.url}/api/settings/allow-other-app`, { method: 'POST', headers })).json();
  };
  expect(await allow()).toEqual({ allowed: true });
  expect(await allow()).toEqual({ allowed: false });
  const rows = await endpoints.app.db.query('select shop_id from other_app_stores where allowed_at is null');
  expect(rows).toEqual([{ shop_id: other.id }]);
});
