import { createServer, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Shopify, ShopifyOptions } from '../../../src/shopify/client.ts';
import { ShopifyError } from '../../../src/shopify/admin/errors.ts';
import {
  AcceptFulfillmentRequestDocument,
  CreateFulfillmentDocument,
  OrderForPlanDocument,
  ShopForInstallDocument,
} from '../../../src/shopify/generated/operations.ts';
import { eventually, useTestClock } from '../../helpers/eventually.ts';
import type { VirtualClock } from '../../helpers/virtual-clock.ts';
import {
  createTestShopify,
  data,
  startScriptedShopify,
  throttled,
  type ScriptedShopify,
  type Step,
} from '../scripted-shopify.ts';

const shop = 'demo.myshopify.com';
const accessToken = 'shpat_canary-token';
const someShop = data({ shop: { id: 'gid://shopify/Shop/1', name: 'Demo' } });
const fulfilled = data({ fulfillmentCreate: { fulfillment: null, userErrors: [] } });
const fulfillment = { lineItemsByFulfillmentOrder: [{ fulfillmentOrderId: 'gid://shopify/FulfillmentOrder/1' }] };

const open: { close(): Promise<void> }[] = [];
afterEach(() => Promise.all(open.splice(0).map((one) => one.close())));

let clock: VirtualClock;
beforeEach(async () => void (clock = await useTestClock()));

async function start(steps: readonly Step[], options: Partial<ShopifyOptions> = {}) {
  const server = await startScriptedShopify(steps);
  const made = createTestShopify(server.origin, options);
  open.push(made.shopify, server);
  return { ...made, server, admin: made.shopify.admin({ shop, accessToken }) };
}

async function failureOf(call: Promise<unknown>): Promise<ShopifyError> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return toShopifyError(error);
}

function toShopifyError(error: unknown): ShopifyError {
  if (error instanceof ShopifyError) return error;
  throw new Error('the call did not fail with a ShopifyError', { cause: error });
}

const ask = (admin: ReturnType<Shopify['admin']>) => admin.request(ShopForInstallDocument, {});
const query = (admin: ReturnType<Shopify['admin']>) => clock.during(ask(admin));
const mutation = (admin: ReturnType<Shopify['admin']>) =>
  clock.during(admin.request(CreateFulfillmentDocument, { fulfillment }));

describe('a call to the Admin API', () => {
  test("a call is sent to the shop at the given origin, with the shop's token and the version 2026-10", async () => {
    const { admin, server } = await start([someShop]);
    expect(await query(admin)).toEqual({ shop: { id: 'gid://shopify/Shop/1', name: 'Demo' } });
    const [call] = server.calls;
    expect(call?.path).toBe('/demo.myshopify.com/admin/api/2026-10/graphql.json');
    expect(call?.headers['x-shopify-access-token']).toBe(accessToken);
    expect(call?.headers['user-agent']).toContain('Platen');
    expect(call?.operation).toBe('ShopForInstall');
  });

  test('a call returns text without characters that the database cannot store', async () => {
    const { admin } = await start([data({ shop: { id: 'gid://shopify/Shop/1', name: 'De\0mo \ud800' } })]);
    expect(await query(admin)).toMatchObject({ shop: { name: 'Demo \ufffd' } });
  });

  test('a call for a domain that is not a shop is never sent', async () => {
    const { shopify, server } = await start([someShop]);
    for (const bad of [
      'evil.com',
      'a.myshopify.com.evil.com',
      'a.myshopify.com/..',
      'a.myshopify.io',
      'A.myshopify.com',
    ])
      expect(() => shopify.admin({ shop: bad, accessToken })).toThrow('shop domain is not valid');
    expect(server.calls).toHaveLength(0);
  });
});

