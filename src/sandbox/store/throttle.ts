import { z } from 'zod';

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

/** So wide that nothing waits. */
const WIDE: Limits = { maximumAvailable: 20_000, restoreRate: 20_000 };

/** The buckets of all shops. */
export interface Throttle {
  /** Narrower buckets, all full; null: wide ones again. */
  limit(limits: Limits | null): void;
  /** Takes the cost out of a shop's bucket; `granted` is false, and nothing taken, when it does not hold that much. */
  take(shop: string, cost: number): { granted: boolean; status: ThrottleStatus };
}

/** Leaky buckets that refill with time (shopify.dev, API rate limits). */
export function createThrottle(): Throttle {
  let { maximumAvailable, restoreRate } = WIDE;
  const buckets = new Map<string, { available: number; at: number }>();
  return {
    limit(limits) {
      ({ maximumAvailable, restoreRate } = limits ?? WIDE);
      buckets.clear();
    },
    take(shop, cost) {
      const now = Date.now();
      const last = buckets.get(shop) ?? { available: maximumAvailable, at: now };
      const available = Math.min(maximumAvailable, last.available + ((now - last.at) / 1000) * restoreRate);
      const granted = cost <= available;
      const left = granted ? available - cost : available;
      buckets.set(shop, { available: left, at: now });
      return { granted, status: { maximumAvailable, currentlyAvailable: Math.floor(left), restoreRate } };
    },
  };
}
