/** The facts about a variant and Platen's location in the store. */
export interface LocationFacts {
  /** It is connected and has a print link, and the shop is not leaving. */
  isWanted: boolean;
  isStocked: boolean;
  /** Platen has stocked it there, or was interrupted while doing so. */
  isOurs: boolean;
  /** Somebody else has removed it from there, and nobody has asked Platen to stock it since. */
  wasTaken: boolean;
  /** A person asks for it, or Platen may read whether checkouts would find shipping. */
  mayStock: boolean;
  /** Whether its delivery profile delivers from the location. */
  hasRates: boolean;
}

/**
 * The step for a variant: `stock`, `unstock`, `forget` (it is no longer ours, because somebody else has removed it) or `nothing`. Or the
 * reason to leave it unstocked: `taken_away` (somebody else has removed it), `no_rates` (checkouts would find no shipping) or
 * `no_permission` (Platen cannot see whether they would).
 */
export type LocationStep = 'stock' | 'unstock' | 'forget' | 'taken_away' | 'no_rates' | 'no_permission' | 'nothing';

/**
 * Decides whether to stock a variant at Platen's location or remove it, so that its orders are routed there or no longer are. A variant
 * that somebody else has stocked there stays.
 */
export function decideLocation(facts: LocationFacts): LocationStep {
  const { isWanted, isStocked, isOurs, wasTaken, mayStock, hasRates } = facts;
  if (isWanted && !isStocked && wasTaken) return 'taken_away';
  if (isWanted && !isStocked && !mayStock) return 'no_permission';
  if (isWanted && !isStocked) return hasRates ? 'stock' : 'no_rates';
  if (isWanted || !isOurs) return 'nothing';
  return isStocked ? 'unstock' : 'forget';
}