describe('the rate limit of a shop', () => {
  test.each([
    ['a query', query, someShop],
    ['a mutation', mutation, fulfilled],
  ])('%s is retried once the bucket has enough points', async (_, call, answer) => {
    const { admin, server } = await start([throttled({ requested: 60, available: 40, restoreRate: 100 }), answer]);
    await call(admin);
    expect(server.calls).toHaveLength(2);
    expect(gaps(server)[0]).toBeGreaterThanOrEqual(190);
  });

  test('a call that would have to wait too long fails, and the error states the wait', async () => {
    const { admin, server } = await start([{ status: 429, headers: { 'Retry-After': '60.0' } }]);
    const error = await failureOf(query(admin));
    expect(error).toMatchObject({ kind: 'throttled', retryable: true, effect: 'none', retryAfterSeconds: 60 });
    expect(server.calls).toHaveLength(1);
  });

  test('a shop whose bucket is empty is not called until the bucket has points, while another shop is called immediately', async () => {
    const poor = data({ shop: {} }, { requested: 50, available: 30, restoreRate: 100 });
    const { shopify, server, admin } = await start([poor, someShop]);
    const other = shopify.admin({ shop: 'other.myshopify.com', accessToken });
    await query(admin);
    const order: string[] = [];
    await clock.during(
      Promise.all([ask(admin).then(() => order.push('poor')), ask(other).then(() => order.push('other'))]),
    );
    expect(order).toEqual(['other', 'poor']);
    const [first, last] = [server.calls[0]!, server.calls.findLast((call) => call.path.includes(shop))!];
    expect(last.at - first.at).toBeGreaterThanOrEqual(190);
  });

  test('a call is not sent and fails immediately if the bucket would take too long to refill', async () => {
    const empty = data({ shop: {} }, { requested: 500, available: 0, restoreRate: 10 });
    const { admin, server } = await start([empty, someShop]);
    await query(admin);
    expect(await failureOf(query(admin))).toMatchObject({ kind: 'throttled', effect: 'none', status: null });
    expect(server.calls).toHaveLength(1);
  });

  test('at most four calls for one shop wait simultaneously, and further calls are refused with a retry time', async () => {
    const slow = data({ shop: {} }, { requested: 50, available: 0, restoreRate: 25 });
    const { shopify, server, admin } = await start([slow, someShop]);
    const other = shopify.admin({ shop: 'other.myshopify.com', accessToken });
    await query(admin);
    const calls = Array.from({ length: 10 }, () => ask(admin).then(() => null, toShopifyError));
    expect(await query(other)).toMatchObject({ shop: { name: 'Demo' } });
    const refused = (await clock.during(Promise.all(calls))).filter((error) => error !== null);
    expect(refused).toHaveLength(6);
    for (const error of refused) {
      expect(error).toMatchObject({ kind: 'throttled', effect: 'none', status: null });
      expect(error.retryAfterSeconds).toBeGreaterThan(0);
    }
    expect(server.calls).toHaveLength(6);
  });
});

describe('a failed connection or response', () => {
  test.each([502, 503, 504])('a query is retried after a %i response', async (status) => {
    const { admin, server } = await start([{ status }, someShop]);
    await query(admin);
    expect(server.calls).toHaveLength(2);
  });

  const unclear: [string, Step, string][] = [
    ['a connection reset after the request was read', 'reset', 'network'],
    ['a 500 response', { status: 500 }, 'unavailable'],
    ['a 503 response', { status: 503 }, 'unavailable'],
    ['a 408 response', { status: 408 }, 'timeout'],
    ['a redirect', { status: 307, headers: { location: 'http://127.0.0.1:1/' } }, 'unavailable'],
    ['no response in time', 'hang', 'timeout'],
    ['a response that is not JSON', { body: 'not json' }, 'unavailable'],
    ['a truncated response', { body: '{"data":{"ful' }, 'unavailable'],
    ['errors of an unexpected shape', { body: { errors: 'oops' } }, 'unavailable'],
    [
      'an error during execution',
      { body: { data: { fulfillmentCreate: null }, errors: [{ message: 'x', path: ['fulfillmentCreate'] }] } },
      'graphql',
    ],
  ];
  test.each(unclear)('a mutation is sent once, and its effect is unknown after %s', async (_, step, kind) => {
    const { admin, server } = await start([step, someShop], { timeoutMs: step === 'hang' ? 300 : 5000 });
    expect(await failureOf(mutation(admin))).toMatchObject({ kind, effect: 'unknown', operation: 'CreateFulfillment' });
    expect(server.calls).toHaveLength(1);
  });

  test('a mutation is retried after a refused connection, because nothing was sent', async () => {
    const port = await freePort();
    const { shopify } = createTestShopify(`http://127.0.0.1:${port}/{shop}`, {
      onCall: ({ outcome }) => outcomes.push(outcome),
    });
    const outcomes: string[] = [];
    open.push(shopify);
    const call = shopify.admin({ shop, accessToken }).request(CreateFulfillmentDocument, { fulfillment });
    await eventually(() => outcomes.length).toBeGreaterThan(0);
    const server = await startScriptedShopify([fulfilled], port);
    open.push(server);
    await clock.during(call);
    expect(outcomes).toEqual([...outcomes.slice(1).map(() => 'network'), 'ok']);
    expect(server.calls).toHaveLength(1);
  });
});

