/** What was done to an order that the books of the stand-ins do not tell by themselves. */
export interface Ledger {
  /** Fulfillments that the merchant made in the store. */
  byHand: Set<string>;
  /** Units of each line, printed by Platen, that the merchant marked as fulfilled: nothing more of them is to be fulfilled. */
  markedByHand: Map<string, number>;
  /** Units of each line that a person asked to print once more though they live, or printed past Platen. */
  reprints: Map<string, number>;
  /** Since when, in milliseconds since 1970, calls may take effect late; null: none does. */
  lateSince: number | null;
  /** The merchant has closed, or let go on, what the books show otherwise. */
  settled: boolean;
}

export function openLedger(): Ledger {
  return { byHand: new Set(), markedByHand: new Map(), reprints: new Map(), lateSince: null, settled: false };
}

/** Adds to the units of an item, or of a line. */
export function addUnits(units: Map<string, number>, id: string, quantity: number): void {
  units.set(id, (units.get(id) ?? 0) + quantity);
}
