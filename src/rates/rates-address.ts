import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { In } from 'typeorm';
import type { App } from '../app.ts';
import { Shops, type Shop } from '../database/entities/shops.ts';
import { fillSettings } from '../shops/settings/settings-schema.ts';

const TOKEN_BYTES = 32;

/** Creates a callback address with a token of 256 random bits for a store's rate requests, and the hash to save. */
export function createRatesAddress(app: App): { callbackUrl: string; tokenHash: string } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { callbackUrl: prefixOf(app) + token, tokenHash: hashRatesToken(token) };
}

/** Returns a token's SHA-256 in hexadecimal. Only this hash is saved. */
export function hashRatesToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Returns whether a store's callback address is under this app's public address and has a token that matches the saved hash. */
export function isRatesAddress(app: App, callbackUrl: string | null, tokenHash: string | null): boolean {
  const prefix = prefixOf(app);
  return callbackUrl?.startsWith(prefix) === true && hashRatesToken(callbackUrl.slice(prefix.length)) === tokenHash;
}

/**
 * Finds the shop that offers rates at the address with this token and whose state allows rate requests. Returns null if no shop matches.
 */
export async function findShopByRatesToken(app: App, token: string): Promise<Shop | null> {
  const ratesTokenHash = hashRatesToken(token);
  const shop = await app.db
    .getRepository(Shops)
    .findOneBy({ ratesTokenHash, state: In(['installed', 'needs_sign_in', 'leaving']) });
  if (!shop?.ratesTokenHash || !timingSafeEqual(Buffer.from(shop.ratesTokenHash), Buffer.from(ratesTokenHash)))
    return null;
  return fillSettings(shop.settings).liveRates ? shop : null;
}

function prefixOf(app: App): string {
  return `${app.config.shopify.appUrl}/rates/`;
}
