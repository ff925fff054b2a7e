import { createLimiter, type Limiter, type Rule } from './limiter.ts';
import type { Clock } from '../../clock.ts';

const BYTES_PER_MIB = 1024 * 1024;

/** The limits are high enough for the busiest shop, and for all of an operator's merchants behind one IP address. */
const RULES = {
  /** Requests without a valid session, signature or known token, by IP address. */
  unidentified: { atOnce: 100, burst: 1_000, perSecond: 50 },
  /** A shop's pages and its API. */
  shops: { atOnce: 10, burst: 600, perSecond: 20, bytesPerDay: 1024 * BYTES_PER_MIB },
  /** A shop's exports and imports, which take a long time. */
  bulk: { atOnce: 2, burst: 30, perSecond: 0.5 },
  /** A shop's test messages, so that nobody can use the operator's mail server to annoy others. */
  testMessages: { atOnce: 1, burst: 10, perSecond: 0.005 },
  /** A shop's events from the print service. The bytes suffice for about 10,000 orders a day. */
  events: { atOnce: 500, burst: 5_000, perSecond: 100, bytesPerDay: 256 * BYTES_PER_MIB },
  /** A shop's checkouts, which ask for shipping rates. */
  rates: { atOnce: 200, burst: 5_000, perSecond: 100 },
  /** A shop's workflows in Shopify Flow. */
  flow: { atOnce: 50, burst: 2_000, perSecond: 50 },
  /** A shop's product pages, whose responses are cached. */
  visitors: { atOnce: 50, burst: 2_000, perSecond: 100 },
  /** Quotes for a shop's product pages. Only one quote at a time, so that checkouts and orders come first at the print service. */
  estimates: { atOnce: 1, burst: 60, perSecond: 0.05 },
  /** One product's share of these quotes. */
  productEstimates: { atOnce: 1, burst: 12, perSecond: 0.005 },
} satisfies Record<string, Rule>;

type LimitName = keyof typeof RULES;
export const limitNames = Object.keys(RULES) as LimitName[];
export type Rules = Record<LimitName, Rule>;
export type Limits = Record<LimitName, Limiter>;

export function createLimits(clock: Clock, changed: Partial<Rules> = {}): Limits {
  const rules: Rules = { ...RULES, ...changed };
  return Object.fromEntries(limitNames.map((name) => [name, createLimiter(clock, rules[name])])) as Limits;
}
