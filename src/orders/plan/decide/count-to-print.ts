/** Units of one LineItem in a print order. */
export interface CountedPrint {
  quantity: number;
  /** Units of the LineItem that the store had already fulfilled when the print order was planned. */
  fulfilledBefore: number;
}

/**
 * Returns how many units of a LineItem still have to be printed: the units left to fulfill, minus the units in counted print orders that
 * neither Platen nor a person has fulfilled in the store yet (docs/rules/planning.md#how-many).
 */
export function countToPrint(leftToFulfill: number, fulfilled: number, prints: readonly CountedPrint[]): number {
  const onTheWay = countUnfulfilledUnits(fulfilled, prints).reduce((sum, units) => sum + units, 0);
  return Math.max(0, leftToFulfill - onTheWay);
}

/**
 * Returns how many units are not yet fulfilled in each of a LineItem's print orders, in the order of `prints`. A fulfilled unit is
 * attributed to only one print order, oldest first, and never to a print order planned after the unit was fulfilled.
 */
export function countUnfulfilledUnits(fulfilled: number, prints: readonly CountedPrint[]): number[] {
  const onTheWay = new Map<CountedPrint, number>();
  let counted = 0;
  for (const print of prints.toSorted((a, b) => a.fulfilledBefore - b.fulfilledBefore)) {
    const from = Math.max(counted, print.fulfilledBefore);
    const done = Math.min(Math.max(fulfilled - from, 0), print.quantity);
    counted = from + done;
    onTheWay.set(print, print.quantity - done);
  }
  return prints.map((print) => onTheWay.get(print) ?? 0);
}
