import type { StorefrontOrder } from '../../database/entities/orders.ts';

/** The changes that Platen has made to an order in the store, by subject. */
export interface Written {
  /** Platen's tags on the order. */
  tags?: string[];
  /** Platen's tags that it may also have, since an answer may have been lost. */
  triedTags?: string[];
  /** A hash of the value of each of Platen's metafields. */
  metafields?: Record<string, string>;
  /** What its fulfillment orders are held for, Platen's holds by fulfillment order id, and whether there may be more. */
  holds?: { why: string; ids: Record<string, string>; isTried?: boolean };
}

export function readWritten({ written }: Pick<StorefrontOrder, 'written'>): Written {
  return written;
}
