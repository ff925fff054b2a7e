import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

const LEEWAY_SECONDS = 10;

const claimsSchema = z.looseObject({
  dest: z.string(),
  aud: z.string(),
  exp: z.number(),
  nbf: z.number().default(0),
});

/** Whether a session token (a JWT, HS256) is the app's own, for this shop and of this time. */
export function isSessionToken(token: string, app: { apiKey: string; apiSecret: string }, shop: string): boolean {
  const [header = '', payload = '', signature = '', ...rest] = token.split('.');
  const expected = createHmac('sha256', app.apiSecret).update(`${header}.${payload}`).digest();
  const given = Buffer.from(signature, 'base64url');
  if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
  const claims = claimsSchema.safeParse(decode(payload));
  const algorithm = z.looseObject({ alg: z.literal('HS256') }).safeParse(decode(header));
  if (!claims.success || !algorithm.success) return false;
  const { dest, aud, exp, nbf } = claims.data;
  const now = Date.now() / 1000;
  const inTime = now < exp + LEEWAY_SECONDS && now > nbf - LEEWAY_SECONDS;
  return aud === app.apiKey && dest === `https://${shop}` && inTime;
}

function decode(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
