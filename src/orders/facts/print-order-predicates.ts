import type { PrintOrder, PrintOrderDifference, SubmitAttempt } from '../../database/entities/print-orders.ts';
import { isIn } from './order-state.ts';
import { isOver } from './service-trouble.ts';

/** A print order with its attempts to create it at the print service. */
interface Attempted {
  printOrder: PrintOrder;
  attempts: readonly Pick<SubmitAttempt, 'outcome'>[];
}

interface Edited {
  difference: Pick<PrintOrderDifference, 'draftEdit' | 'acceptedDraftEdit'>;
}

/** Whether a print order is or may be on its way to the buyer: later changes of the order no longer affect it. */
export function isSent(printOrder: PrintOrder): boolean {
  const { closedAt, cancelRequestedAt, state } = printOrder;
  return (
    countsAsPrinted(printOrder) &&
    closedAt === null &&
    cancelRequestedAt === null &&
    state !== 'planned' &&
    !isIn(state, 'ended')
  );
}

/** Whether the units of a print order count as printed: it was sent, and is not being printed again. */
export function countsAsPrinted({ confirmStartedAt, confirmedAt, fencedAt, printAgainAt }: PrintOrder): boolean {
  return (confirmStartedAt ?? confirmedAt) !== null && fencedAt === null && printAgainAt === null;
}

const HARMLESS = new Set(['refused', 'account_refused', 'nothing_made', 'absent']);

/** Whether nothing of a print order can be printed yet, so that another may replace it once it is fenced. */
export function isReplaceable(print: Attempted & Edited): boolean {
  // A draft that someone has edited is not replaced.
  return isUnsent(print) && print.difference.draftEdit === null && print.difference.acceptedDraftEdit === null;
}

/** Whether nothing of a print order can be printed yet, and it is neither closed nor canceled. */
export function isUnsent({ printOrder, attempts }: Attempted): boolean {
  if (printOrder.closedAt !== null || printOrder.confirmStartedAt !== null || printOrder.cancelRequestedAt !== null)
    return false;
  if (printOrder.printAgainAt !== null) return false;
  if (!isIn(printOrder.state, 'unordered')) return false;
  if (printOrder.submitWay === 'draft') return printOrder.confirmedAt === null;
  return attempts.every(({ outcome }) => outcome !== null && HARMLESS.has(outcome));
}

/** Whether its units are planned, printed or shipped: it is neither over nor replaced by another print order. */
export function isInEffect({ fencedAt, printAgainAt, state }: PrintOrder): boolean {
  return fencedAt === null && printAgainAt === null && !isOver(state);
}

/** Whether nothing is left to submit under this reference. */
export function isSubmitted(printOrder: PrintOrder): boolean {
  if (printOrder.fencedAt !== null) return true;
  if (printOrder.closedAt !== null || printOrder.cancelRequestedAt !== null) return false;
  if (isHeldDraft(printOrder)) return false;
  // Held without an answer: the search continues. A held draft is confirmed only when someone says so.
  if (printOrder.state === 'held')
    return printOrder.submitWay === 'draft' || printOrder.confirmStartedAt === null || printOrder.confirmedAt !== null;
  return printOrder.state !== 'quoted' && !isIn(printOrder.state, 'sending');
}

/** Whether its draft is held, and someone may release it in the dashboard of the print service. */
export function isHeldDraft({ state, submitWay, serviceOrderId, confirmedAt }: PrintOrder): boolean {
  return state === 'held' && submitWay === 'draft' && serviceOrderId !== null && confirmedAt === null;
}

/** Whether it was ordered at the print service, or still may be. */
export function mayCost({ confirmedAt, closedAt, fencedAt, state }: PrintOrder): boolean {
  if (confirmedAt !== null) return true;
  return closedAt === null && fencedAt === null && state !== 'canceled' && state !== 'failed';
}

/** Whether it was sent to the test host of the earlier interface, which has its own keys. */
export function isAtTestHost({ printInterface, legacyHost }: PrintOrder): boolean {
  return printInterface !== 'current' && legacyHost === 'test';
}
