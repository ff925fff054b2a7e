/** What is known of a variant and Platen's location in the store. */
export interface LocationFacts {
  /** It is connected, has a print link, and is not being left. */
  isWanted: boolean;
  isStocked: boolean;
  /** Platen has stocked it there, or was about to when it was interrupted. */
  isOurs: boolean;
  /** Somebody has taken it away from there, and nobody has asked for it since. */
  wasTaken: boolean;
  /** A person asks for it, or the store lets Platen see whether checkouts would find shipping. */
  mayStock: boolean;
  /** Whether its delivery profile delivers from the location. */
  hasRates: boolean;
}

/**
 * What is to be done: `stock` it or end that (`unstock`); `forget` that it was ours, since somebody else has ended it;
 * `taken_away`, leave it unstocked for the same reason; `no_rates`, since checkouts would find no shipping; `no_permission`, since
 * nobody can say whether they would; or nothing.
 */
export type LocationStep = 'stock' | 'unstock' | 'forget' | 'taken_away' | 'no_rates' | 'no_permission' | 'nothing';

/**
 * What the store is to be told of a variant, so that orders of it are routed to Platen's location, or no more. What somebody else
 * has stocked stays.
 */
export function decideLocation(facts: LocationFacts): LocationStep {
  const { isWanted, isStocked, isOurs, wasTaken, mayStock, hasRates } = facts;
  if (isWanted && !isStocked && wasTaken) return 'taken_away';
  if (isWanted && !isStocked && !mayStock) return 'no_permission';
  if (isWanted && !isStocked) return hasRates ? 'stock' : 'no_rates';
  if (isWanted || !isOurs) return 'nothing';
  return isStocked ? 'unstock' : 'forget';
}
