/** Actions on an order that are not visible in the stand-ins' books. */
export interface Ledger {
  /** Fulfillments that the merchant created in the store. */
  byHand: Set<string>;
  /** Units of each line that Platen prints but the merchant has marked as fulfilled. */
  markedByHand: Map<string, number>;
  /** Units of each line that someone had reprinted, through Platen or in the dashboard. */
  reprints: Map<string, number>;
  /** Codes that the service corrected without showing the correction in any call. Platen cannot know that these codes are wrong. */
  hiddenCorrections: Set<string>;
  /** Whether steps of several orders overlap, so the test does not know exactly which units were printed when the merchant acted. */
  overlaps: boolean;
  /** The time from which calls may take effect late, in milliseconds since 1970. Null if no call does. */
  lateSince: number | null;
  /** Whether the merchant accepted a difference between the order and its print orders by closing, continuing or canceling the order. */
  settled: boolean;
}

export function openLedger({ overlaps = false } = {}): Ledger {
  return {
    byHand: new Set(),
    markedByHand: new Map(),
    reprints: new Map(),
    hiddenCorrections: new Set(),
    overlaps,
    lateSince: null,
    settled: false,
  };
}

/** Adds to the number of units of an item or line. */
export function addUnits(units: Map<string, number>, id: string, quantity: number): void {
  units.set(id, (units.get(id) ?? 0) + quantity);
}
