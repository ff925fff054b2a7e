import type { StorefrontOrder } from '../../database/entities/orders.ts';

/** The changes that Platen has made to an order in the store, by subject. */
export interface WrittenValues {
  /** Platen's tags on the order. */
  tags?: string[];
  /** Platen's tags that the order may also have, because a response was lost. */
  triedTags?: string[];
  /** The hashed value of each of Platen's metafields. */
  metafields?: Record<string, string>;
  /** `why` identifies the hold. `ids` are the IDs of Platen's holds, by fulfillment order ID. If `isTried`, there may be more holds. */
  holds?: { why: string; ids: Record<string, string>; isTried?: boolean };
  /** The causes of the triggers that Shopify Flow has received, such as `sent:12` for a print order's ID. */
  flow?: string[];
}

export function readWrittenValues({ written }: Pick<StorefrontOrder, 'written'>): WrittenValues {
  return written;
}
