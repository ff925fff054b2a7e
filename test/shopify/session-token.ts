import { createHmac } from 'node:crypto';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const now = () => Math.floor(Date.now() / 1000);

/** Returns the claims of an App Bridge session token for the demo shop, with some replaced. `undefined` removes a claim. */
export function claims(replaced: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    iss: 'https://demo.myshopify.com/admin',
    dest: 'https://demo.myshopify.com',
    aud: 'sandbox-app',
    sub: '42',
    exp: now() + 60,
    nbf: now() - 5,
    iat: now() - 5,
    jti: 'f8912129-1af6-4cad-9ca3-76b0f7621087',
    sid: 'aaea182f2732d44c23057c0fea584021a4485b2bd25d3eb7fd349313ad24c685',
    ...replaced,
  };
}

/** Returns a signed JWT with these claims. */
export function signToken(
  payload: Record<string, unknown> = claims(),
  options: { header?: Record<string, unknown>; secret?: string; hash?: string } = {},
): string {
  const { header = { alg: 'HS256', typ: 'JWT' }, secret = 'sandbox-secret', hash = 'sha256' } = options;
  const content = `${encode(header)}.${encode(payload)}`;
  return `${content}.${createHmac(hash, secret).update(content).digest('base64url')}`;
}
