import type { ShippingRule } from '../../shops/settings/shipping-rules.ts';

/** What the buyer chose and what is shipped. */
export interface ShippingWish {
  shippingLines: readonly { title: string; code: string | null }[];
  /** ISO 3166-1 alpha-2. */
  country: string;
  isBusiness: boolean;
  /** One for each printed line. */
  products: readonly { sku: string | null; productUid: string; tags: readonly string[] }[];
  /** The way chosen for the whole order that this is a part of: tried first. */
  settled: ShippingWay | null;
}

/** One way to choose a method: the choices to try in turn, the same for every quote. Without choices: the cheapest of each quote. */
export interface ShippingWay {
  /** For the timeline: "the …". */
  rule: string;
  choices: readonly MethodChoice[];
}

/** The conditions for choosing among the methods of a quote. */
export type MethodChoice = ShippingRule['choose'] & {
  /** Never a pallet or pickup, even if its uid or type is named. */
  onlyParcels?: true;
};
