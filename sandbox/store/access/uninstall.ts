import { systemClock } from '../../../src/clock.ts';
import type { Change } from '../../books.ts';
import { exactJson } from '../graphql/exact-json.ts';
import { toNumericId } from '../graphql/gid.ts';
import { shopPayload } from '../shop/shop-payload.ts';
import type { Shop } from '../state.ts';
import type { Store } from '../store.ts';
import { planTokenDeletions } from './tokens.ts';

interface DueRedaction {
  shop: string;
  dueAt: number;
}

/** The default time from an uninstall to `shop/redact`, in milliseconds. A control endpoint can change it. */
export const REDACT_MS = 48 * 3600 * 1000;

/**
 * Uninstalls the app as the merchant would: the app's tokens become invalid, the app gets a webhook, and `shop/redact` follows two days
 * later.
 */
export function uninstallApp(store: Store, shop: Shop): void {
  // Session tokens have the machine's time, and this time is compared with theirs.
  const uninstalledAt = systemClock.now().toISOString();
  const removed = { ...shop, installed: false, uninstalledAt, grantedScopes: [], carrierServices: [] };
  const dueAt = store.clock.now().getTime() + (store.books.get<number>('settings', 'redactMs') ?? REDACT_MS);
  const due: Change = ['put', 'redactions', shop.domain, { shop: shop.domain, dueAt } satisfies DueRedaction];
  store.write(
    [['put', 'shops', shop.domain, removed], due, ...planTokenDeletions(store, shop.domain)],
    [{ shop: shop.domain, topic: 'app/uninstalled', body: shopPayload(shop) }],
  );
  scheduleRedactions(store);
}

/** Sends `shop/redact` for each shop when it is due, unless the app has been installed again. */
export function scheduleRedactions(store: Store): void {
  for (const due of store.books.all<DueRedaction>('redactions')) {
    store.later(Math.max(0, due.dueAt - store.clock.now().getTime()), () => redactShop(store, due));
  }
}

function redactShop(store: Store, due: DueRedaction): void {
  const shop = store.shop(due.shop);
  if (!shop || store.books.get<DueRedaction>('redactions', due.shop)?.dueAt !== due.dueAt) return;
  const body = exactJson({ shop_id: BigInt(toNumericId(shop.id)), shop_domain: shop.domain });
  store.write([['delete', 'redactions', shop.domain]], [{ shop: shop.domain, topic: 'shop/redact', body }]);
}
