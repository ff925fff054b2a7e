import { createHash, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import type { Shop } from '../../../src/database/entities/shops.ts';
import {
  addShop,
  allowConnections,
  readDeliveriesOfShop,
  readJobPayloads,
  openTestEndpoints,
  post,
  refuseJobs,
  signBody,
  type TestEndpoints,
  createWebhookHeaders,
} from '../test-app.ts';
import { tamperDeliveries } from '../tamper-deliveries.ts';

const LIMIT = 2 * 1024 * 1024;
const BODY =
  '{"id":820982911946154508,"admin_graphql_api_id":"gid://shopify/Order/820982911946154508","email":"jon@example.com"}';

let endpoints: TestEndpoints;
let url: string;

beforeAll(async () => {
  endpoints = await openTestEndpoints();
  url = `${endpoints.url}/webhooks/shopify`;
});

afterAll(() => endpoints.close());

async function countDeliveries(): Promise<number> {
  const [row] = await endpoints.app.db.query<{ count: number }[]>('select count(*)::int as count from deliveries');
  return row!.count;
}

function deliver(shop: Pick<Shop, 'domain'>, body: string | Buffer, change: Record<string, string | undefined> = {}) {
  return post(url, body, createWebhookHeaders(body, { shop: shop.domain, ...change }));
}

describe('deliveries that are signed', () => {
  test('a signed delivery is stored once, without its body, and every copy gets 200', async () => {
    const shop = await addShop(endpoints.app.db);
    const webhook = {
      'X-Shopify-Webhook-Id': randomUUID(),
      'X-Shopify-Triggered-At': '2026-11-20T22:54:22.947401466Z',
    };
    expect((await deliver(shop, BODY, webhook)).status).toBe(200);
    expect((await deliver(shop, BODY, webhook)).status).toBe(200);
    const kept = await readDeliveriesOfShop(endpoints.app.db, shop);
    expect(kept).toMatchObject([
      {
        source: 'shopify',
        topic: 'orders/paid',
        dedupeKey: webhook['X-Shopify-Webhook-Id'],
        resourceIds: { order: 'gid://shopify/Order/820982911946154508' },
        body: null,
        bodySha256: createHash('sha256').update(BODY).digest('hex'),
        occurredAt: new Date('2026-11-20T22:54:22.947Z'),
        handledAt: kept[0]!.receivedAt,
        result: 'handled',
      },
    ]);
    const order = await endpoints.app.db.manager.findOneByOrFail(StorefrontOrders, { shopId: shop.id });
    expect(await readJobPayloads(endpoints.app.db, 'plan_order')).toContainEqual({ storefrontOrderId: order.id });
    expect(JSON.stringify(kept)).not.toContain('jon@example.com');
  });

  test('a delivery from an unknown shop gets 200 and is not stored', async () => {
    const before = await countDeliveries();
    expect((await deliver({ domain: 'nobody.myshopify.com' }, BODY)).status).toBe(200);
    expect(await countDeliveries()).toBe(before);
  });

  test.each(['carts/brew', 'constructor', 'x'.repeat(8_000)])('the unknown topic $0 gets 200', async (topic) => {
    const shop = await addShop(endpoints.app.db);
    expect((await deliver(shop, BODY, { topic })).status).toBe(200);
    expect(await readDeliveriesOfShop(endpoints.app.db, shop)).toMatchObject([
      { topic: topic.slice(0, 200), resourceIds: {} },
    ]);
  });

  test('a delivery without a resource ID is stored with the result "no_resource_id"', async () => {
    const shop = await addShop(endpoints.app.db);
    expect((await deliver(shop, '{"note":"no id"}')).status).toBe(200);
    expect(await readDeliveriesOfShop(endpoints.app.db, shop)).toMatchObject([
      { result: 'no_resource_id', resourceIds: {} },
    ]);
  });

  test.each([
    ['app/uninstalled', 'myshopify_domain'],
    ['customers/data_request', 'shop_domain'],
    ['customers/redact', 'shop_domain'],
    ['shop/redact', 'shop_domain'],
  ])('a delivery of %s is stored only if its signed body and its header name the same shop', async (topic, field) => {
    const [one, other] = [await addShop(endpoints.app.db), await addShop(endpoints.app.db)];
    const body = JSON.stringify({ id: 1, [field]: one.domain.toUpperCase() });
    expect((await deliver(other, body, { topic })).status).toBe(200);
    expect((await deliver(one, '{"id":1}', { topic })).status).toBe(200);
    expect((await deliver(one, JSON.stringify({ [field]: [one.domain] }), { topic })).status).toBe(200);
    expect(await readDeliveriesOfShop(endpoints.app.db, one)).toEqual([]);
    expect((await deliver(one, body, { topic })).status).toBe(200);
    expect(await readDeliveriesOfShop(endpoints.app.db, one)).toMatchObject([{ topic, body: null }]);
    expect(await readDeliveriesOfShop(endpoints.app.db, other)).toEqual([]);
  });

  test('a shop/redact delivery whose body is a customer’s privacy request is not stored', async () => {
    const shop = await addShop(endpoints.app.db);
    const body = JSON.stringify({ shop_domain: shop.domain, customer: { id: 1 }, orders_to_redact: [2] });
    expect((await deliver(shop, body, { topic: 'shop/redact' })).status).toBe(200);
    expect(await readDeliveriesOfShop(endpoints.app.db, shop)).toEqual([]);
  });

  test('a delivery whose header names lack the prefix X- is stored', async () => {
    const shop = await addShop(endpoints.app.db);
    const lowerCase = (body: string, topic: string) => ({
      'shopify-hmac-sha256': signBody(body),
      'shopify-topic': topic,
      'shopify-shop-domain': shop.domain,
      'shopify-api-version': '2026-10',
      'shopify-webhook-id': randomUUID(),
    });
    const uninstalled = JSON.stringify({ myshopify_domain: shop.domain });
    expect((await post(url, BODY, lowerCase(BODY, 'orders/paid'))).status).toBe(200);
    expect((await post(url, uninstalled, lowerCase(uninstalled, 'app/uninstalled'))).status).toBe(200);
    const order = 'gid://shopify/Order/820982911946154508';
    const kept = await readDeliveriesOfShop(endpoints.app.db, shop);
    expect(kept).toMatchObject([{ topic: 'orders/paid', resourceIds: { order } }, { topic: 'app/uninstalled' }]);
  });

  test('a delivery whose ID is too long for an index is still stored once', async () => {
    const shop = await addShop(endpoints.app.db);
    const webhook = { 'X-Shopify-Webhook-Id': Array.from({ length: 200 }, () => randomUUID()).join('') };
    expect((await deliver(shop, BODY, webhook)).status).toBe(200);
    expect((await deliver(shop, BODY, webhook)).status).toBe(200);
    expect(await readDeliveriesOfShop(endpoints.app.db, shop)).toHaveLength(1);
  });
});

describe('requests that Shopify did not sign', () => {
  test('a request without a body gets 401, even with the HMAC of an empty body', async () => {
    const shop = await addShop(endpoints.app.db);
    expect((await deliver(shop, '')).status).toBe(401);
  });

  test('300 deliveries, each tampered with in a different way, get 401 and are not stored', async () => {
    const shop = await addShop(endpoints.app.db);
    const before = await countDeliveries();
    for (const { how, body, headers } of tamperDeliveries(1, 300, shop.domain))
      expect([how, (await post(url, body, headers)).status]).toEqual([how, 401]);
    expect(await countDeliveries()).toBe(before);
  });
});

describe('signed requests that cannot be used', () => {
  test.each([
    ['truncated JSON', BODY.slice(0, -1)],
    ['a list', `[${BODY}]`],
    ['compressed JSON', gzipSync(BODY)],
    ['a million levels', `{"a":${'['.repeat(1_000_000)}`],
  ])('a signed request with %s as its body gets 400', async (_name, body) => {
    const shop = await addShop(endpoints.app.db);
    const answer = await deliver(shop, body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: 'invalid_input', field: 'body' } });
    expect(await readDeliveriesOfShop(endpoints.app.db, shop)).toEqual([]);
  });

  test('a signed request with compressed JSON and a Content-Encoding header is not decompressed', async () => {
    const shop = await addShop(endpoints.app.db);
    expect((await deliver(shop, gzipSync(BODY), { 'Content-Encoding': 'gzip' })).status).toBe(400);
  });
});

