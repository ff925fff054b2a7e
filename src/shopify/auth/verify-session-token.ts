import type { Shopify as Library } from '@shopify/shopify-api';
import { InvalidSessionTokenError } from '../admin/errors.ts';
import { isShopDomain } from '../shop-domain.ts';

/** The caller, as identified by a verified session token. */
export interface SessionToken {
  shop: string;
  /** The staff member's ID (Shopify's `sub`). */
  userId: string;
  expiresAt: Date;
}

const MAX_TOKEN_LENGTH = 4096;

/**
 * Verifies an App Bridge session token. The library checks HS256 with one of the app's secrets (each library has one secret), `exp`, `nbf`
 * (10 s tolerance) and `aud`. This function checks that both times are present, that `dest` is a shop and that `iss` is that shop's admin.
 * Throws InvalidSessionTokenError, which never contains the token (the library's own message does).
 */
export async function verifySessionToken(libraries: readonly Library[], token: string): Promise<SessionToken> {
  if (token.length > MAX_TOKEN_LENGTH) throw new InvalidSessionTokenError('it is too long');
  const decoded = libraries.map((library) => library.session.decodeSessionToken(token));
  const payload = await Promise.any(decoded).catch(() => {
    throw new InvalidSessionTokenError('its signature, lifetime or audience is wrong');
  });
  const { exp, nbf, dest, iss, sub } = payload as Partial<Record<keyof typeof payload, unknown>>;
  if (typeof exp !== 'number' || typeof nbf !== 'number') throw new InvalidSessionTokenError('its lifetime is missing');
  const shop = typeof dest === 'string' && dest.startsWith('https://') ? dest.slice('https://'.length) : '';
  if (!isShopDomain(shop)) throw new InvalidSessionTokenError('its destination is not a shop');
  if (iss !== `https://${shop}/admin`) throw new InvalidSessionTokenError('its issuer differs from its destination');
  if (typeof sub !== 'string') throw new InvalidSessionTokenError('its subject is missing');
  return { shop, userId: sub, expiresAt: new Date(exp * 1000) };
}
