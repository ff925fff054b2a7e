import type { OrderLine } from '../../database/entities/orders.ts';
import type { PrintOrder, PrintOrderLine } from '../../database/entities/print-orders.ts';
import { countToPrint } from '../plan/decide/count-to-print.ts';
import { hasShipped, isSuperseded } from '../facts/print-order-predicates.ts';

/** The rows that an approval of a whole order covers. */
interface ApprovedOrder {
  lines: readonly Pick<OrderLine, 'shopifyLineItemId' | 'decision' | 'orderedQuantity' | 'fulfilledQuantity'>[];
  units: readonly Pick<
    PrintOrderLine,
    'printOrderId' | 'shopifyLineItemId' | 'quantity' | 'unitsAgain' | 'printAgainAt' | 'fulfilledBefore'
  >[];
  printOrders: readonly Pick<PrintOrder, 'id' | 'state' | 'confirmedAt' | 'shippedAt' | 'fencedAt' | 'printAgainAt'>[];
  /** Whether this is a test order. Its drafts stay at the print service and are never confirmed. */
  isTest: boolean;
}

/** Describes the effect of an approval. It has none if everything has already been sent, or if this is a test order. Pure. */
export function describeApproval(name: string, { lines, units, printOrders, isTest }: ApprovedOrder): string {
  if (isTest) return `${name} is a test order: its draft stays at the print service and is not printed.`;
  const counted = printOrders.filter((printOrder) => !isSuperseded(printOrder));
  const isConfirmed = counted.length > 0 && counted.every(({ confirmedAt }) => confirmedAt !== null);
  const own = units.filter((unit) => unit.printAgainAt === null && counted.some(({ id }) => id === unit.printOrderId));
  const hasRemainingUnits = lines.some(({ shopifyLineItemId, decision, orderedQuantity, fulfilledQuantity }) => {
    const prints = own
      .filter((unit) => unit.shopifyLineItemId === shopifyLineItemId)
      .map(({ quantity, unitsAgain, fulfilledBefore }) => ({ quantity: quantity - unitsAgain, fulfilledBefore }));
    const left = orderedQuantity - fulfilledQuantity;
    return decision !== 'not_ours' && countToPrint(left, fulfilledQuantity, prints) > 0;
  });
  if (!isConfirmed || hasRemainingUnits) return `${name} is approved: Platen prints it unless something else holds it.`;
  const isFulfilled = counted.every(({ state }) => state === 'fulfilled');
  const isShipped = counted.every(hasShipped);
  const standing = isFulfilled
    ? 'is already fulfilled'
    : isShipped
      ? 'has already shipped'
      : 'was already sent to print';
  return `${name} ${standing}: the approval changes nothing.`;
}
