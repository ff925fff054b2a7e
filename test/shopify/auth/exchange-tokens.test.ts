import { describe, expect, test } from 'vitest';
import { InvalidSessionTokenError, ShopifyError } from '../../../src/shopify/admin/errors.ts';
import { openScriptedShopify, type Step } from '../scripted-shopify.ts';
import { signToken } from '../session-token.ts';

const shop = 'demo.myshopify.com';
const granted = {
  access_token: 'shpat_canary-access',
  scope: 'read_orders,write_fulfillments',
  expires_in: 3600,
  refresh_token: 'shprt_canary-refresh',
  refresh_token_expires_in: 7_776_000,
};

const start = (step: Step, timeoutMs = 5000) => openScriptedShopify([step], { timeoutMs });

const within = (date: Date | null, secondsFromNow: number) =>
  Math.abs((date?.getTime() ?? 0) - Date.now() - secondsFromNow * 1000) < 10_000;

describe('the exchange of a session token', () => {
  test('a session token is exchanged for an expiring offline token with its refresh token', async () => {
    const { shopify, server } = await start({ body: granted });
    const sessionToken = signToken();
    const token = await shopify.exchangeSessionToken(shop, sessionToken);
    expect(token).toMatchObject({
      accessToken: 'shpat_canary-access',
      refreshToken: 'shprt_canary-refresh',
      scopes: 'read_orders,write_fulfillments',
    });
    expect([within(token.expiresAt, 3600), within(token.refreshTokenExpiresAt, 7_776_000)]).toEqual([true, true]);
    const [call] = server.calls;
    expect(call?.path).toBe('/demo.myshopify.com/admin/oauth/access_token');
    expect(JSON.parse(call?.body ?? '')).toEqual({
      client_id: 'sandbox-app',
      client_secret: 'sandbox-secret',
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: sessionToken,
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      requested_token_type: 'urn:shopify:params:oauth:token-type:offline-access-token',
      expiring: '1',
    });
  });

  test('a session token that Shopify refuses is invalid', async () => {
    const { shopify } = await start({ status: 400, body: { error: 'invalid_subject_token' } });
    await expect(shopify.exchangeSessionToken(shop, signToken())).rejects.toBeInstanceOf(InvalidSessionTokenError);
  });
});

describe('the use of a refresh token', () => {
  test('a refresh token returns a new pair of tokens', async () => {
    const { shopify, server } = await start({ body: granted });
    expect(await shopify.refreshToken(shop, 'shprt_old')).toMatchObject({ refreshToken: 'shprt_canary-refresh' });
    expect(JSON.parse(server.calls[0]?.body ?? '')).toEqual({
      client_id: 'sandbox-app',
      client_secret: 'sandbox-secret',
      grant_type: 'refresh_token',
      refresh_token: 'shprt_old',
    });
  });

  const failures: [string, Step, Partial<ShopifyError>][] = [
    [
      'has expired',
      { status: 400, body: { error: 'invalid_grant' } },
      { kind: 'unauthorized', retryable: false, effect: 'none' },
    ],
    ['is refused at the edge', { status: 401, body: {} }, { kind: 'unavailable', retryable: true, effect: 'none' }],
    [
      'is sent with the wrong secret',
      { status: 401, body: { error: 'invalid_client' } },
      { kind: 'forbidden', retryable: false, effect: 'none' },
    ],
    ['is sent from a disallowed address', { status: 403, body: '' }, { kind: 'forbidden', effect: 'none' }],
    ['is throttled', { status: 429, headers: { 'Retry-After': '2.0' } }, { kind: 'throttled', retryAfterSeconds: 2 }],
    ['gets an error 502', { status: 502, body: '<html>' }, { kind: 'unavailable', retryable: true, effect: 'unknown' }],
    ['is sent before the connection breaks', 'reset', { kind: 'network', retryable: true, effect: 'unknown' }],
    ['gets no response in time', 'hang', { kind: 'timeout', retryable: true, effect: 'unknown' }],
    ['gets a response without a token', { body: {} }, { kind: 'unavailable', retryable: true, effect: 'unknown' }],
  ];
  test.each(failures)('a refresh token that %s fails with its error and is sent once', async (_, step, expected) => {
    const { shopify, server, lines } = await start(step, 300);
    const error: unknown = await shopify.refreshToken(shop, 'shprt_canary-old').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ShopifyError);
    expect(error).toMatchObject({ operation: 'RefreshToken', ...expected });
    expect(server.calls).toHaveLength(1);
    const { message, stack, cause } = error as Error;
    expect([message, stack, String(cause), ...lines].join('\n')).not.toMatch(/canary|sandbox-secret/);
  });
});
