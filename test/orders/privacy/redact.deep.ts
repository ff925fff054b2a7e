import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { OrderSales } from '../../../src/database/entities/costs.ts';
import { Deliveries } from '../../../src/database/entities/deliveries.ts';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { Packages } from '../../../src/database/entities/packages.ts';
import { PrintOrders } from '../../../src/database/entities/print-orders.ts';
import { PrivacyRequests, type PrivacyRequest } from '../../../src/database/entities/privacy-requests.ts';
import { Shops, type Shop } from '../../../src/database/entities/shops.ts';
import { confirmDraft } from '../../../src/orders/submit/draft/confirm-draft.ts';
import { checkPrivacyRequests } from '../../../src/orders/privacy/check-privacy-requests.ts';
import { exportPersonalData } from '../../../src/orders/privacy/export-personal-data.ts';
import { listPrivacyRequests } from '../../../src/orders/privacy/list-privacy-requests.ts';
import { handleDelivery } from '../../../src/inbox/handle-delivery.ts';
import { receiveCustomerRedact } from '../../../src/orders/privacy/receive-customer-redact.ts';
import { receiveDataRequest } from '../../../src/orders/privacy/receive-data-request.ts';
import { redactOrder } from '../../../src/orders/privacy/redact-order.ts';
import { receiveOrder } from '../../../src/orders/intake/receive-order.ts';
import { openOrder } from '../../../src/orders/rows/order-session.ts';
import type { SubmitScope } from '../../../src/orders/submit/submit-scope.ts';
import { findOrCreatePrintAccount } from '../../../src/shops/print-account/print-account.ts';
import { addShop, readDeliveriesOfShop, readJobPayloads, openTestApp, type TestApp } from '../../http/test-app.ts';
import { addEvent, addCustomerOrder, readEverything, type OrderOf } from './add-customer-order.ts';

const DAY_MS = 86_400_000;
let app: TestApp;
let shop: Shop;
let number = 1000;

beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());
beforeEach(async () => {
  await app.db.query('delete from shops');
  app.clock = { ...app.clock, now: () => new Date() };
  shop = await addShopWithAccount();
});

async function addShopWithAccount(): Promise<Shop> {
  const { id: printAccountId } = await findOrCreatePrintAccount(app, 'sandbox-key');
  const { id } = await addShop(app.db);
  await app.db.manager.update(Shops, { id }, { printAccountId });
  return app.db.manager.findOneByOrFail(Shops, { id });
}

function add(name: string, changes: Parameters<typeof addCustomerOrder>[4] = {}, of = shop): Promise<OrderOf> {
  number += 1;
  return addCustomerOrder(app, of, name, number, changes);
}

async function redact(orders: { shopifyOrderId: string }[], of = shop): Promise<PrivacyRequest> {
  const resourceIds = { orders: orders.map(({ shopifyOrderId }) => shopifyOrderId).join(',') };
  await receiveCustomerRedact(app, of, { resourceIds, receivedAt: app.clock.now() });
  return app.db.manager.findOneOrFail(PrivacyRequests, { where: { shopId: of.id }, order: { id: 'DESC' } });
}

const run = ({ order }: OrderOf): Promise<void> => redactOrder(app, { storefrontOrderId: order.id });
const printOrderOf = ({ printOrder: { id } }: OrderOf) => app.db.manager.findOneByOrFail(PrintOrders, { id });
const requestOf = ({ id }: PrivacyRequest) => app.db.manager.findOneByOrFail(PrivacyRequests, { id });

const AT_SERVICE = { confirmStartedAt: new Date(), confirmedAt: new Date(), serviceOrderId: 'service-1' };

test('an unsent print order is closed before it is erased, and its storefront order records the reason', async () => {
  const unsent = await add('Canary');
  await redact([unsent.order]);
  await run(unsent);
  expect(await printOrderOf(unsent)).toMatchObject({ closedReason: 'customer_redacted' });
  const order = await app.db.manager.findOneByOrFail(StorefrontOrders, { id: unsent.order.id });
  expect(order).toMatchObject({ outcome: 'nothing_to_do', outcomeReason: 'customer_redacted' });
  expect(await readJobPayloads(app.db, 'submit_print_order')).toContainEqual({ printOrderId: unsent.printOrder.id });
});

test("a redacted order's draft is not confirmed, unless its confirm request has already begun", async () => {
  const chosen = { state: 'submitting', serviceOrderId: 'draft-1' } as const;
  const begun = { ...chosen, serviceOrderId: 'draft-2', confirmStartedAt: new Date() };
  const [redacted, confirming] = [await add('Canary', chosen), await add('Canary', begun)];
  await redact([redacted.order, confirming.order]);
  for (const [{ printOrder }, calls] of [
    [redacted, []],
    [confirming, ['draft-2']],
  ] as const) {
    const confirmed: string[] = [];
    const confirm = async (id: string) => {
      confirmed.push(id);
      throw new Error('enough');
    };
    const order = await openOrder(app, { printOrderId: printOrder.id });
    const scope = { app, order, printOrder, port: { confirm }, lines: [] };
    await confirmDraft(scope as unknown as SubmitScope).catch(() => undefined);
    expect(confirmed).toEqual(calls);
  }
  expect((await printOrderOf(redacted)).confirmStartedAt).toBeNull();
});

