import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { App } from '../app.ts';
import { Shops } from '../database/entities/shops.ts';
import { levelOf } from '../log.ts';
import { hasLeftShop } from '../shops/install/has-left-shop.ts';
import {
  estimateDelivery,
  findPricedUnit,
  type Estimate,
  type EstimateRequest,
  type PricedUnit,
} from './estimate-delivery.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** How long an estimate is shown without a new quote. In that time, its dates shift by at most one day. */
const FRESH_FOR_MS = 6 * HOUR_MS;
/** How long an estimate is shown while a new one is requested. */
const CACHED_FOR_MS = 12 * HOUR_MS;
/** How long Platen waits before it reads a page's product again, or asks again for a variant without estimates, and after a failure. */
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

/** What is priced for a page: the key of its estimate, or null for a page without an estimate. */
interface CachedPage {
  key: string | null;
  freshUntil: number;
}

/** The estimates of this process, by shop. */
export interface Estimates {
  /** Returns the fresh estimate for a page, null if the page has none, or undefined if this process has to ask. */
  recall: (domain: string, wish: EstimateRequest) => Estimate | null | undefined;
  /** Returns the estimate for a page, or null. Never throws, and never waits long. */
  find: (domain: string, wish: EstimateRequest) => Promise<Estimate | null>;
}

interface ShopCache {
  pages: LRUCache<string, CachedPage>;
  estimates: LRUCache<string, CachedEstimate>;
  /** The readings of pages and the quotes that are running. */
  underWay: Map<string, Promise<Estimate | null>>;
}

/**
 * Caches estimates for hours, by what is priced, so that the visitors of all pages cause at most one quote for each product and country in
 * that time. A visitor can invent SKUs, and each of them is another page with the same product. Once a shop has reached its limit, its
 * pages show no new estimates.
 */
export function cacheEstimates(app: App, limiter: Limiter): Estimates {
  const caches = new LRUCache<string, ShopCache>({ max: MAX_SHOPS });

  function cacheOf(domain: string): ShopCache {
    const cache = caches.get(domain) ?? {
      pages: new LRUCache({ max: MAX_PER_SHOP }),
      estimates: new LRUCache({ max: MAX_PER_SHOP }),
      underWay: new Map(),
    };
    caches.set(domain, cache);
    return cache;
  }

  function recall(domain: string, wish: EstimateRequest): Estimate | null | undefined {
    const { pages, estimates } = cacheOf(domain);
    const now = performance.now();
    const page = pages.get(toPageKey(wish));
    if (!page || now >= page.freshUntil) return undefined;
    if (page.key === null) return null;
    const known = estimates.get(page.key);
    return known && now < known.freshUntil ? known.estimate : undefined;
  }

  /** Finds what is priced for a page, and its estimate. After a failure, the page keeps its estimate. */
  async function readPage(cache: ShopCache, domain: string, wish: EstimateRequest): Promise<Estimate | null> {
    const { pages, estimates } = cache;
    const page = toPageKey(wish);
    const unit = await readPricedUnit(domain, wish);
    const now = performance.now();
    if (unit === null || unit === 'none') {
      const key = unit === null ? (pages.get(page)?.key ?? null) : null;
      pages.set(page, { key, freshUntil: now + (unit === null ? RETRY_FAILED_MS : RETRY_MISSING_MS) });
      return key === null ? null : (estimates.get(key)?.estimate ?? null);
    }
    const key = toPriceKey(unit);
    pages.set(page, { key, freshUntil: now + RETRY_MISSING_MS });
    const known = estimates.get(key);
    if (known && now < known.freshUntil) return known.estimate;
    const quoted = once(cache, key, async () => {
      const found = await quoteWithinLimit(domain, unit);
      return keepEstimate(cache, key, found);
    });
    return known ? known.estimate : quoted;
  }

  async function readPricedUnit(domain: string, wish: EstimateRequest): Promise<PricedUnit | 'none' | null> {
    try {
      const shop = await app.db.getRepository(Shops).findOneBy({ domain, state: 'installed' });
      if (shop === null || hasLeftShop(shop)) return null;
      return await findPricedUnit(app, shop, wish);
    } catch (error) {
      app.log[levelOf(error)]({ domain, error }, 'a product page got no delivery estimate');
      return null;
    }
  }

  async function quoteWithinLimit(domain: string, unit: PricedUnit): Promise<Estimate | 'none' | null> {
    if (limiter.enter(domain) !== null) return null;
    try {
      return await estimateDelivery(app, unit);
    } catch (error) {
      app.log[levelOf(error)]({ domain, error }, 'a product page got no delivery estimate');
      return null;
    } finally {
      limiter.leave(domain, 0);
    }
  }

  return {
    recall,
    find: (domain, wish) => {
      const cache = cacheOf(domain);
      return waitBriefly(once(cache, toPageKey(wish), () => readPage(cache, domain, wish)));
    },
  };
}

/** Caches what a quote found. After a failure, an earlier estimate stays. */
function keepEstimate({ estimates }: ShopCache, key: string, found: Estimate | 'none' | null): Estimate | null {
  const before = estimates.get(key)?.estimate ?? null;
  const now = performance.now();
  if (found === null) {
    // `set` would extend the time of an estimate that could not be renewed.
    const ttl = before === null ? RETRY_FAILED_MS : Math.max(1, estimates.getRemainingTTL(key));
    estimates.set(key, { estimate: before, freshUntil: now + RETRY_FAILED_MS }, { ttl });
    return before;
  }
  const hasEstimate = found !== 'none';
  const estimate = hasEstimate ? found : null;
  const freshMs = hasEstimate ? FRESH_FOR_MS : RETRY_MISSING_MS;
  const ttl = hasEstimate ? CACHED_FOR_MS : RETRY_MISSING_MS;
  estimates.set(key, { estimate, freshUntil: now + freshMs }, { ttl });
  return estimate;
}

/** Runs the work for a key only once at a time. Concurrent callers get the same result. */
function once({ underWay }: ShopCache, key: string, work: () => Promise<Estimate | null>): Promise<Estimate | null> {
  const running = underWay.get(key) ?? work().finally(() => underWay.delete(key));
  underWay.set(key, running);
  return running;
}

function toPageKey({ variant, sku, country }: EstimateRequest): string {
  return JSON.stringify([variant, sku, country]);
}

function toPriceKey({ accountId, request, settings }: PricedUnit): string {
  const { printInterface, legacyHost } = settings;
  return createHash('sha256')
    .update(JSON.stringify([accountId, printInterface, legacyHost, request]))
    .digest('base64');
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
