/** How many units of each SKU that is printed. */
export type Units = Record<string, number>;

/** What a merchant or a buyer did to an order after it was placed. */
export interface PlannedChange {
  kind: 'edited' | 'address' | 'refunded' | 'cancelled' | 'cancellationRequested';
  /** When the store had taken it. */
  at: Date;
  /** What the order wants from then on. */
  wants: Units;
}

/** An order of the run, as it was placed and changed: what the books are compared with. */
export interface PlacedOrder {
  /** The store's id, and its name such as `#1001`. */
  id: string;
  name: string;
  /** The shop's domain. */
  shop: string;
  submit: 'draft' | 'direct';
  /** The last name of the address, which no other order of the run has: the print service's books are read by it. */
  buyer: string;
  wants: Units;
  placedAt: Date;
  /** null: nothing was changed, or the store refused to. */
  change: PlannedChange | null;
}
