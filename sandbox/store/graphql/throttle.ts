import { z } from 'zod';
import type { Clock } from '../../../src/clock.ts';

/** The leaky bucket of a shop, as `extensions.cost.throttleStatus` shows it. */
interface ThrottleStatus {
  maximumAvailable: number;
  currentlyAvailable: number;
  restoreRate: number;
}

export const throttleSchema = z.strictObject({
  maximumAvailable: z.number().positive(),
  restoreRate: z.number().positive(),
});

type Limits = z.output<typeof throttleSchema>;

/** Default limits that are so high that no call is throttled. */
const DEFAULT_LIMITS: Limits = { maximumAvailable: 20_000, restoreRate: 20_000 };

/** The buckets of all shops. */
export interface Throttle {
  /** Sets the limits of all buckets and fills them. Null restores the large default. */
  limit(limits: Limits | null): void;
  /** Deducts the cost from a shop's bucket. If the bucket does not have enough, `granted` is false and nothing is deducted. */
  take(shop: string, cost: number): { granted: boolean; status: ThrottleStatus };
  /** Returns the total requested cost of all operations granted since the start. */
  requested(): number;
  /** Refunds the unused part of an operation's requested cost to the bucket. */
  giveBack(shop: string, unused: number): ThrottleStatus;
}

/** Creates leaky buckets that refill over time (shopify.dev, API rate limits). */
export function createThrottle(clock: Clock): Throttle {
  let { maximumAvailable, restoreRate } = DEFAULT_LIMITS;
  let requested = 0;
  const buckets = new Map<string, { available: number; at: number }>();
  function refill(shop: string): number {
    const now = clock.ticks();
    const last = buckets.get(shop) ?? { available: maximumAvailable, at: now };
    const available = Math.min(maximumAvailable, last.available + ((now - last.at) / 1000) * restoreRate);
    buckets.set(shop, { available, at: now });
    return available;
  }

  function changeAvailable(shop: string, by: number): ThrottleStatus {
    const available = Math.min(maximumAvailable, refill(shop) + by);
    buckets.set(shop, { available, at: clock.ticks() });
    return { maximumAvailable, currentlyAvailable: Math.floor(available), restoreRate };
  }

  return {
    limit(limits) {
      ({ maximumAvailable, restoreRate } = limits ?? DEFAULT_LIMITS);
      buckets.clear();
    },
    take(shop, cost) {
      const granted = cost <= refill(shop);
      if (granted) requested += cost;
      return { granted, status: changeAvailable(shop, granted ? -cost : 0) };
    },
    requested: () => requested,
    giveBack: (shop, unused) => changeAvailable(shop, unused),
  };
}
