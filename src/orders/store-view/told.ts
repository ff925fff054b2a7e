import type { StorefrontOrder } from '../../database/entities/orders.ts';

/** The changes that Platen has made to an order in the store, by subject. */
export interface Told {
  /** Our tags that the order has. */
  tags?: string[];
  /** Our tags that it may have too: an answer may have been lost. */
  triedTags?: string[];
  /** A hash of what each of our metafields says. */
  metafields?: Record<string, string>;
  /** What its fulfillment orders are held for, our holds on them by the fulfillment order's id, and whether there may be more. */
  holds?: { why: string; ids: Record<string, string>; isTried?: boolean };
}

/** The changes that Platen has made to an order in the store. */
export function readTold({ told }: Pick<StorefrontOrder, 'told'>): Told {
  return told;
}
