import type { ShippingRule } from '../../shops/settings/shipping-rules.ts';

/** What the buyer chose and what is to travel. */
export interface ShippingWish {
  shippingLines: readonly { title: string; code: string | null }[];
  /** ISO 3166-1 alpha-2. */
  country: string;
  isBusiness: boolean;
  /** Of each printed line. */
  products: readonly { sku: string | null; productUid: string; tags: readonly string[] }[];
  /** What was settled for the whole that this is a part of: tried first. */
  settled: ShippingWay | null;
}

/** One way to choose: what to try in turn, for every quote alike; nothing to try stands for the cheapest of each. */
export interface ShippingWay {
  /** In words for the timeline: "the …". */
  rule: string;
  choices: readonly MethodChoice[];
}

/** What is to be chosen among the methods of a quote. */
export type MethodChoice = ShippingRule['choose'] & {
  /** Not a pallet or pick-up even if its uid or type is named. */
  onlyParcels?: true;
};
