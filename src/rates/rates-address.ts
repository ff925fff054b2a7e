import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { In } from 'typeorm';
import type { App } from '../app.ts';
import { Shops, type Shop } from '../database/entities/shops.ts';
import { fillSettings } from '../shops/settings/settings-schema.ts';

const TOKEN_BYTES = 32;

/** A new address at which a store may ask for rates, of 256 random bits, and what is kept of it. */
export function makeRatesAddress(app: App): { callbackUrl: string; tokenHash: string } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { callbackUrl: prefixOf(app) + token, tokenHash: hashRatesToken(token) };
}

/** What is kept of a token: its SHA-256, hexadecimal. */
export function hashRatesToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Whether an address that a store has is the one whose hash is kept, at this app's public address. */
export function isRatesAddress(app: App, callbackUrl: string | null, tokenHash: string | null): boolean {
  const prefix = prefixOf(app);
  return callbackUrl?.startsWith(prefix) === true && hashRatesToken(callbackUrl.slice(prefix.length)) === tokenHash;
}

/** The shop whose address has this token and that offers rates, for as long as its store may ask for them; null for none. */
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
