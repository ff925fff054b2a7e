import { generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { InvalidSessionTokenError } from '../../../src/shopify/admin/errors.ts';
import { createTestShopify } from '../scripted-shopify.ts';
import { claims, signToken } from '../session-token.ts';

const { shopify, lines } = createTestShopify('https://{shop}');
afterAll(() => shopify.close());

const seconds = (offset: number) => Math.floor(Date.now() / 1000) + offset;

describe('a valid session token', () => {
  test('a session token for the app contains its shop, its user and its expiry', async () => {
    const exp = seconds(60);
    expect(await shopify.verifySessionToken(signToken(claims({ exp })))).toEqual({
      shop: 'demo.myshopify.com',
      userId: '42',
      expiresAt: new Date(exp * 1000),
    });
  });

  test('a session token signed with the previous secret is valid only while that secret is configured', async () => {
    const rotated = createTestShopify('https://{shop}', {
      apiSecret: 'new-secret',
      previousApiSecret: 'sandbox-secret',
    });
    const verify = (secret: string) => rotated.shopify.verifySessionToken(signToken(claims(), { secret }));
    await expect(verify('new-secret')).resolves.toMatchObject({ shop: 'demo.myshopify.com' });
    await expect(verify('sandbox-secret')).resolves.toMatchObject({ shop: 'demo.myshopify.com' });
    await expect(verify('older-secret')).rejects.toThrow(InvalidSessionTokenError);
    await rotated.shopify.close();
  });

  test('a session token may be up to ten seconds early or late', async () => {
    for (const change of [{ exp: seconds(-7) }, { nbf: seconds(7) }])
      await expect(shopify.verifySessionToken(signToken(claims(change)))).resolves.toMatchObject({
        shop: 'demo.myshopify.com',
      });
  });
});

const unsigned = `${signToken(claims(), { header: { alg: 'none', typ: 'JWT' } })
  .split('.')
  .slice(0, 2)
  .join('.')}.`;
const good = signToken();

const tricks: [string, string][] = [
  ['is empty', ''],
  ['has the algorithm none and no signature', unsigned],
  ['has the algorithm none and a signature', signToken(claims(), { header: { alg: 'none' } })],
  ['is signed with RS256', signedByKey()],
  ['claims RS256 and is signed with the secret', signToken(claims(), { header: { alg: 'RS256' } })],
  ['is signed with another secret', signToken(claims(), { secret: 'other' })],
  [
    'contains its own key',
    signToken(claims(), { header: { alg: 'HS256', jwk: { kty: 'oct', k: 'b3RoZXI' } }, secret: 'other' }),
  ],
  ['has an unknown critical header', signToken(claims(), { header: { alg: 'HS256', crit: ['x'], x: 1 } })],
  [
    'was changed after signing',
    `${good.split('.')[0]}.${signToken(claims({ sub: '43' })).split('.')[1]}.${good.split('.')[2]}`,
  ],
  ['expired eleven seconds ago', signToken(claims({ exp: seconds(-12) }))],
  ['becomes valid in twelve seconds', signToken(claims({ nbf: seconds(12) }))],
  ['has no expiry', signToken(claims({ exp: undefined }))],
  ['is for another app', signToken(claims({ aud: 'other-app' }))],
  ['is for several apps', signToken(claims({ aud: ['sandbox-app', 'other-app'] }))],
  ['has no destination', signToken(claims({ dest: undefined }))],
  ['names different shops as destination and issuer', signToken(claims({ dest: 'https://other.myshopify.com' }))],
  ['has an issuer on another host', signToken(claims({ iss: 'https://evil.com/admin' }))],
  [
    'has an issuer on a host that starts like its shop',
    signToken(claims({ iss: 'https://demo.myshopify.com.evil.com/admin' })),
  ],
  ['has no issuer', signToken(claims({ iss: undefined }))],
  ['has no user', signToken(claims({ sub: undefined }))],
  ['is very long', signToken(claims({ filler: 'x'.repeat(5000) }))],
  ...[
    'http://demo.myshopify.com',
    'https://evil.com',
    'https://demo.myshopify.com.evil.com',
    'https://demo.myshopify.io',
    'https://demo.shopify.com',
    'https://user@demo.myshopify.com',
    'https://demo.myshopify.com:8443',
    'https://demo.myshopify.com/',
    'https://Demo.myshopify.com',
    'demo.myshopify.com',
  ].map((dest): [string, string] => [`has the destination ${dest}`, signToken(claims({ dest, iss: `${dest}/admin` }))]),
];

describe('an invalid session token', () => {
  test.each(tricks)('a session token is refused and not quoted if it %s', async (_, token) => {
    const error: unknown = await shopify.verifySessionToken(token).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(InvalidSessionTokenError);
    const { message, stack, cause } = error as Error;
    const exposed = [message, stack, String(cause), ...lines].join('\n');
    for (const part of token.split('.').filter((one) => one.length > 12)) expect(exposed).not.toContain(part);
  });
});

function signedByKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const [header, payload] = signToken(claims(), { header: { alg: 'RS256', typ: 'JWT' } }).split('.');
  return `${header}.${payload}.${sign('sha256', Buffer.from(`${header}.${payload}`), privateKey).toString('base64url')}`;
}