describe('request bodies', () => {
  test('a body of 2 MiB is accepted, but one with an additional byte gets 413', async () => {
    const shop = await addShop(endpoints.app.db);
    const frame = '{"id":1,"note":""}';
    const exact = frame.replace('""', `"${'x'.repeat(LIMIT - frame.length)}"`);
    expect(Buffer.byteLength(exact)).toBe(LIMIT);
    expect((await deliver(shop, exact)).status).toBe(200);
    expect((await deliver(shop, exact.replace('x', 'xx'))).status).toBe(413);
    expect(await readDeliveriesOfShop(endpoints.app.db, shop)).toHaveLength(1);
  });

  test('a body without an end gets 413, and the connection is closed', async () => {
    const socket = connect(endpoints.port, '127.0.0.1');
    socket.on('error', () => undefined);
    const answered = () => endpoints.app.logged().split('"status":413').length;
    const before = answered();
    socket.write('POST /webhooks/shopify HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const most = 1_000;
    let sent = 0;
    for (; sent < most && !socket.destroyed; sent += 1)
      await new Promise((resolve) => void socket.write(chunk, resolve));
    expect(sent).toBeLessThan(most);
    expect(answered()).toBe(before + 1);
  });
});

describe('deliveries during a database outage', () => {
  test('a delivery gets 503 during the outage, and 200 when it is resent later', async () => {
    const own = await openTestEndpoints();
    const shop = await addShop(own.app.db);
    const headers = createWebhookHeaders(BODY, { shop: shop.domain });
    await allowConnections(own.app.databaseUrl, false);
    const answer = await post(`${own.url}/webhooks/shopify`, BODY, headers);
    expect(answer.status).toBe(503);
    expect(JSON.stringify(await answer.json())).not.toMatch(/database|connection/i);
    await allowConnections(own.app.databaseUrl, true);
    expect((await post(`${own.url}/webhooks/shopify`, BODY, headers)).status).toBe(200);
    expect(await readDeliveriesOfShop(own.app.db, shop)).toHaveLength(1);
    await own.close();
  });

  test('a delivery gets 503 within 5 s while the database hangs, and is eventually stored once', async () => {
    const shop = await addShop(endpoints.app.db);
    const webhook = { 'X-Shopify-Webhook-Id': randomUUID() };
    const runner = endpoints.app.db.createQueryRunner();
    await runner.startTransaction();
    await runner.query('lock table deliveries in access exclusive mode');
    const startedAt = performance.now();
    expect((await deliver(shop, BODY, webhook)).status).toBe(503);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    await runner.rollbackTransaction();
    await runner.release();
    expect((await deliver(shop, BODY, webhook)).status).toBe(200);
    expect(await readDeliveriesOfShop(endpoints.app.db, shop)).toHaveLength(1);
  });

  test('a delivery whose job cannot be created gets 503 and is not stored', async () => {
    const shop = await addShop(endpoints.app.db);
    await refuseJobs(endpoints.app.db);
    const headers = createWebhookHeaders(BODY, { shop: shop.domain });
    expect((await post(`${endpoints.url}/webhooks/shopify`, BODY, headers)).status).toBe(503);
    expect(await readDeliveriesOfShop(endpoints.app.db, shop)).toEqual([]);
  });
});
