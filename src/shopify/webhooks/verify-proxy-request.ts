import { isShopDomain } from '../shop-domain.ts';
import { isSigned } from './is-signed.ts';

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
  const signature = query.getAll(SIGNATURE).join(',');
  const shop = getSingleValue(query, 'shop');
  const age = now.getTime() - Number(getSingleValue(query, 'timestamp') ?? NaN) * 1000;
  const isValid = isSigned(secrets, { content: signed, signature, encoding: 'hex' }) && Math.abs(age) <= TOLERANCE_MS;
  return isValid && shop !== null && isShopDomain(shop) ? shop : null;
}

/** Returns a parameter that occurs exactly once, or null. A visitor may have added a second value. */
function getSingleValue(query: URLSearchParams, name: string): string | null {
  const [value = null, ...more] = query.getAll(name);
  return more.length === 0 ? value : null;
}
