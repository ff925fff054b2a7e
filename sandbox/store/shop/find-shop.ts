import { Refusal } from '../../refusal.ts';
import type { Shop } from '../state.ts';
import type { Store } from '../store.ts';

/** Returns the shop with this domain. Throws a 404 if the shop does not exist. */
export function findShop(store: Store, domain: string): Shop {
  const shop = store.shop(domain);
  if (shop) return shop;
  throw new Refusal(404, 'not_found', `There is no shop ${domain}.`);
}
