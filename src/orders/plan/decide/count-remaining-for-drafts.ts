import { countUnfulfilledUnits } from './count-to-print.ts';
import { countLeftOf, type CurrentOrder } from './find-change.ts';
import type { KnownPrint } from '../../rows/own-rows.ts';
import { countFulfilled } from '../../facts/store-quantities.ts';
import { isReplaceable, isSuperseded } from '../../facts/print-order-predicates.ts';

/**
 * Counts, for each LineItem, the units that drafts with accepted edits may still print: the units left to fulfill at locations where Platen
 * fulfills, minus the units in other print orders that can no longer be replaced. Pure.
 */
export function countRemainingForDrafts(
  { order, ...places }: Omit<CurrentOrder, 'address' | 'unfit'>,
  prints: readonly KnownPrint[],
): Map<string, number> {
  const counted = prints.filter((print) => !isSuperseded(print.printOrder) && !isReplaceable(print));
  const isAgreed = ({ printOrder, deviation }: KnownPrint): boolean =>
    deviation.acceptedDraftEdit !== null && printOrder.confirmStartedAt === null;
  const agreed = counted.filter(isAgreed);
  const ids = new Set(agreed.flatMap(({ lines }) => lines.map(({ shopifyLineItemId }) => shopifyLineItemId)));
  const others = counted.filter((print) => !isAgreed(print)).flatMap(({ lines }) => lines);
  return new Map(
    [...ids].map((id) => {
      const ofLine = others
        .filter((line) => line.shopifyLineItemId === id && line.printAgainAt === null)
        .map((line) => ({ ...line, quantity: line.quantity - line.unitsAgain }));
      const onTheWay = countUnfulfilledUnits(countFulfilled(order, id), ofLine).reduce((sum, units) => sum + units, 0);
      return [id, Math.max(0, countLeftOf(order, id, places, true) - onTheWay)];
    }),
  );
}
