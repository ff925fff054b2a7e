import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { ShopifyError } from './errors.ts';

/** `extensions.cost` of an answer: points asked for, and what is left in the shop's bucket. */
export const costSchema = z.looseObject({
  requestedQueryCost: z.number(),
  throttleStatus: z.looseObject({
    maximumAvailable: z.number(),
    currentlyAvailable: z.number(),
    restoreRate: z.number().positive(),
  }),
});
export type Cost = z.infer<typeof costSchema>;

/** The points a shop gives this app: calls wait here when its bucket is empty, rather than being refused. */
export interface Throttle {
  /** Waits until the shop can pay for the operation; `throttled` when that takes longer than the longest wait. */
  admit(shop: string, operation: string): Promise<void>;
  learn(shop: string, operation: string, cost: Cost): void;
}

interface Bucket {
  maximum: number;
  available: number;
  restoreRate: number;
  at: number;
  /** Resolved by the shop's next answer: Shopify asks for the full price and gives back what was not used. */
  next: PromiseWithResolvers<void>;
}

/** Longest wait for points within a call, in seconds: beyond it the job comes back later. */
export const LONGEST_WAIT_SECONDS = 10;
const MOST_SHOPS = 10_000;

/** A throttle for all shops of one app: a leaky bucket each, known from the last answer (rate limits of the GraphQL Admin API). */
export function createThrottle(): Throttle {
  const buckets = new Map<string, Bucket>();
  const prices = new Map<string, number>();

  return {
    async admit(shop, operation) {
      const deadline = performance.now() + LONGEST_WAIT_SECONDS * 1000;
      for (;;) {
        const bucket = buckets.get(shop);
        if (!bucket) return;
        const price = Math.min(prices.get(operation) ?? 0, bucket.maximum);
        refill(bucket);
        if (price <= bucket.available) {
          bucket.available -= price;
          return;
        }
        const waitMs = ((price - bucket.available) / bucket.restoreRate) * 1000;
        if (performance.now() + waitMs > deadline) {
          throw new ShopifyError('throttled', { operation, effect: 'none', retryAfterSeconds: waitMs / 1000 });
        }
        await firstOf(waitMs, bucket.next.promise);
      }
    },
    learn(shop, operation, { requestedQueryCost, throttleStatus }) {
      prices.set(operation, requestedQueryCost);
      const before = buckets.get(shop);
      buckets.delete(shop);
      buckets.set(shop, {
        maximum: throttleStatus.maximumAvailable,
        available: throttleStatus.currentlyAvailable,
        restoreRate: throttleStatus.restoreRate,
        at: performance.now(),
        next: Promise.withResolvers(),
      });
      before?.next.resolve();
      const [oldest] = buckets.size > MOST_SHOPS ? buckets.keys() : [];
      if (oldest !== undefined) buckets.delete(oldest);
    },
  };
}

async function firstOf(waitMs: number, event: Promise<void>): Promise<void> {
  const timer = new AbortController();
  const timeout = delay(waitMs, undefined, { signal: timer.signal }).catch(() => {});
  await Promise.race([timeout, event]);
  timer.abort();
}

function refill(bucket: Bucket): void {
  const now = performance.now();
  const restored = ((now - bucket.at) / 1000) * bucket.restoreRate;
  bucket.available = Math.min(bucket.maximum, bucket.available + restored);
  bucket.at = now;
}