test('an unknown outcome delays the erasure by at most 20 days, and not at all in a shop that removed Platen', async () => {
  const open = { state: 'uncertain', submitWay: 'direct', confirmStartedAt: new Date() } as const;
  const [gone, old] = [await add('Canary', open, await addShopWithAccount()), await add('Canary', open)];
  await app.db.manager.update(Shops, { id: gone.order.shopId }, { state: 'uninstalled' });
  await redact([gone.order], await app.db.manager.findOneByOrFail(Shops, { id: gone.order.shopId }));
  await run(gone);
  expect((await printOrderOf(gone)).recipientEncrypted).toBeNull();
  await redact([old.order]);
  await run(old);
  expect((await printOrderOf(old)).recipientEncrypted).not.toBeNull();
  app.clock = { ...app.clock, now: () => new Date(Date.now() + 20 * DAY_MS) };
  await run(old);
  expect(await readEverything(app)).not.toMatch(/canary/i);
});

test("a redaction request ignores unknown orders and other shops' orders, and is complete if it names no known order", async () => {
  const theirs = await add('Neighbor', {}, await addShopWithAccount());
  const request = await redact([theirs.order, { shopifyOrderId: 'gid://shopify/Order/404' }]);
  expect(request.doneAt).toEqual(expect.any(Date));
  const { privacyRequests } = await listPrivacyRequests(app, shop);
  expect(privacyRequests).toMatchObject([{ orders: 0, orderIds: [] }]);
  const order = await app.db.manager.findOneByOrFail(StorefrontOrders, { id: theirs.order.id });
  expect(order.redactedAt).toBeNull();
});

test('a repeated redaction request changes nothing', async () => {
  const redacted = await add('Canary', { state: 'submitted', ...AT_SERVICE });
  const first = await redact([redacted.order]);
  await run(redacted);
  const before = await readEverything(app);
  const again = await redact([redacted.order]);
  await run(redacted);
  expect(again.id).toBe(first.id);
  const withoutJobs = (dump: string) =>
    dump
      .split('\n')
      .filter((line) => !line.startsWith('graphile_worker'))
      .join('\n');
  expect(withoutJobs(await readEverything(app))).toBe(withoutJobs(before));
});

const orderWith = (shopifyOrderId: string, { id: shopId } = shop) =>
  app.db.manager.findOneByOrFail(StorefrontOrders, { shopId, shopifyOrderId });

test("an order that is stored after a redaction request named it is redacted immediately, but another shop's order is not", async () => {
  const shopifyOrderId = 'gid://shopify/Order/77';
  const request = await redact([{ shopifyOrderId }, { shopifyOrderId: 'gid://shopify/Order/78' }]);
  const other = await addShopWithAccount();
  for (const one of [shop, other]) await receiveOrder(app, one, shopifyOrderId);
  await receiveOrder(app, shop, 'gid://shopify/Order/79');
  const order = await orderWith(shopifyOrderId);
  expect(order.redactedAt).not.toBeNull();
  expect(await readJobPayloads(app.db, 'redact_order')).toContainEqual({ storefrontOrderId: order.id });
  await redactOrder(app, { storefrontOrderId: order.id });
  expect(await orderWith(shopifyOrderId)).toMatchObject({
    outcome: 'nothing_to_do',
    outcomeReason: 'customer_redacted',
    erasedAt: expect.any(Date),
  });
  expect((await requestOf(request)).doneAt).not.toBeNull();
  expect((await orderWith(shopifyOrderId, other)).redactedAt).toBeNull();
  expect((await orderWith('gid://shopify/Order/79')).redactedAt).toBeNull();
});

test('an order that is stored at the same time as the request is redacted', async () => {
  const coming = app.db.createQueryRunner();
  await coming.startTransaction();
  await coming.query(
    `insert into storefront_orders (shop_id, shopify_order_id, name, placed_at) values ($1, 'gid://shopify/Order/81', '#81', now())`,
    [shop.id],
  );
  const requested = redact([{ shopifyOrderId: 'gid://shopify/Order/81' }]);
  const waiting = () => app.db.query('select from pg_locks where not granted');
  await expect.poll(waiting).toHaveLength(1);
  await coming.commitTransaction();
  await coming.release();
  await requested;
  expect((await orderWith('gid://shopify/Order/81')).redactedAt).not.toBeNull();
});

test('the amount paid for an order is included in the data export and is erased with the customer', async () => {
  const known = await add('Canary');
  const { id: storefrontOrderId, shopifyOrderId } = known.order;
  const sale = { currency: 'USD', lines: [], shipping: '4.99' };
  await app.db.manager.insert(OrderSales, { storefrontOrderId, sale, mark: '', readAt: app.clock.now() });
  await receiveDataRequest(app, shop, {
    resourceIds: { orders: shopifyOrderId, request: '10' },
    receivedAt: app.clock.now(),
  });
  const asked = await app.db.manager.findOneByOrFail(PrivacyRequests, { kind: 'data_request' });
  expect((await exportPersonalData(app, shop, asked.id, 'merchant')).orders).toMatchObject([{ sale }]);
  await redact([known.order]);
  await run(known);
  expect((await exportPersonalData(app, shop, asked.id, 'merchant')).orders).toMatchObject([{ sale: null }]);
});

