import type { ShippingRule } from '../../shops/settings/shipping-rules.ts';

/** The data for choosing a method: the buyer's shipping choice and the products to ship. */
export interface ShippingWish {
  shippingLines: readonly { title: string; code: string | null }[];
  /** ISO 3166-1 alpha-2. */
  country: string;
  isBusiness: boolean;
  /** One product for each printed line. */
  products: readonly { sku: string | null; productUid: string; tags: readonly string[] }[];
  /** The way chosen for the whole order of which this print order is a part. It is tried first. */
  settled: ShippingWay | null;
}

/** A way to choose methods: choices tried in turn, the same for all quotes. Without choices, each quote's cheapest method is chosen. */
export interface ShippingWay {
  /** The way's name after "the" in the timeline. */
  rule: string;
  choices: readonly MethodChoice[];
}

/** The conditions for choosing one of a quote's methods. */
export type MethodChoice = ShippingRule['choose'] & {
  /** Never a pallet or pickup, even if its UID or type is named. */
  onlyParcels?: true;
};
