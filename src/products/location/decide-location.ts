/** The facts about a variant and Platen's location in the store. */
export interface LocationFacts {
  /** The variant is connected and has a print link, and the shop is not leaving. */
  isWanted: boolean;
  isStocked: boolean;
  /** Platen has stocked the variant there, or was interrupted while doing so. */
  isOurs: boolean;
  /** Another party has removed the variant from there, and nobody has since requested that Platen stock it. */
  wasTaken: boolean;
  /** Whether a person requested the change, or Platen has the permission to read whether checkouts would offer shipping. */
  mayStock: boolean;
  /** Whether the variant's delivery profile delivers from the location. */
  hasRates: boolean;
}

/**
 * The step for a variant: `stock`, `unstock`, `forget` (Platen no longer manages the variant, because another party has removed it) or
 * `nothing`. Otherwise, the reason to leave it unstocked: `taken_away` (another party has removed it), `no_rates` (checkouts would offer no
 * shipping) or `no_permission` (Platen cannot read whether they would).
 */
export type LocationStep = 'stock' | 'unstock' | 'forget' | 'taken_away' | 'no_rates' | 'no_permission' | 'nothing';

/**
 * Decides whether to stock a variant at Platen's location or remove it from there, which determines whether its orders are routed there.
 * A variant that another party has stocked there remains.
 */
export function decideLocation(facts: LocationFacts): LocationStep {
  const { isWanted, isStocked, isOurs, wasTaken, mayStock, hasRates } = facts;
  if (isWanted && !isStocked && wasTaken) return 'taken_away';
  if (isWanted && !isStocked && !mayStock) return 'no_permission';
  if (isWanted && !isStocked) return hasRates ? 'stock' : 'no_rates';
  if (isWanted || !isOurs) return 'nothing';
  return isStocked ? 'unstock' : 'forget';
}
