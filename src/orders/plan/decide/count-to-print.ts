/** Units of one LineItem that a print order stands for. */
export interface CountedPrint {
  quantity: number;
  /** Units of the LineItem that the store had fulfilled when this was planned. */
  fulfilledBefore: number;
}

/**
 * How many units of a LineItem are still to print: what is left to fulfil, less what each counting print order
 * stands for and the store has not fulfilled yet, by us or by hand (design, "How many").
 */
export function countToPrint(leftToFulfill: number, fulfilled: number, prints: readonly CountedPrint[]): number {
  const onTheWay = countOnTheWay(fulfilled, prints).reduce((sum, units) => sum + units, 0);
  return Math.max(0, leftToFulfill - onTheWay);
}

/**
 * For each print order of a LineItem, in the order given, its units that the store has not fulfilled yet. Each fulfilled unit counts
 * for one print order only, the oldest first, and never for one planned after it.
 */
export function countOnTheWay(fulfilled: number, prints: readonly CountedPrint[]): number[] {
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
