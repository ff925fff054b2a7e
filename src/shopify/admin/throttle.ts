import { z } from 'zod';
import { withinTime, type Clock } from '../../clock.ts';
import { createCircuitBreaker, type CircuitBreaker, type EndCall, type ReportOutage } from '../../circuit-breaker.ts';
import { ShopifyError } from './errors.ts';

/** A response's `extensions.cost`: the points requested, and the points remaining in the shop's bucket. */
export const costSchema = z.looseObject({
  requestedQueryCost: z.number(),
  throttleStatus: z.looseObject({
    maximumAvailable: z.number(),
    currentlyAvailable: z.number(),
    restoreRate: z.number().positive(),
  }),
});
export type Cost = z.infer<typeof costSchema>;

/** The caller. `isBulk`: the caller is a job that processes many of the shop's products, so its calls yield to calls for orders. */
export interface Caller {
  shop: string;
  isBulk: boolean;
}

/**
 * Guards the calls to a shop. While the shop's bucket of points is empty, calls wait here, so that Shopify does not reject them. While the
 * shop's API does not respond, its circuit breaker rejects calls.
 */
export interface Throttle {
  /**
   * Waits until the shop's bucket has enough points for the operation, and begins the call. The returned function ends the call. Throws
   * `throttled` if the wait would be too long or if enough other calls are waiting for this shop. Throws `unavailable` while the shop's API
   * does not respond.
   */
  admit(caller: Caller, operation: string): Promise<EndCall>;
  /** Waits before a call is retried. Returns false immediately if enough other calls are waiting for this shop. */
  rest(caller: Caller, waitMs: number): Promise<boolean>;
  recordCost(shop: string, operation: string, cost: Cost): void;
  /** Returns how many outages of a shop's API have been detected, across all shops. */
  outages(): number;
  /** Whether this shop's Admin API is down. */
  isOut(shop: string): boolean;
}

interface Bucket {
  maximum: number;
  available: number;
  restoreRate: number;
  at: number;
  /** Resolved by the shop's next response, because Shopify charges the full price first and refunds unused points. */
  next: PromiseWithResolvers<void>;
}

/** The longest wait for points within a call, in seconds. After that, the job is retried later. */
export const MAX_WAIT_SECONDS = 10;
const MAX_SHOPS = 10_000;
/** How many of a shop's calls may wait for points simultaneously, so that a throttled shop does not occupy all jobs of a process. */
const MAX_WAITING = 4;
/**
 * How many of the waiting calls may come from bulk jobs. The other places are reserved for calls about orders, which cost less and
 * therefore go first.
 */
const MAX_BULK_WAITING = 2;
const SHORT_WAIT_MS = 1_000;

/**
 * Creates a throttle for all of an app's shops. Shopify gives each shop a leaky bucket of points, and each response states the bucket's
 * level (rate limits of the GraphQL Admin API).
 */
export function createThrottle(clock: Clock, report?: (shop: string) => ReportOutage): Throttle {
  const buckets = new Map<string, Bucket>();
  const prices = new Map<string, number>();
  const breakers = new Map<string, CircuitBreaker>();
  const waiting = new Map<string, { all: number; bulk: number }>();
  let pastOutages = 0;

  function findOrCreateBreaker(shop: string): CircuitBreaker {
    const breaker = breakers.get(shop) ?? createCircuitBreaker(clock, report?.(shop));
    // Reinserting the breaker keeps the map sorted by each shop's last call, so the first shop was called longest ago.
    breakers.delete(shop);
    breakers.set(shop, breaker);
    const [oldest] = breakers.size > MAX_SHOPS ? breakers.keys() : [];
    if (oldest !== undefined) {
      pastOutages += breakers.get(oldest)?.opens() ?? 0;
      breakers.delete(oldest);
    }
    return breaker;
  }

  async function waitInQueue({ shop, isBulk }: Caller, wait: () => Promise<unknown>): Promise<boolean> {
    const others = waiting.get(shop) ?? { all: 0, bulk: 0 };
    if (others.all >= MAX_WAITING || (isBulk && others.bulk >= MAX_BULK_WAITING)) return false;
    waiting.set(shop, others);
    others.all += 1;
    others.bulk += Number(isBulk);
    await wait();
    others.all -= 1;
    others.bulk -= Number(isBulk);
    if (others.all === 0) waiting.delete(shop);
    return true;
  }

  function enter(shop: string, operation: string): EndCall {
    const entered = findOrCreateBreaker(shop).enter('');
    if (typeof entered !== 'number') return entered;
    const error = new ShopifyError('unavailable', { operation, effect: 'none', retryAfterSeconds: entered });
    error.isDuringOutage = findOrCreateBreaker(shop).isOut();
    throw error;
  }

  return {
    async admit(caller, operation) {
      const { shop } = caller;
      const deadline = clock.ticks() + MAX_WAIT_SECONDS * 1000;
      for (;;) {
        const bucket = buckets.get(shop);
        if (!bucket) return enter(shop, operation);
        const price = Math.min(prices.get(operation) ?? 0, bucket.maximum);
        refill(bucket, clock.ticks());
        if (price <= bucket.available) {
          const endCall = enter(shop, operation);
          bucket.available -= price;
          return endCall;
        }
        const waitMs = ((price - bucket.available) / bucket.restoreRate) * 1000;
        if (clock.ticks() + waitMs > deadline) throw toBusyError(operation, waitMs);
        const { promise } = bucket.next;
        if (
          !(await waitInQueue(caller, () =>
            withinTime(clock, { work: promise, milliseconds: waitMs, late: () => undefined }),
          ))
        )
          throw toBusyError(operation, waitMs);
      }
    },
    async rest(caller, waitMs) {
      if (waitMs > SHORT_WAIT_MS) return waitInQueue(caller, () => clock.sleep(waitMs));
      await clock.sleep(waitMs);
      return true;
    },
    recordCost(shop, operation, { requestedQueryCost, throttleStatus }) {
      prices.set(operation, requestedQueryCost);
      const before = buckets.get(shop);
      buckets.delete(shop);
      buckets.set(shop, {
        maximum: throttleStatus.maximumAvailable,
        available: throttleStatus.currentlyAvailable,
        restoreRate: throttleStatus.restoreRate,
        at: clock.ticks(),
        next: Promise.withResolvers(),
      });
      before?.next.resolve();
      const [oldest] = buckets.size > MAX_SHOPS ? buckets.keys() : [];
      if (oldest !== undefined) buckets.delete(oldest);
    },
    isOut: (shop) => breakers.get(shop)?.isOut() ?? false,
    outages: () => [...breakers.values()].reduce((sum, breaker) => sum + breaker.opens(), pastOutages),
  };
}

function toBusyError(operation: string, waitMs: number): ShopifyError {
  return new ShopifyError('throttled', { operation, effect: 'none', retryAfterSeconds: waitMs / 1000 });
}

function refill(bucket: Bucket, now: number): void {
  const restored = ((now - bucket.at) / 1000) * bucket.restoreRate;
  bucket.available = Math.min(bucket.maximum, bucket.available + restored);
  bucket.at = now;
}
