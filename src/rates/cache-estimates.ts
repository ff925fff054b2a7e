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
import { withinTime } from '../clock.ts';

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

type EstimateLimits = Readonly<Record<'estimates' | 'productEstimates', Limiter>>;

interface CachedEstimate {
  estimate: Estimate | null;
  freshUntil: number;
}

/** What is priced for a page: the key of its estimate. */
interface CachedPage {
  key: string;
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
  /** A page is known by its SKU only if the SKU has a print link of its own, so that invented SKUs evict no page. */
  pages: LRUCache<string, CachedPage>;
  /** Until when the other pages are not read again, by their variant and SKU. */
  others: LRUCache<string, number>;
  estimates: LRUCache<string, CachedEstimate>;
  /** The readings of pages and the quotes that are running. */
  underWay: Map<string, Promise<Estimate | null>>;
}

/**
 * Caches estimates for hours, by what is priced, so that the visitors of all pages cause at most one quote for each product and country in
 * that time. A visitor can invent SKUs, and each of them is another page with the same product. Once a shop has reached its limit, its
 * pages show no new estimates.
 */
export function cacheEstimates(app: App, limits: EstimateLimits): Estimates {
  const perf = { now: app.clock.ticks };
  const caches = new LRUCache<string, ShopCache>({ max: MAX_SHOPS });

  function cacheOf(domain: string): ShopCache {
    const cache = caches.get(domain) ?? {
      pages: new LRUCache({ max: MAX_PER_SHOP }),
      others: new LRUCache({ max: MAX_PER_SHOP }),
      estimates: new LRUCache({ max: MAX_PER_SHOP, perf }),
      underWay: new Map(),
    };
    caches.set(domain, cache);
    return cache;
  }

  function recall(domain: string, wish: EstimateRequest): Estimate | null | undefined {
    const { pages, others, estimates } = cacheOf(domain);
    const now = app.clock.ticks();
    if (now < (others.get(toPageKey(wish)) ?? 0)) return null;
    const page = findPage(pages, wish);
    if (!page || now >= page.freshUntil) return undefined;
    const known = estimates.get(page.key);
    return known && now < known.freshUntil ? known.estimate : undefined;
  }

  /** Finds what is priced for a page, and its estimate. After a failure, the page keeps its estimate. */
  async function readPage(cache: ShopCache, domain: string, wish: EstimateRequest): Promise<Estimate | null> {
    const { pages, others, estimates } = cache;
    const unit = await readPricedUnit(domain, wish);
    const now = app.clock.ticks();
    if (unit === null || unit === 'none') {
      const before = unit === null ? findPage(pages, wish) : undefined;
      if (before) before.freshUntil = now + RETRY_FAILED_MS;
      else others.set(toPageKey(wish), now + (unit === null ? RETRY_FAILED_MS : RETRY_MISSING_MS));
      return before ? (estimates.get(before.key)?.estimate ?? null) : null;
    }
    const key = toPriceKey(unit);
    pages.set(toPageKey(unit.isLinkedBySku ? wish : { ...wish, sku: null }), {
      key,
      freshUntil: now + RETRY_MISSING_MS,
    });
    const known = estimates.get(key);
    if (known && now < known.freshUntil) return known.estimate;
    const quoted = once(cache, key, async () => {
      const found = await quoteWithinLimit(domain, unit);
      return keepEstimate(cache, key, found, app.clock.ticks());
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
    // Visitors of one product from many countries must not use up the budget of all products.
    const product = `${domain} ${unit.linkId}`;
    if (limits.productEstimates.enter(product) !== null) return null;
    limits.productEstimates.leave(product, 0);
    if (limits.estimates.enter(domain) !== null) return null;
    try {
      return await estimateDelivery(app, unit);
    } catch (error) {
      app.log[levelOf(error)]({ domain, error }, 'a product page got no delivery estimate');
      return null;
    } finally {
      limits.estimates.leave(domain, 0);
    }
  }

  return {
    recall,
    find: (domain, wish) => {
      const cache = cacheOf(domain);
      const work = once(cache, toPageKey(wish), () => readPage(cache, domain, wish));
      return withinTime(app.clock, { work, milliseconds: MAX_WAIT_MS, late: () => null });
    },
  };
}

/** Caches what a quote found. After a failure, an earlier estimate stays. */
function keepEstimate(
  { estimates }: ShopCache,
  key: string,
  found: Estimate | 'none' | null,
  now: number,
): Estimate | null {
  const before = estimates.get(key)?.estimate ?? null;
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

function findPage(pages: ShopCache['pages'], wish: EstimateRequest): CachedPage | undefined {
  return pages.get(toPageKey({ ...wish, sku: null })) ?? pages.get(toPageKey(wish));
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
