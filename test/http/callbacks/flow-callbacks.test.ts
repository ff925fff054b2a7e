import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Shops, type Shop } from '../../../src/database/entities/shops.ts';
import { Holds, StorefrontOrders, TimelineEntries } from '../../../src/database/entities/orders.ts';
import { addShop, readDeliveriesOfShop, openTestEndpoints, post, signBody, type TestEndpoints } from '../test-app.ts';

const TRIGGER_USE_PATH = '/flow/trigger-use';
const PREVIOUS_SECRET = 'secret-before-the-rotation';

let endpoints: TestEndpoints;
beforeAll(async () => void (endpoints = await openTestEndpoints({ SHOPIFY_API_SECRET_OLD: PREVIOUS_SECRET })));
afterAll(() => endpoints.close());

async function call(path: string, body: object, secret?: string): Promise<Response> {
  const text = JSON.stringify(body);
  return post(`${endpoints.url}${path}`, text, { 'X-Shopify-Hmac-Sha256': signBody(text, secret) });
}

let nextOrder = 9_001;

/** Adds an order that is waiting for a decision, and returns the number in its ID. */
async function addOrder(shop: Shop): Promise<number> {
  nextOrder += 1;
  const shopifyOrderId = `gid://shopify/Order/${nextOrder}`;
  await endpoints.app.db.manager.insert(StorefrontOrders, {
    shopId: shop.id,
    shopifyOrderId,
    name: `#${nextOrder}`,
    placedAt: new Date(),
  });
  return nextOrder;
}

const createRun = (shop: Pick<Shop, 'domain'>, orderId: unknown, runId: string = randomUUID()) => ({
  shop_id: '1',
  shopify_domain: shop.domain,
  action_run_id: runId,
  action_definition_id: 'Hold print order',
  handle: 'hold-print-order',
  properties: { order_id: orderId },
});

const createUseReport = (shop: Pick<Shop, 'domain'>, change: object = {}) => ({
  flow_trigger_definition_id: 'Print order sent',
  has_enabled_flow: true,
  shop_id: 690933842,
  shopify_domain: shop.domain,
  timestamp: '2026-11-20T12:00:00Z',
  ...change,
});

const findOrder = (id: number) =>
  endpoints.app.db.manager.findOneByOrFail(StorefrontOrders, { shopifyOrderId: `gid://shopify/Order/${id}` });

async function readTimeline(id: number): Promise<{ by: string; message: string }[]> {
  const { id: storefrontOrderId } = await findOrder(id);
  const entries = await endpoints.app.db.manager.findBy(TimelineEntries, { storefrontOrderId });
  return entries.map(({ by, message }) => ({ by, message }));
}

describe('reports about the use of triggers', () => {
  async function readTriggers(shop: Shop): Promise<Shop['flowTriggers']> {
    return (await endpoints.app.db.getRepository(Shops).findOneByOrFail({ id: shop.id })).flowTriggers;
  }

  test('an enabled workflow is recorded, and the report with the latest time applies, even if an earlier report arrives after it', async () => {
    const shop = await addShop(endpoints.app.db);
    expect((await call(TRIGGER_USE_PATH, createUseReport(shop))).status).toBe(200);
    const first = (await readTriggers(shop))['Print order sent'];
    expect(first).toMatchObject({ at: '2026-11-20T12:00:00.000Z', since: expect.any(String) });
    expect((await call(TRIGGER_USE_PATH, createUseReport(shop, { timestamp: '2026-11-20T13:00:00Z' }))).status).toBe(
      200,
    );
    expect((await readTriggers(shop))['Print order sent']?.since).toBe(first?.since);
    const off = { has_enabled_flow: false, timestamp: '2026-11-20T15:00:00Z' };
    expect((await call(TRIGGER_USE_PATH, createUseReport(shop, off))).status).toBe(200);
    expect((await call(TRIGGER_USE_PATH, createUseReport(shop, { timestamp: '2026-11-20T14:00:00Z' }))).status).toBe(
      200,
    );
    expect(await readTriggers(shop)).toEqual({ 'Print order sent': { at: '2026-11-20T15:00:00.000Z', since: null } });
  });

  test('a report changes only the shop that its signed body names', async () => {
    const [shop, other] = [await addShop(endpoints.app.db), await addShop(endpoints.app.db)];
    const text = JSON.stringify(createUseReport(shop));
    const headers = { 'X-Shopify-Hmac-Sha256': signBody(text), 'X-Shopify-Shop-Domain': other.domain };
    expect((await post(`${endpoints.url}${TRIGGER_USE_PATH}`, text, headers)).status).toBe(200);
    expect(await readTriggers(other)).toEqual({});
    expect(Object.keys(await readTriggers(shop))).toEqual(['Print order sent']);
  });

  test('a workflow cannot be enabled before Platen has been opened in the shop', async () => {
    expect((await call(TRIGGER_USE_PATH, createUseReport({ domain: 'never-seen.myshopify.com' }))).status).toBe(404);
  });

  test.each([
    ['flow_trigger_definition_id', ''],
    ['flow_trigger_definition_id', undefined],
    ['flow_trigger_definition_id', {}],
    ['has_enabled_flow', 'true'],
    ['shopify_domain', undefined],
    ['timestamp', 'yesterday'],
    ['timestamp', '0000-01-01T00:00:00Z'],
    ['timestamp', '+010000-01-01T00:00:00Z'],
  ])('a report with an invalid %s gets 400', async (field, value) => {
    const shop = await addShop(endpoints.app.db);
    const answer = await call(TRIGGER_USE_PATH, createUseReport(shop, { [field]: value }));
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { field } });
    expect(await readTriggers(shop)).toEqual({});
  });
});

