import { createHmac, timingSafeEqual } from 'node:crypto';
import { isShopDomain } from '../shop-domain.ts';

/** How old a request may be, and how far its clock may be ahead. Shopify's library uses the same tolerance. */
const TOLERANCE_MS = 90_000;
const SIGNATURE = 'signature';

/**
 * Verifies a request that a store's page sent through the app's proxy (docs/rules/shopify.md#app-proxy). Returns the shop's domain, or null
 * if the signature is wrong, the request is old or it names no single shop. Every secret is tried, as for webhooks.
 */
export function verifyProxyRequest(secrets: readonly string[], query: URLSearchParams, now: Date): string | null {
  const names = [...new Set(query.keys())].filter((name) => name !== SIGNATURE);
  const signed = names
    .map((name) => `${name}=${query.getAll(name).join(',')}`)
    .toSorted()
    .join('');
  const given = Buffer.from(query.getAll(SIGNATURE).join(','));
  const matches = secrets.filter((secret) => {
    const expected = Buffer.from(createHmac('sha256', secret).update(signed).digest('hex'));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  const shop = readOnly(query, 'shop');
  const age = now.getTime() - Number(readOnly(query, 'timestamp') ?? NaN) * 1000;
  const isValid = matches.length > 0 && Math.abs(age) <= TOLERANCE_MS;
  return isValid && shop !== null && isShopDomain(shop) ? shop : null;
}

/** Returns a parameter that occurs exactly once. The page's visitor may have added another one. */
function readOnly(query: URLSearchParams, name: string): string | null {
  const [value = null, ...more] = query.getAll(name);
  return more.length === 0 ? value : null;
}
