import { LRUCache } from 'lru-cache';
import type { App } from '../app.ts';
import { Shops } from '../database/entities/shops.ts';
import { levelOf } from '../log.ts';
import { hasLeftShop } from '../shops/install/has-left-shop.ts';
import { estimateDelivery, type Estimate, type EstimateWish } from './estimate-delivery.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** How long an estimate is shown without a new quote. In that time, its dates shift by at most one day. */
const FRESH_MS = 6 * HOUR_MS;
/** How long an estimate is shown while a new one is requested. */
const STALE_MS = 12 * HOUR_MS;
/** How long Platen waits before a new attempt: for a variant without estimates, and after a failed attempt. */
const NONE_MS = 10 * MINUTE_MS;
const FAILED_MS = 2 * MINUTE_MS;
/** How long the first visitor of a page waits. An estimate that arrives later is shown to the next visitor. */
const FIRST_MS = 1_500;
/** Each shop has its own cache, so that one shop's visitors cannot evict another shop's estimates. */
const MAX_SHOPS = 1_000;
const MAX_OF_SHOP = 1_000;

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
  find: (domain: string, wish: EstimateWish) => Promise<Estimate | null>;
}

interface Share {
  cached: LRUCache<string, CachedEstimate>;
  underWay: Map<string, Promise<Estimate | null>>;
}

/**
 * Caches estimates for hours, so that the visitors of a page cause at most one quote for each variant and country in that time. Once a shop
 * has reached its limit, its pages show no new estimates.
 */
export function cacheEstimates(app: App, limiter: Limiter): Estimates {
  const shares = new LRUCache<string, Share>({ max: MAX_SHOPS });

  function shareOf(domain: string): Share {
    const share = shares.get(domain) ?? { cached: new LRUCache({ max: MAX_OF_SHOP }), underWay: new Map() };
    shares.set(domain, share);
    return share;
  }

  async function quoteWithinLimit<T>(domain: string, work: () => Promise<T>): Promise<T | null> {
    if (limiter.enter(domain) !== null) return null;
    try {
      return await work();
    } finally {
      limiter.leave(domain, 0);
    }
  }

  async function request(domain: string, wish: EstimateWish): Promise<Estimate | 'none' | null> {
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
  async function renew({ cached, underWay }: Share, key: string, domain: string, wish: EstimateWish) {
    const found = await request(domain, wish);
    underWay.delete(key);
    const before = cached.get(key)?.estimate ?? null;
    const now = performance.now();
    if (found === null) {
      // `set` would extend the time of an estimate that could not be renewed.
      const ttl = before === null ? FAILED_MS : Math.max(1, cached.getRemainingTTL(key));
      cached.set(key, { estimate: before, freshUntil: now + FAILED_MS }, { ttl });
      return before;
    }
    const hasEstimate = found !== 'none';
    const estimate = hasEstimate ? found : null;
    const freshMs = hasEstimate ? FRESH_MS : NONE_MS;
    cached.set(key, { estimate, freshUntil: now + freshMs }, { ttl: hasEstimate ? STALE_MS : NONE_MS });
    return estimate;
  }

  return {
    async find(domain, wish) {
      const share = shareOf(domain);
      const key = JSON.stringify([wish.variant, wish.sku, wish.country]);
      const known = share.cached.get(key);
      if (known && performance.now() < known.freshUntil) return known.estimate;
      const running = share.underWay.get(key) ?? renew(share, key, domain, wish);
      share.underWay.set(key, running);
      return known ? known.estimate : waitFor(running);
    },
  };
}

async function waitFor(running: Promise<Estimate | null>): Promise<Estimate | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), FIRST_MS);
  try {
    return await Promise.race([running, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
