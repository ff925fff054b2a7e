import { afterAll, beforeAll, expect, test } from 'vitest';
import { app, demo, openTestStore, createTestSessionToken, type TestStore } from '../open-store.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore({ time: 'real' });
});
afterAll(() => store.close());

const client = { client_id: app.apiKey, client_secret: app.apiSecret };
const exchange = {
  ...client,
  grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
  subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
  requested_token_type: 'urn:shopify:params:oauth:token-type:offline-access-token',
};
const ask = (body: object, shop = demo) => store.post(`/${shop}/admin/oauth/access_token`, body);
const shopWith = (token: unknown, path = `/${demo}/admin/api/2026-10/graphql.json`) =>
  store.post(path, { query: '{ shop { myshopifyDomain } }' }, { 'x-shopify-access-token': String(token) });

test('a session token is exchanged for an expiring offline token that gives access to the Admin API', async () => {
  const { status, body } = await ask({ ...exchange, subject_token: createTestSessionToken(), expiring: '1' });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    access_token: expect.stringMatching(/^shpat_/),
    expires_in: 3600,
    refresh_token: expect.stringMatching(/^shprt_/),
    refresh_token_expires_in: 7_776_000,
    scope: expect.stringContaining('write_assigned_fulfillment_orders'),
  });
  const answer = await shopWith(body['access_token']);
  expect(answer.body).toMatchObject({ data: { shop: { myshopifyDomain: demo } } });
});

test.each([
  ['signed with another secret', createTestSessionToken({}, 'other')],
  ['of another app', createTestSessionToken({ aud: 'other' })],
  ['of another shop', createTestSessionToken({ dest: 'https://other.myshopify.com' })],
  ['that has expired', createTestSessionToken({ exp: Math.floor(Date.now() / 1000) - 60 })],
  ['that is not valid yet', createTestSessionToken({ nbf: Math.floor(Date.now() / 1000) + 60 })],
  ['with an invalid format', 'a.b.c'],
])('a session token %s is refused', async (_, token) => {
  const { status, body } = await ask({ ...exchange, subject_token: token });
  expect([status, body['error']]).toEqual([400, 'invalid_subject_token']);
});

test('a wrong client secret, an unknown grant and an unknown shop are rejected', async () => {
  expect((await ask({ ...client, client_secret: 'no', grant_type: 'client_credentials' })).body['error']).toBe(
    'invalid_client',
  );
  expect((await ask({ ...client, grant_type: 'password' })).body['error']).toBe('invalid_request');
  expect((await ask({ ...client, grant_type: 'client_credentials' }, 'nobody.myshopify.com')).status).toBe(404);
});

test('a refresh token is replaced when it is used, and works until its successor is used', async () => {
  const first = (await ask({ ...exchange, subject_token: createTestSessionToken(), expiring: '1' })).body;
  const refresh = (token: unknown) => ask({ ...client, grant_type: 'refresh_token', refresh_token: token });
  const second = (await refresh(first['refresh_token'])).body;
  expect(second['refresh_token']).not.toBe(first['refresh_token']);
  expect((await shopWith(second['access_token'])).status).toBe(200);
  const again = (await refresh(first['refresh_token'])).body;
  expect(again['refresh_token']).toBe(second['refresh_token']);
  expect((await refresh(second['refresh_token'])).status).toBe(200);
  const late = await refresh(first['refresh_token']);
  expect([late.status, late.body['error']]).toEqual([401, 'invalid_request']);
});

test('a call with an access token that is unknown, expired or from another shop gets a 401 response', async () => {
  const refused = { errors: '[API] Invalid API key or access token (unrecognized login or wrong password)' };
  const unknown = await shopWith('shpat_unknown');
  expect([unknown.status, unknown.body]).toEqual([401, refused]);
  await store.post('/_control/shops', { shop: 'second.myshopify.com' });
  const other = await store.token('second.myshopify.com');
  expect((await shopWith(other)).status).toBe(401);
  const token = await store.token();
  expect((await shopWith(token)).status).toBe(200);
  await store.post('/_control/tokens/expire');
  expect((await shopWith(token)).status).toBe(401);
});