describe('actions of a workflow', () => {
  test('a workflow holds, cancels and sends an order, and the timeline names Flow', async () => {
    const shop = await addShop(endpoints.app.db);
    const id = await addOrder(shop);
    expect((await call('/flow/hold', createRun(shop, id))).status).toBe(200);
    expect(await findOrder(id)).toMatchObject({ heldBy: 'flow', heldAt: expect.any(Date) });
    expect((await call('/flow/cancel', createRun(shop, String(id)))).status).toBe(200);
    expect(await findOrder(id)).toMatchObject({ cancelAskedBy: 'flow', heldAt: null });
    expect((await call('/flow/send-now', createRun(shop, `gid://shopify/Order/${id}`))).status).toBe(200);
    expect(await findOrder(id)).toMatchObject({ approvedBy: 'flow', cancelAskedAt: null });
    const entries = await readTimeline(id);
    expect(entries).toHaveLength(3);
    for (const { by, message } of entries) {
      expect(by).toBe('flow');
      expect(message).toContain('A workflow in Shopify Flow requested this.');
    }
  });

  test('a repeated run changes nothing, even if the order has since been approved', async () => {
    const shop = await addShop(endpoints.app.db);
    const id = await addOrder(shop);
    const run = createRun(shop, id);
    expect((await call('/flow/hold', run)).status).toBe(200);
    expect((await call('/flow/send-now', createRun(shop, id))).status).toBe(200);
    expect((await call('/flow/hold', run)).status).toBe(200);
    expect(await findOrder(id)).toMatchObject({ heldAt: null, approvedBy: 'flow' });
    expect((await readDeliveriesOfShop(endpoints.app.db, shop)).map(({ topic }) => topic)).toEqual([
      'flow/hold',
      'flow/approve',
    ]);
  });

  test('a shop cannot change another shop’s orders, and its run IDs do not block the other shop’s runs', async () => {
    const [shop, other] = [await addShop(endpoints.app.db), await addShop(endpoints.app.db)];
    const id = await addOrder(shop);
    const runId = randomUUID();
    expect((await call('/flow/hold', createRun(other, id, runId))).status).toBe(200);
    const orders = await endpoints.app.db.manager.findBy(StorefrontOrders, { shopId: shop.id });
    expect(orders).toMatchObject([{ heldAt: null }]);
    expect((await call('/flow/hold', createRun(shop, id, runId))).status).toBe(200);
    expect(await endpoints.app.db.manager.findBy(StorefrontOrders, { shopId: shop.id })).toMatchObject([
      { heldBy: 'flow' },
    ]);
  });

  test('a workflow that runs before a new order’s webhook is handled still holds the order', async () => {
    const shop = await addShop(endpoints.app.db);
    expect((await call('/flow/hold', createRun(shop, 777_001))).status).toBe(200);
    expect(await findOrder(777_001)).toMatchObject({ shopId: shop.id, heldBy: 'flow', readAt: null });
  });

  test('an impossible action ends the run with a reason, and can be run again', async () => {
    const shop = await addShop(endpoints.app.db);
    const id = await addOrder(shop);
    await endpoints.app.db.manager.update(
      StorefrontOrders,
      { id: (await findOrder(id)).id },
      { canceledAt: new Date() },
    );
    const answer = await call('/flow/send-now', createRun(shop, id));
    expect(answer.status).toBe(409);
    expect(await answer.json()).toEqual({
      error: { code: 'order_canceled', field: null, message: `#${id} was canceled in the store.` },
    });
    expect(await readDeliveriesOfShop(endpoints.app.db, shop)).toEqual([]);
  });

  test('a run that approves an order which stays on hold ends with the reason, and the approval counts', async () => {
    const shop = await addShop(endpoints.app.db);
    const id = await addOrder(shop);
    const { id: storefrontOrderId } = await findOrder(id);
    const of = { shopId: shop.id, storefrontOrderId };
    await endpoints.app.db.manager.insert(Holds, [
      { ...of, code: 'needs_approval', message: 'It waits for your approval.' },
      { ...of, code: 'no_address', message: 'It waits.' },
    ]);
    const answer = await call('/flow/send-now', createRun(shop, id));
    expect(answer.status).toBe(409);
    const message = 'Approved, but still on hold: It waits.';
    expect(await answer.json()).toEqual({ error: { code: 'still_held', field: null, message } });
    expect(await findOrder(id)).toMatchObject({ approvedBy: 'flow' });
  });

  test('an order whose printing was canceled cannot be held, because it needs an approval of the cancellation', async () => {
    const shop = await addShop(endpoints.app.db);
    const id = await addOrder(shop);
    expect((await call('/flow/cancel', createRun(shop, id))).status).toBe(200);
    const answer = await call('/flow/hold', createRun(shop, id));
    expect([answer.status, await answer.json()]).toMatchObject([409, { error: { code: 'canceled_by_hand' } }]);
    expect(await findOrder(id)).toMatchObject({ heldAt: null, cancelAskedBy: 'flow' });
  });

  test('an unknown shop, or one where Platen was removed or stopped, gets a 4xx, so that Flow does not retry', async () => {
    expect((await call('/flow/hold', createRun({ domain: 'never-seen.myshopify.com' }, 1))).status).toBe(404);
    for (const state of ['uninstalled', 'leaving']) {
      const shop = await addShop(endpoints.app.db);
      await endpoints.app.db.query('update shops set state = $2 where id = $1', [shop.id, state]);
      expect((await call('/flow/hold', createRun(shop, 1))).status).toBe(409);
    }
  });

  test.each([
    ['shopify_domain', {}],
    ['action_run_id', { shopify_domain: 'a.myshopify.com' }],
    ['properties', { shopify_domain: 'a.myshopify.com', action_run_id: '1' }],
    ['properties.order_id', { shopify_domain: 'a.myshopify.com', action_run_id: '1', properties: {} }],
    ['properties.order_id', createRun({ domain: 'a.myshopify.com' }, '#1001')],
    ['properties.order_id', createRun({ domain: 'a.myshopify.com' }, -1)],
  ])('a body with an invalid %s gets 400', async (field, body) => {
    const answer = await call('/flow/hold', body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { field } });
  });
});

test.each([TRIGGER_USE_PATH, '/flow/send-now', '/flow/hold', '/flow/cancel'])(
  '%s accepts only requests that Shopify signed',
  async (path) => {
    const shop = await addShop(endpoints.app.db);
    const body = path === TRIGGER_USE_PATH ? createUseReport(shop) : createRun(shop, await addOrder(shop));
    const text = JSON.stringify(body);
    const url = `${endpoints.url}${path}`;
    expect((await post(url, text)).status).toBe(401);
    expect((await post(url, text, { 'X-Shopify-Hmac-Sha256': signBody(`${text} `) })).status).toBe(401);
    expect((await call(path, body, 'another secret')).status).toBe(401);
    expect((await post(url, '', { 'X-Shopify-Hmac-Sha256': signBody('') })).status).toBe(401);
    expect((await post(url, 'no', { 'X-Shopify-Hmac-Sha256': signBody('no') })).status).toBe(400);
    expect(await endpoints.app.db.manager.findOneBy(Shops, { id: shop.id, flowTriggers: {} as never })).not.toBeNull();
    expect((await call(path, body, PREVIOUS_SECRET)).status).toBe(200);
  },
);
