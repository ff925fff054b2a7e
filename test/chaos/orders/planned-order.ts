/** The number of units of each printed SKU. */
export type Units = Record<string, number>;

/** A change that a merchant or buyer made to an order after it was placed. */
export interface PlannedChange {
  kind: 'edited' | 'address' | 'refunded' | 'canceled' | 'cancellationRequested';
  /** When the store had accepted the change. */
  at: Date;
  /** The units wanted after the change. */
  wants: Units;
}

/** An order as the run placed and changed it. The checks compare the order with the books. */
export interface PlacedOrder {
  /** The order's ID in the store, and its name, such as `#1001`. */
  id: string;
  name: string;
  /** The shop's domain. */
  shop: string;
  submit: 'draft' | 'direct';
  /** The last name in the address. The name is unique in the run and identifies the order in the print service's books. */
  buyer: string;
  wants: Units;
  placedAt: Date;
  /** Null if the order was not changed or the store refused the change. */
  change: PlannedChange | null;
}
