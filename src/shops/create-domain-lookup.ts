import { LRUCache } from 'lru-cache';
import type { App } from '../app.ts';
import { Shops } from '../database/entities/shops.ts';

const MAX_SHOPS = 10_000;

/**
 * Returns a function that finds a shop's domain by its ID and caches it. The function returns null for a shop that no longer exists, or
 * while the database is unavailable.
 */
export function createDomainLookup({ db }: Pick<App, 'db'>): (shopId: number) => Promise<string | null> {
  const known = new LRUCache<number, string>({ max: MAX_SHOPS });
  return async (id) => {
    const name = known.get(id);
    if (name !== undefined) return name;
    const shop = await db.manager.findOne(Shops, { where: { id }, select: { domain: true } }).catch(() => null);
    if (shop) known.set(id, shop.domain);
    return shop?.domain ?? null;
  };
}
