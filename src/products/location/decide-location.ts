/** The facts about a variant and Platen's location in the store. */
export interface LocationFacts {
  /** Whether the variant is connected and has a print link, and the shop is not leaving. */
  isWanted: boolean;
  isStocked: boolean;
  /** Whether Platen has stocked the variant at its location, or was interrupted while stocking it. */
  isOurs: boolean;
  /** Whether someone else has removed the variant from Platen's location, and no person has since requested that Platen stock it again. */
  wasRemovedByOthers: boolean;
  /**
   * Whether Platen may stock the variant. True if a person requested the change, or if Platen can read whether checkouts would offer
   * shipping.
   */
  mayStock: boolean;
  /** Whether the variant's delivery profile delivers from the location. */
  hasRates: boolean;
}

/**
 * The step for a variant: `stock`, `unstock`, `forget` (Platen no longer manages the variant, because someone else has removed it) or
 * `nothing`. Any other value is the reason why a printed variant stays unstocked. `taken_away`: someone else has removed it. `no_rates`:
 * checkouts would offer no shipping for it. `no_permission`: Platen may not read shipping rates.
 */
export type LocationStep = 'stock' | 'unstock' | 'forget' | 'taken_away' | 'no_rates' | 'no_permission' | 'nothing';

/**
 * Decides whether to stock a variant at Platen's location or to remove it from that location. Shopify routes orders for stocked variants to
 * the location. A variant that someone else has stocked there is never removed.
 */
export function decideLocation(facts: LocationFacts): LocationStep {
  const { isWanted, isStocked, isOurs, wasRemovedByOthers, mayStock, hasRates } = facts;
  if (isWanted && !isStocked && wasRemovedByOthers) return 'taken_away';
  if (isWanted && !isStocked && !mayStock) return 'no_permission';
  if (isWanted && !isStocked) return hasRates ? 'stock' : 'no_rates';
  if (isWanted || !isOurs) return 'nothing';
  return isStocked ? 'unstock' : 'forget';
}
