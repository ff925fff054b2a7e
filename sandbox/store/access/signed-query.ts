import { createHmac } from 'node:crypto';
import type { Shop } from '../state.ts';
import type { Store } from '../store.ts';

/** Creates the signed query with which the platform sends a browser to the app: the values, shop, host and time. */
export function toSignedQuery({ clock, options }: Store, shop: Shop, values: Readonly<Record<string, string>>): string {
  const all: Record<string, string> = {
    ...values,
    host: toHost(shop),
    shop: shop.domain,
    timestamp: String(Math.floor(clock.now().getTime() / 1000)),
  };
  const query = new URLSearchParams(Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  // The signature uses %20 for spaces.
  const hmac = createHmac('sha256', options.apiSecret).update(query.toString().replaceAll('+', '%20')).digest('hex');
  query.set('hmac', hmac);
  return query.toString();
}

/** Returns the admin URL of a shop, encoded as in the `host` parameter. */
function toHost({ domain }: Shop): string {
  return Buffer.from(`admin.shopify.com/store/${domain.replace('.myshopify.com', '')}`).toString('base64url');
}
