import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { installScopes, optionalScopes } from '../../../src/shopify/auth/access-scopes.ts';
import { ownAppToml, readAppToml } from '../../../sandbox/store/access/app-toml.ts';
import { openTestStore, type TestStore, until } from './open-store.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());
beforeEach(async () => {
  await store.post('/_control/reset');
  store.received.length = 0;
});

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
