import type { StorefrontOrder } from '../../database/entities/orders.ts';
import type { ShippingRule } from '../../shops/settings/shipping-rules.ts';

/** The data for choosing a method: the buyer's shipping choice and the products to ship. */
export interface ShippingPreference {
  shippingLines: readonly { title: string; code: string | null }[];
  /** ISO 3166-1 alpha-2. */
  country: string;
  isBusiness: boolean;
  /** One product for each printed line. */
  products: readonly { sku: string | null; productUid: string; tags: readonly string[] }[];
  /**
   * The rule that an earlier quote of the whole order used. This rule is tried first, so that all parts of the order ship by the same rule.
   */
  settled: ShippingMethodRule | null;
}

/**
 * A rule for choosing shipping methods. All quotes of an order use the same choices, which are tried in sequence. Without choices, each
 * quote's cheapest method is chosen.
 */
export interface ShippingMethodRule {
  /** The name of the rule. The timeline puts "the" before the name, unless a person chose the method. */
  rule: string;
  choices: readonly MethodChoice[];
  /** The name of the method that a person chose. If set, no other rule replaces this rule. */
  byHand?: string;
}

/** Returns the rule for the method that a person chose for an order, or null if the shop's rules choose the method. */
export function toManualMethodRule(choice: StorefrontOrder['shippingChoice']): ShippingMethodRule | null {
  return (
    choice && { rule: 'chosen by the merchant', choices: [{ methodUids: choice.methodUids }], byHand: choice.name }
  );
}

/** The conditions for choosing one of a quote's methods. */
export type MethodChoice = ShippingRule['choose'] & {
  /** Excludes pallets and pickup, even if a rule contains their UID or type. */
  onlyParcels?: true;
};