test("the customer's ID is removed from the deliveries of the customer's requests", async () => {
  const customer = 'gid://shopify/Customer/191167';
  await app.db.query(
    `insert into deliveries (source, shop_id, dedupe_key, topic, resource_ids, body_sha256) values ('shopify', $1, 'd', 'customers/redact', $2, '0')`,
    [shop.id, { customer, orders: 'gid://shopify/Order/1' }],
  );
  await receiveCustomerRedact(app, shop, { resourceIds: { customer }, receivedAt: app.clock.now() });
  expect((await readDeliveriesOfShop(app.db, shop)).map(({ resourceIds }) => resourceIds)).toEqual([
    { orders: 'gid://shopify/Order/1' },
  ]);
});

test("an event that arrives after the redaction is stored without a body, even if it is sent to another shop's address", async () => {
  const redacted = await add('Canary', { state: 'shipped', ...AT_SERVICE });
  const [other, stranger] = [await addShopWithAccount(), await addShop(app.db)];
  await redact([redacted.order]);
  await run(redacted);
  await addEvent(app, shop, redacted.printOrder, 'Canary');
  const [late] = (await readDeliveriesOfShop(app.db, shop)).filter(({ body }) => body !== null);
  await handleDelivery(app, { deliveryId: late?.id ?? '' });
  await addEvent(app, other, redacted.printOrder, 'Canary');
  await addEvent(app, stranger, redacted.printOrder, 'Forger');
  await checkPrivacyRequests(app);
  const everything = await readEverything(app);
  expect(everything).not.toMatch(/canary/i);
  expect(everything).toContain('for Forger');
});

test('an event that names the order only by its service ID is stored without a body', async () => {
  const redacted = await add('Canary', { state: 'shipped', ...AT_SERVICE });
  const event = { source: 'print', shopId: shop.id, topic: 'order_status_updated', bodySha256: '0' } as const;
  const bodies = [
    { object: 'orderStatus', orderId: 'service-1', comment: 'for Canary' },
    { event: 'order_status_updated', orderId: 'service-10', comment: 'for Neighbor' },
    { event: 'order_status_updated', orderId: 'x'.repeat(100_000), comment: 'for Stranger' },
  ];
  for (const [at, body] of bodies.entries())
    await app.db.manager.insert(Deliveries, {
      ...event,
      dedupeKey: `e${at}`,
      body: body as never,
      handledAt: app.clock.now(),
    });
  await redact([redacted.order]);
  await run(redacted);
  const everything = await readEverything(app);
  expect(everything).not.toMatch(/canary/i);
  expect(everything).toContain('for Neighbor');
  expect(everything).toContain('for Stranger');
});

test('a tracking URL is erased once it is in the store, but the tracking code is kept', async () => {
  const redacted = await add('Canary', { state: 'shipped', ...AT_SERVICE });
  const made = {
    printOrderId: redacted.printOrder.id,
    serviceOrderId: 'service-1',
    trackingUrl: 'https://t.example/?zip=CANARY',
  };
  await app.db.manager.insert(Packages, { ...made, trackingCode: 'PUSHED', pushedAt: new Date() });
  await app.db.manager.insert(Packages, { ...made, trackingCode: 'WAITS' });
  const links = async () => {
    const packages = await app.db.manager.find(Packages, { order: { id: 'ASC' } });
    return packages.map(({ trackingCode, trackingUrl }) => [trackingCode, trackingUrl]);
  };
  await redact([redacted.order]);
  await run(redacted);
  expect(await links()).toEqual([
    ['PUSHED', null],
    ['WAITS', made.trackingUrl],
  ]);
  await checkPrivacyRequests(app);
  expect((await links()).at(-1)).toEqual(['WAITS', made.trackingUrl]);
  await app.db.manager.update(Packages, { trackingCode: 'WAITS' }, { pushedAt: new Date() });
  await checkPrivacyRequests(app);
  expect(await readEverything(app)).not.toMatch(/canary/i);
});

test('the daily pass enqueues lost redactions again, and logs an error from the 20th day on', async () => {
  const redacted = await add('Canary');
  const request = await redact([redacted.order]);
  await app.db.query('delete from graphile_worker._private_jobs');
  expect(await checkPrivacyRequests(app)).toBe(0);
  expect(await readJobPayloads(app.db, 'redact_order')).toEqual([{ storefrontOrderId: redacted.order.id }]);
  app.clock = { ...app.clock, now: () => new Date(Date.now() + 20 * DAY_MS) };
  const error = vi.spyOn(app.log, 'error');
  expect(await checkPrivacyRequests(app)).toBe(1);
  expect(error).toHaveBeenCalledWith(expect.objectContaining({ requestId: request.id }), expect.any(String));
  error.mockRestore();
});