describe('a call that Shopify refuses', () => {
  test.each([
    [401, 'unauthorized'],
    [402, 'payment_required'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [423, 'locked'],
    [400, 'graphql'],
    [430, 'forbidden'],
  ])('a mutation that gets a %i response had no effect and is not retried', async (status, kind) => {
    const { admin, server } = await start([{ status, body: { errors: '[API] Invalid API key or access token' } }]);
    expect(await failureOf(mutation(admin))).toMatchObject({ kind, status, effect: 'none', retryable: false });
    expect(server.calls).toHaveLength(1);
  });

  test('a mutation with invalid input fails with its userErrors, whose text is not in the error message', async () => {
    const userErrors = [{ field: ['fulfillment', 'trackingInfo', 'url'], message: 'https://canary.example is no URL' }];
    const { admin } = await start([data({ fulfillmentCreate: { fulfillment: null, userErrors } })]);
    const error = await failureOf(mutation(admin));
    expect(error).toMatchObject({ kind: 'user_error', effect: 'none', retryable: false, code: 'shopify_user_error' });
    expect(error.userErrors).toEqual([
      { field: 'fulfillment.trackingInfo.url', message: 'https://canary.example is no URL' },
    ]);
    expect(error.message).toContain('fulfillment.trackingInfo.url');
    expect(error.message).not.toContain('canary');
  });

  test('a call for an inactive shop fails with an error of the kind "locked"', async () => {
    const errors = [{ message: 'inactive', extensions: { code: 'SHOP_INACTIVE' } }];
    const { admin } = await start([{ body: { errors } }]);
    expect(await failureOf(query(admin))).toMatchObject({ kind: 'locked', effect: 'none' });
  });

  test("if Shopify refuses the server's IP address, the error states where to allow the address", async () => {
    const { admin } = await start([{ status: 403, body: { errors: 'Forbidden' } }]);
    expect((await failureOf(query(admin))).message).toContain('IP allowlist');
  });
});

describe('protected customer data that the app may not read', () => {
  const denied = (...path: (string | number)[]) => ({
    message: `This app is not approved to use the ${path.at(-1)} field. See https://shopify.dev/docs/apps/launch/protected-customer-data for more details.`,
    path,
    extensions: { code: 'ACCESS_DENIED' },
  });
  const id = 'gid://shopify/Order/1';
  const forPlan = { id, withCustomer: true };

  test('the paths of hidden customer data are returned with the data', async () => {
    const errors = [denied('order', 'email'), denied('order', 'shippingAddress', 'zip'), denied('order', 'email')];
    const order = { id, email: null, shippingAddress: { zip: null } };
    const { admin } = await start([{ body: { data: { order }, errors } }]);
    expect(await admin.requestPartial(OrderForPlanDocument, forPlan)).toEqual({
      data: { order },
      protectedFieldsMissing: ['email', 'shippingAddress.zip'],
    });
  });

  const scope = '`read_customers` access scope.';
  const noScope = {
    message: `Access denied for customer field. Required access: ${scope}`,
    path: ['order', 'customer'],
    extensions: { code: 'ACCESS_DENIED', documentation: 'https://shopify.dev/api/usage/access-scopes' },
  };
  test.each([
    ['named in the documented field', { ...noScope, extensions: { ...noScope.extensions, requiredAccess: scope } }],
    ['named only in the message', noScope],
  ])('a field whose missing scope is %s causes an error and is not hidden customer data', async (_, error) => {
    const order = { id, email: null, customer: null };
    const { admin } = await start([{ body: { data: { order }, errors: [denied('order', 'email'), error] } }]);
    const failure = await failureOf(admin.requestPartial(OrderForPlanDocument, forPlan));
    expect(failure).toMatchObject({ kind: 'access_denied', effect: 'none', retryable: false });
    expect(failure.message).toMatch(/ACCESS_DENIED at order\.customer/);
  });

  test('an order that is null because a field was refused is not mistaken for a missing order', async () => {
    const { admin } = await start([{ body: { data: { order: null }, errors: [denied('order', 'email')] } }]);
    const call = admin.requestPartial(OrderForPlanDocument, forPlan);
    expect(await failureOf(call)).toMatchObject({ kind: 'access_denied' });
  });
});

test('no error contains the token, the input or the response, regardless of the failure', async () => {
  const canary = 'canary-buyer@example.com';
  const leaky: Step[] = [
    { status: 401, body: { errors: `${accessToken} ${canary}` } },
    { status: 403, body: `${accessToken} ${canary}` },
    { status: 500, body: { errors: canary } },
    { body: `${canary} ${accessToken}` },
    { body: { errors: [{ message: canary, extensions: { code: 'INVALID_VARIABLE', value: canary } }] } },
    'reset',
  ];
  for (const step of leaky) {
    const { admin, lines } = await start([step]);
    const error = await failureOf(admin.request(AcceptFulfillmentRequestDocument, { id: '1', message: canary }));
    const exposed = [error.message, error.stack, String(error.cause), ...lines].join('\n');
    expect(exposed).not.toContain('canary');
  }
});

/** Returns the milliseconds between consecutive calls. */
function gaps({ calls }: ScriptedShopify): number[] {
  return calls.slice(1).map((call, index) => call.at - calls[index]!.at);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('a shop whose API does not respond', () => {
  test('a shop is no longer called after five consecutive failures, but another shop still is', async () => {
    const { server, admin, shopify } = await start([
      (call) => Promise.resolve(call.path.includes(shop) ? { status: 500 } : someShop),
    ]);
    for (let count = 0; count < 5; count += 1) {
      expect(await failureOf(mutation(admin))).toMatchObject({ kind: 'unavailable', status: 500, effect: 'unknown' });
    }
    expect(shopify.outages()).toBe(1);
    for (const call of [mutation(admin), query(admin)]) {
      const error = await failureOf(call);
      expect(error).toMatchObject({ kind: 'unavailable', status: null, effect: 'none', retryable: true });
      expect(error.retryAfterSeconds).toBeGreaterThan(5);
      expect(error.retryAfterSeconds).toBeLessThan(11);
    }
    expect(server.calls).toHaveLength(5);
    expect(await query(shopify.admin({ shop: 'other.myshopify.com', accessToken }))).toMatchObject({
      shop: { name: 'Demo' },
    });
  });
});
