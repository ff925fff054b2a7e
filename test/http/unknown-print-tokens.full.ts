import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Shop } from '../../src/database/entities/shops.ts';
import { listen, type Endpoints } from '../../src/http/server.ts';
import { createPrintWebhookAddress } from '../../src/shops/print-account/print-webhook-address.ts';
import {
  addShop,
  allowConnections,
  createWebhookHeaders,
  openTestApp,
  post,
  readDeliveriesOfShop,
  type OpenTestApp,
} from './test-app.ts';

/** The body of the attack: many values within the size limit of an event. */
const MANY_VALUES = `{"event":"order_status_updated","a":[${'1,'.repeat(130_000)}1]}`;
const PAID = '{"id":1001,"admin_graphql_api_id":"gid://shopify/Order/1001"}';

let app: OpenTestApp;
let endpoints: Endpoints;
let shop: Shop;
let url: string;

beforeEach(async () => {
  app = await openTestApp();
  shop = await addShop(app.db);
  url = new URL(await createPrintWebhookAddress(app, shop)).pathname;
  // The replay is delayed so that spooled events stay in the folder.
  endpoints = await listen(app, { replayMs: 60_000 });
  url = endpoints.url + url;
});

afterEach(async () => {
  await endpoints.close();
  await allowConnections(app.databaseUrl, true);
  await app.close();
});

function listSpoolFiles(): string[] {
  try {
    return readdirSync(join(app.config.home, 'spool'));
  } catch {
    return [];
  }
}

/** Shopify counts a delivery as failed after this time. */
const SHOPIFY_TIMEOUT_MS = 5_000;

const event = (id: string) =>
  JSON.stringify({ id, event: 'order_status_updated', orderId: 'o', fulfillmentStatus: 'x' });

test('large events from an unknown sender delay no deliveries and write nothing to disk', async () => {
  const attacks = Array.from({ length: 60 }, (_, at) => post(`${endpoints.url}/webhooks/print/AAAA${at}`, MANY_VALUES));
  const deliveries = Array.from({ length: 10 }, async () => {
    const startedAt = performance.now();
    const { status } = await post(
      `${endpoints.url}/webhooks/shopify`,
      PAID,
      createWebhookHeaders(PAID, { shop: shop.domain }),
    );
    return { status, isInTime: performance.now() - startedAt < SHOPIFY_TIMEOUT_MS };
  });
  expect(await Promise.all(deliveries)).toEqual(deliveries.map(() => ({ status: 200, isInTime: true })));
  const statuses = (await Promise.all(attacks)).map(({ status }) => status);
  expect(statuses.filter((status) => status !== 404 && status !== 503)).toEqual([]);
  expect(listSpoolFiles()).toEqual([]);
});

test('an event with too many values is rejected before it is parsed', async () => {
  const answer = await post(url, MANY_VALUES);
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain('more than 20000 values');
  expect(await readDeliveriesOfShop(app.db, shop)).toEqual([]);
});

describe('print events during a database outage', () => {
  test('an event is spooled if its address was known when the app started, and refused otherwise', async () => {
    await allowConnections(app.databaseUrl, false);
    expect((await post(`${endpoints.url}/webhooks/print/AAAA`, event('1'))).status).toBe(503);
    expect((await post(`${endpoints.url}/webhooks/print/AAAA`, 'no JSON')).status).toBe(503);
    expect(listSpoolFiles()).toEqual([]);
    expect((await post(url, event('2'))).status).toBe(200);
    expect(listSpoolFiles()).toHaveLength(1);
  });
});
