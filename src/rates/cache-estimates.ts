import { LRUCache } from 'lru-cache';
import type { App } from '../app.ts';
import { Shops } from '../database/entities/shops.ts';
import { levelOf } from '../log.ts';
import { hasLeftShop } from '../shops/install/has-left-shop.ts';
import { estimateDelivery, type Estimate, type EstimateRequest } from './estimate-delivery.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** How long an estimate is shown without a new quote. In that time, its dates shift by at most one day. */
const FRESH_FOR_MS = 6 * HOUR_MS;
/** How long an estimate is shown while a new one is requested. */
const CACHED_FOR_MS = 12 * HOUR_MS;
/** How long Platen waits before a new attempt: for a variant without estimates, and after a failed attempt. */
const RETRY_MISSING_MS = 10 * MINUTE_MS;
const RETRY_FAILED_MS = 2 * MINUTE_MS;
/** How long the first visitor of a page waits. An estimate that arrives later is shown to the next visitor. */
const MAX_WAIT_MS = 1_500;
/** Each shop has its own cache, so that one shop's visitors cannot evict another shop's estimates. */
const MAX_SHOPS = 1_000;
const MAX_PER_SHOP = 1_000;

/** Limits the quotes for a shop's product pages. */
interface Limiter {
  enter: (key: string) => number | null;
  leave: (key: string, bytes: number) => void;
}

interface CachedEstimate {
  estimate: Estimate | null;
  freshUntil: number;
}

/** The estimates of this process, by shop. */
export interface Estimates {
  /** Returns the estimate for a page, or null. Never throws, and never waits long. */
  find: (domain: string, wish: EstimateRequest) => Promise<Estimate | null>;
}

interface ShopCache {
  cached: LRUCache<string, CachedEstimate>;
  underWay: Map<string, Promise<Estimate | null>>;
}

/**
 * Caches estimates for hours, so that the visitors of a page cause at most one quote for each variant and country in that time. Once a shop
 * has reached its limit, its pages show no new estimates.
 */
export function cacheEstimates(app: App, limiter: Limiter): Estimates {
  const caches = new LRUCache<string, ShopCache>({ max: MAX_SHOPS });

  function cacheOf(domain: string): ShopCache {
    const cache = caches.get(domain) ?? { cached: new LRUCache({ max: MAX_PER_SHOP }), underWay: new Map() };
    caches.set(domain, cache);
    return cache;
  }

  async function quoteWithinLimit<T>(domain: string, work: () => Promise<T>): Promise<T | null> {
    if (limiter.enter(domain) !== null) return null;
    try {
      return await work();
    } finally {
      limiter.leave(domain, 0);
    }
  }

  async function request(domain: string, wish: EstimateRequest): Promise<Estimate | 'none' | null> {
    try {
      const shop = await app.db.getRepository(Shops).findOneBy({ domain, state: 'installed' });
      if (shop === null || hasLeftShop(shop)) return null;
      return await estimateDelivery(app, shop, wish, (work) => quoteWithinLimit(domain, work));
    } catch (error) {
      app.log[levelOf(error)]({ domain, error }, 'a product page got no delivery estimate');
      return null;
    }
  }

  /** Requests an estimate and caches it. After a failure, an earlier estimate stays. */
  async function refresh({ cached, underWay }: ShopCache, key: string, domain: string, wish: EstimateRequest) {
    const found = await request(domain, wish);
    underWay.delete(key);
    const before = cached.get(key)?.estimate ?? null;
    const now = performance.now();
    if (found === null) {
      // `set` would extend the time of an estimate that could not be renewed.
      const ttl = before === null ? RETRY_FAILED_MS : Math.max(1, cached.getRemainingTTL(key));
      cached.set(key, { estimate: before, freshUntil: now + RETRY_FAILED_MS }, { ttl });
      return before;
    }
    const hasEstimate = found !== 'none';
    const estimate = hasEstimate ? found : null;
    const freshMs = hasEstimate ? FRESH_FOR_MS : RETRY_MISSING_MS;
    cached.set(key, { estimate, freshUntil: now + freshMs }, { ttl: hasEstimate ? CACHED_FOR_MS : RETRY_MISSING_MS });
    return estimate;
  }

  return {
    async find(domain, wish) {
      const cache = cacheOf(domain);
      const key = JSON.stringify([wish.variant, wish.sku, wish.country]);
      const known = cache.cached.get(key);
      if (known && performance.now() < known.freshUntil) return known.estimate;
      const pending = cache.underWay.get(key) ?? refresh(cache, key, domain, wish);
      cache.underWay.set(key, pending);
      return known ? known.estimate : waitBriefly(pending);
    },
  };
}

async function waitBriefly(pending: Promise<Estimate | null>): Promise<Estimate | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), MAX_WAIT_MS);
  try {
    return await Promise.race([pending, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
