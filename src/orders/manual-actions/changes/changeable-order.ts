import type { StorefrontOrder } from '../../../database/entities/orders.ts';
import { NotPossibleError } from '../../../errors.ts';
import {
  countsAsPrinted,
  isInEffect,
  isUnsent,
  mayHaveEffect,
  awaitsReplacement,
} from '../../facts/print-order-predicates.ts';
import type { KnownPrint } from '../../rows/own-rows.ts';
import { canceledByHandError, findOrderOverReason } from '../manual-action-scope.ts';

type Prints = readonly Pick<KnownPrint, 'printOrder' | 'attempts'>[];

/** An order with its print orders. */
export interface ChangeableOrder {
  order: StorefrontOrder;
  prints: Prints;
  /** Whether an open hold concerns the order itself, so that some of its units are not planned yet. */
  isHeld: boolean;
}

/** Returns why the order's address no longer matters to Platen, or null if it can change. Pure. */
export function findAddressLockReason({ order, prints, isHeld }: ChangeableOrder): NotPossibleError | null {
  const over = findOrderOverReason(order);
  if (over) return over;
  if (order.cancelAskedAt !== null) return canceledByHandError(order);
  if (!isFullySent({ order, prints, isHeld })) return null;
  return new NotPossibleError(
    'already_sent',
    `${order.name} was already sent to print, and its address at the print service can no longer change. Until it is printed, you can choose "Cancel printing", then "Approve", to print it with another address.`,
  );
}

/** Returns why the order's shipping method can no longer change, or null if it can change. Pure. */
export function findShippingLockReason({ order, prints, isHeld }: ChangeableOrder): NotPossibleError | null {
  const over = findOrderOverReason(order);
  if (over) return over;
  const closed = prints.find(({ printOrder }) => awaitsReplacement(printOrder));
  if (closed)
    return new NotPossibleError(
      'being_replaced',
      `${closed.printOrder.reference} is being replaced after a change. Try again in a moment.`,
    );
  // A reference identifies one request body, and the body contains the method (docs/rules/created-once.md).
  const begun = prints.find(
    ({ printOrder, attempts }) =>
      isInEffect(printOrder) &&
      !countsAsPrinted(printOrder) &&
      (printOrder.serviceOrderId !== null || attempts.some(mayHaveEffect)),
  );
  if (begun)
    return new NotPossibleError(
      'method_in_use',
      `${begun.printOrder.reference} already exists at the print service with its shipping method, which cannot change there. Choose "Cancel printing", then choose the shipping method, then choose "Approve" to print the order with it.`,
    );
  if (!isFullySent({ order, prints, isHeld })) return null;
  return new NotPossibleError(
    'already_sent',
    `${order.name} was already sent to print, so its shipping method can no longer change. Until it is printed, you can choose "Cancel printing", then choose the shipping method, then choose "Approve".`,
  );
}

/** Returns the references of print orders that the print service may already have printed, in part or completely. */
export function listSentReferences(prints: Prints): string[] {
  return prints
    .filter(({ printOrder }) => isInEffect(printOrder) && countsAsPrinted(printOrder))
    .map(({ printOrder }) => printOrder.reference);
}

/** Returns whether at least one print order was sent to print and nothing remains to be sent. */
function isFullySent({ order, prints, isHeld }: ChangeableOrder): boolean {
  const isPartWaiting = ![null, 'canceled_by_hand'].includes(order.outcomeReason);
  if (isHeld || isPartWaiting || listSentReferences(prints).length === 0) return false;
  return !prints.some(
    (print) => isInEffect(print.printOrder) && (isUnsent(print) || awaitsReplacement(print.printOrder)),
  );
}
