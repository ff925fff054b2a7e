import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { createCallGate, type CallGate, type EndCall, type ReportOutage } from '../../call-gate.ts';
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

/** Who calls a shop: `isBulk`, a job that goes through many of its products, which waits behind its orders. */
export interface Caller {
  shop: string;
  isBulk: boolean;
}

/**
 * What stands in front of the calls to a shop. The points it gives this app: calls wait here when its bucket is empty, rather than being
 * refused. And its gate, which turns calls away while its API does not answer.
 */
export interface Throttle {
  /**
   * Waits until the shop can pay for the operation, and begins the call; what it resolves to ends it. `throttled` when that takes
   * longer than the longest wait, or when enough others wait for this shop; `unavailable` while its API does not answer.
   */
  admit(caller: Caller, operation: string): Promise<EndCall>;
  /** Waits before a call is made again; false, and at once, when enough others wait for this shop. */
  rest(caller: Caller, waitMs: number): Promise<boolean>;
  learn(shop: string, operation: string, cost: Cost): void;
  /** How often a shop's API was found to be out, for all shops together. */
  outages(): number;
  /** Whether the Admin API of this shop is out. */
  isOut(shop: string): boolean;
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
/** Calls of one shop that wait for points at once: a throttled shop must not hold all jobs of a process. */
const MOST_WAITING = 4;
/** Of these, calls of bulk jobs: an order's finds a place beside them, and costs less, so that it goes first. */
const MOST_BULK_WAITING = 2;
const SHORT_WAIT_MS = 1_000;

/** A throttle for all shops of one app: a leaky bucket each, known from the last answer (rate limits of the GraphQL Admin API). */
export function createThrottle(probeMs?: number, report?: (shop: string) => ReportOutage): Throttle {
  const buckets = new Map<string, Bucket>();
  const prices = new Map<string, number>();
  const gates = new Map<string, CallGate>();
  const waiting = new Map<string, { all: number; bulk: number }>();
  let outagesBefore = 0;

  function gateOf(shop: string): CallGate {
    const gate = gates.get(shop) ?? createCallGate(probeMs, report?.(shop));
    // The shop that was called last is at the end.
    gates.delete(shop);
    gates.set(shop, gate);
    const [oldest] = gates.size > MOST_SHOPS ? gates.keys() : [];
    if (oldest !== undefined) {
      outagesBefore += gates.get(oldest)?.opens() ?? 0;
      gates.delete(oldest);
    }
    return gate;
  }

  async function waitAmongOthers({ shop, isBulk }: Caller, wait: () => Promise<unknown>): Promise<boolean> {
    const others = waiting.get(shop) ?? { all: 0, bulk: 0 };
    if (others.all >= MOST_WAITING || (isBulk && others.bulk >= MOST_BULK_WAITING)) return false;
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
    const entered = gateOf(shop).enter('');
    if (typeof entered !== 'number') return entered;
    const error = new ShopifyError('unavailable', { operation, effect: 'none', retryAfterSeconds: entered });
    error.isDuringOutage = gateOf(shop).isOut();
    throw error;
  }

  return {
    async admit(caller, operation) {
      const { shop } = caller;
      const deadline = performance.now() + LONGEST_WAIT_SECONDS * 1000;
      for (;;) {
        const bucket = buckets.get(shop);
        if (!bucket) return enter(shop, operation);
        const price = Math.min(prices.get(operation) ?? 0, bucket.maximum);
        refill(bucket);
        if (price <= bucket.available) {
          const endCall = enter(shop, operation);
          bucket.available -= price;
          return endCall;
        }
        const waitMs = ((price - bucket.available) / bucket.restoreRate) * 1000;
        if (performance.now() + waitMs > deadline) throw refuse(operation, waitMs);
        const { promise } = bucket.next;
        if (!(await waitAmongOthers(caller, () => firstOf(waitMs, promise)))) throw refuse(operation, waitMs);
      }
    },
    async rest(caller, waitMs) {
      if (waitMs > SHORT_WAIT_MS) return waitAmongOthers(caller, () => delay(waitMs));
      await delay(waitMs);
      return true;
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
    isOut: (shop) => gates.get(shop)?.isOut() ?? false,
    outages: () => [...gates.values()].reduce((sum, gate) => sum + gate.opens(), outagesBefore),
  };
}

function refuse(operation: string, waitMs: number): ShopifyError {
  return new ShopifyError('throttled', { operation, effect: 'none', retryAfterSeconds: waitMs / 1000 });
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
