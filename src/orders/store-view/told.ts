import type { StorefrontOrder } from '../../database/orders.ts';

/** What the store was told of an order, by what it is about. */
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

/** What the store was told of an order. */
export function readTold({ told }: Pick<StorefrontOrder, 'told'>): Told {
  return told;
}
