import { typeOfGid } from './gid.ts';
import { metafieldKey } from './metafields.ts';
import type { Metafield } from './state.ts';
import type { Store } from './store.ts';

/** Back to the seeded state: shops (installed), products, tokens and services stay; orders, what belongs to them, faults and counters go. */
export function resetStore(store: Store): void {
  const ofOrders = store.books.all<Metafield>('metafields').filter(({ ownerId }) => typeOfGid(ownerId) === 'Order');
  store.write([
    ['clear', 'orders'],
    ['clear', 'idempotency'],
    ...ofOrders.map(
      ({ ownerId, namespace, key }) => ['delete', 'metafields', metafieldKey(ownerId, namespace, key)] as const,
    ),
    ...store
      .shops()
      .map((shop) => ['put', 'shops', shop.domain, { ...shop, installed: true, nextOrderNumber: 1001 }] as const),
  ]);
  store.faults.clear();
  store.deliveries.clear();
}
