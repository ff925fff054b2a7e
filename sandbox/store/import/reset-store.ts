import { typeOfGid } from '../graphql/gid.ts';
import { type Metafield, metafieldKey } from '../metafields/metafields.ts';
import type { Shop } from '../state.ts';
import type { Store } from '../store.ts';

/**
 * Resets the store. Shops, products, tokens and services remain, and every shop has the app installed with only the required scopes.
 * Orders, their data, faults and counters are cleared.
 */
export function resetStore(store: Store): void {
  const ofOrders = store.books.all<Metafield>('metafields').filter(({ ownerId }) => typeOfGid(ownerId) === 'Order');
  store.write([
    ['clear', 'orders'],
    ['clear', 'idempotency'],
    ['clear', 'customers'],
    ['clear', 'customerOrders'],
    ['clear', 'redactions'],
    ['clear', 'settings'],
    ['clear', 'grants'],
    ['clear', 'codes'],
    ['clear', 'definitions'],
    ['clear', 'flowTriggers'],
    ...ofOrders.map(
      ({ ownerId, namespace, key }) => ['delete', 'metafields', metafieldKey(ownerId, namespace, key)] as const,
    ),
    ...store.shops().map((shop) => ['put', 'shops', shop.domain, toSeededShop(store, shop)] as const),
  ]);
  store.faults.clear();
  store.deliveries.clear();
}

function toSeededShop(store: Store, shop: Shop): Shop {
  return {
    ...shop,
    installed: true,
    appInstallationId: shop.installed ? shop.appInstallationId : store.newGid('AppInstallation'),
    uninstalledAt: null,
    grantedScopes: store.options.app.scopes,
    answersRequests: 'grant',
    nextOrderNumber: 1001,
    refusesCarriers: false,
    apiSubscriptions: [],
    carriersInProfiles: [],
  };
}
