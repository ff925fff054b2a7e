import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { installScopes, optionalScopes } from '../../../src/shopify/auth/access-scopes.ts';
import { ownAppToml, readAppToml } from '../../../sandbox/store/access/app-toml.ts';
import { demo, openTestStore, type Received, type TestStore, until } from './open-store.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore({ previousApiSecret: 'older-secret' });
});
afterAll(() => store.close());
beforeEach(async () => {
  store.answers.status = () => 200;
  await store.post('/_control/reset');
  store.received.length = 0;
});

const webhooksOf = (topic: string): Received[] =>
  store.received.filter(({ headers }) => headers['x-shopify-topic'] === topic);
const bodyOf = (one: Received | undefined) => JSON.parse(String(one?.body)) as Record<string, unknown>;
const hear = (topic: string, times = 1) => until(() => webhooksOf(topic).length >= times);
const numberOf = (gid: string) => Number(gid.split('/').at(-1));

test('the TOML file in this repository has the scopes, the redirect path and the webhook topics of the app', () => {
  const toml = readAppToml(ownAppToml);
  expect([toml.scopes, toml.optionalScopes]).toEqual([[...installScopes], [...optionalScopes]]);
  expect(toml.redirectPaths).toEqual(['/auth/callback']);
  const topics = toml.subscriptions.map(({ topic }) => topic);
  expect(topics).toEqual(expect.arrayContaining(['orders/create', 'customers/redact', 'app/scopes_update']));
  expect(topics).not.toContain('carts/create');
});

test('the app gets only the webhooks in its TOML file, at the addresses and with the names given there', async () => {
  const path = join(store.home, 'few.toml');
  await writeFile(
    path,
    `[access_scopes]
scopes = "read_orders"
[auth]
redirect_urls = []
[webhooks]
subscriptions = [
  { topics = ["orders/create"], uri = "/hooks/new", name = "fresh" },
  { topics = ["orders/create"], uri = "/hooks/copy" },
]
`,
  );
  const few = await openTestStore({ appToml: path });
  await few.buy({ CARDS: 1 });
  await until(() => few.received.length >= 2);
  await few.close();
  expect(few.received.map((one) => one.path).toSorted()).toEqual(['/hooks/copy', '/hooks/new']);
  const [copy, fresh] = few.received.toSorted((a, b) => (a.path < b.path ? -1 : 1)).map(({ headers }) => headers);
  expect([fresh?.['x-shopify-name'], copy?.['x-shopify-name']]).toEqual(['fresh', undefined]);
  expect(fresh?.['x-shopify-event-id']).toBe(copy?.['x-shopify-event-id']);
  expect(fresh?.['x-shopify-webhook-id']).not.toBe(copy?.['x-shopify-webhook-id']);
});

test('a delivery without a 2xx response is retried after the configured delays and then counts as failed', async () => {
  expect((await store.get('/_control/webhooks')).body).toMatchObject({
    retryMs: [20, 20, 20],
    pending: {},
    failed: {},
  });
  await store.post('/_control/webhooks', { retryMs: [10, 86_400_000] });
  store.answers.status = () => 302;
  await store.post('/_control/webhooks/send', { topic: 'shop/update', body: {} });
  await hear('shop/update', 2);
  const webhooks = async () => (await store.get('/_control/webhooks')).body;
  await until(async () => (await webhooks())['pending']?.['shop/update'] !== undefined);
  expect(await webhooks()).toMatchObject({ pending: { 'shop/update': 1 }, failed: {} });
  await store.post('/_control/webhooks', { retryMs: [] });
  await store.post('/_control/webhooks/send', { topic: 'themes/publish', body: {} });
  await until(async () => (await webhooks())['failed']?.['themes/publish'] !== undefined);
  expect(webhooksOf('themes/publish')).toHaveLength(1);
  expect((await store.post('/_control/webhooks', { retryMs: null })).body['retryMs']).toEqual([20, 20, 20]);
});

test('a customer’s privacy requests name the customer and the orders, even after an uninstall', async () => {
  const orders = [
    await store.buy({ CARDS: 1 }, { customerId: '191167', email: 'john@example.com', phone: '+15556251199' }),
    await store.buy({ CARDS: 1 }, { customerId: '191167', email: 'john@example.com', phone: '+15556251199' }),
  ];
  await store.buy({ CARDS: 1 });
  const ids = orders.map(({ id }) => numberOf(id));
  const customer = { id: 191167, email: 'john@example.com', phone: '+15556251199' };
  expect((await store.post('/_control/customers/191167/data-request')).status).toBe(202);
  await hear('customers/data_request');
  expect(bodyOf(webhooksOf('customers/data_request')[0])).toEqual({
    shop_id: expect.any(Number),
    shop_domain: demo,
    orders_requested: ids,
    customer,
    data_request: { id: expect.any(Number) },
  });
  await store.post(`/_control/shops/${demo}/uninstall`);
  const gid = encodeURIComponent('gid://shopify/Customer/191167');
  const { body } = await store.post(`/_control/customers/${gid}/redact`, { shop: demo });
  await hear('customers/redact');
  expect(bodyOf(webhooksOf('customers/redact')[0])).toEqual(body);
  expect(body).toEqual({ shop_id: expect.any(Number), shop_domain: demo, customer, orders_to_redact: ids });
  expect((await store.post('/_control/customers/1/redact')).status).toBe(404);
  expect((await store.post('/_control/customers/191167/redact', { shop: 'second.myshopify.com' })).status).toBe(404);
});

test('a shop redaction is sent some time after the uninstall, unless the app is installed again', async () => {
  const leaving = 'leaving.myshopify.com';
  const redactionsOf = (shop: string) => webhooksOf('shop/redact').filter((one) => bodyOf(one)['shop_domain'] === shop);
  expect((await store.get('/_control/webhooks')).body['redactMs']).toBe(48 * 3600 * 1000);
  await store.post('/_control/webhooks', { redactMs: 2_000 });
  await store.post(`/_control/shops/${demo}/uninstall`);
  await store.post(`/_control/shops/${demo}/install`);
  await store.post('/_control/shops', { shop: leaving });
  await store.post(`/_control/shops/${leaving}/uninstall`);
  await until(() => redactionsOf(leaving).length > 0);
  expect(bodyOf(redactionsOf(leaving)[0])).toEqual({ shop_id: expect.any(Number), shop_domain: leaving });
  // By now, the demo shop's redaction would have been due.
  expect(redactionsOf(demo)).toEqual([]);
  await store.post('/_control/webhooks', { redactMs: 0 });
  await store.post(`/_control/shops/${demo}/uninstall`);
  await until(() => redactionsOf(demo).length > 0);
  expect([redactionsOf(leaving).length, redactionsOf(demo).length]).toEqual([1, 1]);
});
