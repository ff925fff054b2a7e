/** Actions on an order that are not visible in the stand-ins' books. */
export interface Ledger {
  /** Fulfillments that the merchant created in the store. */
  byHand: Set<string>;
  /** For each line, the number of units that Platen prints although the merchant has marked them as fulfilled. */
  markedByHand: Map<string, number>;
  /** For each line, the number of units for which someone requested a reprint, in Platen or in the dashboard. */
  reprints: Map<string, number>;
  /**
   * Tracking codes that the service has corrected without showing the correction in any call. Platen cannot know that these codes are
   * outdated.
   */
  hiddenCorrections: Set<string>;
  /**
   * Whether steps of several orders overlap. If so, the test does not know exactly which units were already printed when the merchant
   * acted.
   */
  overlaps: boolean;
  /** The start of the period in which failed calls may still take effect, in milliseconds since 1970. Null if no failed call is pending. */
  lateSince: number | null;
  /** Whether the merchant closed the fulfillment of the order. */
  closed: boolean;
  /**
   * Whether the merchant accepted a difference between the order and its print orders: by closing, continuing or canceling the order, or by
   * canceling a fulfillment of a canceled order.
   */
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
    closed: false,
    settled: false,
  };
}

/** Adds to the number of units of an item or line. */
export function addUnits(units: Map<string, number>, id: string, quantity: number): void {
  units.set(id, (units.get(id) ?? 0) + quantity);
}
