import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Shop } from '../state.ts';
import { systemClock } from '../../../src/clock.ts';

const LEEWAY_SECONDS = 10;
const LIFETIME_SECONDS = 60;

interface AppCredentials {
  apiKey: string;
  apiSecret: string;
}

const claimsSchema = z.looseObject({
  iss: z.string(),
  dest: z.string(),
  aud: z.string(),
  exp: z.number(),
  nbf: z.number(),
  iat: z.number(),
});

/**
 * Creates the session token that App Bridge provides to a page of the app in a shop's admin: an HS256 JWT that is valid for one minute.
 * Its times are those of the machine, because Shopify's library checks them in the app.
 */
export function createSessionToken({ apiKey, apiSecret }: AppCredentials, domain: string): string {
  const now = Math.floor(systemClock.now().getTime() / 1000);
  const claims = {
    iss: `https://${domain}/admin`,
    dest: `https://${domain}`,
    aud: apiKey,
    sub: '1',
    exp: now + LIFETIME_SECONDS,
    nbf: now,
    iat: now,
    jti: randomUUID(),
    sid: randomUUID(),
  };
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const unsigned = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${unsigned}.${createHmac('sha256', apiSecret).update(unsigned).digest('base64url')}`;
}

/** Returns whether a session token belongs to this app and shop, is currently valid, and was issued after the last uninstallation. */
export function isSessionToken(token: string, app: AppCredentials, { domain, uninstalledAt }: Shop): boolean {
  const [header = '', payload = '', signature = '', ...rest] = token.split('.');
  const expected = createHmac('sha256', app.apiSecret).update(`${header}.${payload}`).digest();
  const given = Buffer.from(signature, 'base64url');
  if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
  const claims = claimsSchema.safeParse(decode(payload));
  const algorithm = z.looseObject({ alg: z.literal('HS256') }).safeParse(decode(header));
  if (!claims.success || !algorithm.success) return false;
  const { iss, dest, aud, exp, nbf, iat } = claims.data;
  const now = systemClock.now().getTime() / 1000;
  const isCurrent = now < exp + LEEWAY_SECONDS && now > nbf - LEEWAY_SECONDS;
  const removed = uninstalledAt === null ? 0 : Math.floor(Date.parse(uninstalledAt) / 1000);
  const isShops = dest === `https://${domain}` && iss === `https://${domain}/admin`;
  return aud === app.apiKey && isShops && isCurrent && iat >= removed;
}

function decode(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
