import { readFile } from 'node:fs/promises';
import { ApiVersion } from '@shopify/shopify-api';
import { buildSchema, isEnumType } from 'graphql';
import { parse } from 'smol-toml';
import { z } from 'zod';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readFlowExtensions } from '../sandbox/store/flow/read-flow-extensions.ts';
import { findHandler } from '../src/inbox/handlers.ts';
import { installScopes, optionalScopes } from '../src/shopify/auth/access-scopes.ts';
import { readAccessScopes } from '../src/shopify/calls/shop.ts';
import { METAFIELD_TYPES } from '../src/orders/store-view/to-extras.ts';
import { checkAppToml, type AppFacts } from './check-app-toml.ts';
import { openTestEndpoints, type TestEndpoints } from './http/test-app.ts';
import { createTestShopify, data, startScriptedShopify } from './shopify/scripted-shopify.ts';

const root = new URL('../', import.meta.url);
const toml = await readFile(new URL('shopify.app.toml', root), 'utf8');
const schemaText = await readFile(new URL('src/shopify/admin-2026-10.graphql', root), 'utf8');

let endpoints: TestEndpoints;
let facts: AppFacts;

beforeAll(async () => {
  endpoints = await openTestEndpoints();
  const topics = buildSchema(schemaText).getType('WebhookSubscriptionTopic');
  facts = {
    topics: new Set(isEnumType(topics) ? topics.getValues().map(({ name }) => name) : []),
    hasHandler: (topic) => findHandler({ source: 'shopify', topic }) !== null,
    hasRoute,
    apiVersions: [
      ApiVersion.October26,
      await calledVersion(),
      /^# Shopify Admin API (\S+),/.exec(schemaText)?.[1] ?? '',
    ],
    orderMetafields: METAFIELD_TYPES,
    installScopes,
    buyerMetafields: await readBuyerMetafields(),
    optionalScopes,
  };
});

afterAll(() => endpoints.close());

test("shopify.app.toml matches the app's code", async () => {
  expect(await checkAppToml(toml, facts)).toEqual([]);
});

test.each([
  ['a topic that does not exist', '"orders/paid"', '"orders/payed"', 'orders/payed is not a topic of the schema'],
  [
    'a metafield of another type',
    'type = "date"\nname = "Arrives from"',
    'type = "single_line_text_field"\nname = "Arrives from"',
    'delivery_from,date is missing from order.metafields.app',
  ],
  ['a topic without a handler', '"shop/update"', '"carts/create"', 'carts/create has no handler'],
  ['a duplicate topic', '"orders/paid"', '"orders/create"', 'orders/create is subscribed to twice'],
  ['a missing compliance topic', ', "shop/redact"', '', 'shop/redact is missing'],
  [
    'a webhook address without a route',
    'uri = "/webhooks/shopify"',
    'uri = "/webhooks/elsewhere"',
    'POST /webhooks/elsewhere is not a route',
  ],
  [
    'a redirect URL without a route',
    '/auth/callback"',
    '/auth/elsewhere"',
    'GET https://platen.example.com/auth/elsewhere is not a route',
  ],
  ['another API version', '"2026-10"', '"2026-07"', "api_version is 2026-07, and the code's 2026-10"],
  ['an unneeded scope', 'scopes = "', 'scopes = "write_themes,', 'write_themes is not needed in scopes'],
  ['an app proxy without a route', 'url = "/proxy"', 'url = "/elsewhere"', 'GET /elsewhere/estimate is not a route'],
  [
    'a metafield that buyers cannot read',
    'access.customer_account = "read"',
    '',
    "print_status is missing from buyers' metafields",
  ],
])('the check reports %s', async (_title, part, instead, problem) => {
  expect(toml).toContain(part);
  const found = await checkAppToml(toml.replace(part, instead), facts);
  expect(found.join('\n')).toContain(problem);
});

test('the addresses in extensions/flow are endpoints of the app', async () => {
  const { actions, callbackPath } = readFlowExtensions();
  expect(actions).toHaveLength(3);
  for (const path of [callbackPath, ...actions.map(({ runtime_url }) => runtime_url)])
    expect(await hasRoute('POST', path), path).toBe(true);
});

/** Sends a request to the app. Any response other than "no such route" means that the route exists. */
async function hasRoute(method: 'GET' | 'POST', path: string): Promise<boolean> {
  const { status } = await fetch(`${endpoints.url}${path}`, { method, redirect: 'manual' });
  return status !== 404 && status !== 405;
}

/** Returns the keys of the metafields that the extension on a buyer's page reads. */
async function readBuyerMetafields(): Promise<string[]> {
  const text = await readFile(new URL('extensions/order-status/shopify.extension.toml', root), 'utf8');
  const schema = z.object({ extensions: z.tuple([z.object({ metafields: z.array(z.object({ key: z.string() })) })]) });
  return schema.parse(parse(text)).extensions[0].metafields.map(({ key }) => key);
}

/** Returns the API version in the URL of the client's calls. */
async function calledVersion(): Promise<string> {
  const server = await startScriptedShopify([data({ currentAppInstallation: { accessScopes: [] } })]);
  const { shopify } = createTestShopify(server.origin);
  await readAccessScopes(shopify.admin({ shop: 'demo.myshopify.com', accessToken: 'token' }));
  await Promise.all([shopify.close(), server.close()]);
  return /\/admin\/api\/([^/]+)\//.exec(server.calls[0]?.path ?? '')?.[1] ?? '';
}
