import type { Deviation, PrintOrder, SubmitAttempt } from '../../database/entities/print-orders.ts';
import { isStateIn } from './order-state.ts';
import { willNeverShip } from './service-trouble.ts';

/** A print order with its attempts to create it at the print service. */
interface Attempted {
  printOrder: PrintOrder;
  attempts: readonly Pick<SubmitAttempt, 'outcome'>[];
}

/** Returns whether a print order was or may have been sent to print, so that later changes in the store no longer affect it. */
export function isSent(printOrder: PrintOrder): boolean {
  const { state } = printOrder;
  return countsAsPrinted(printOrder) && !isClosing(printOrder) && state !== 'planned' && !isStateIn(state, 'ended');
}

/** Returns whether a print order's units count as printed, because the print order was sent and no reprint has replaced it. */
export function countsAsPrinted(printOrder: PrintOrder): boolean {
  return (printOrder.confirmStartedAt ?? printOrder.confirmedAt) !== null && !isSuperseded(printOrder);
}

/** Returns whether a print order's units no longer count, because it was fenced or a person requested a reprint. */
export function isSuperseded({ fencedAt, printAgainAt }: Pick<PrintOrder, 'fencedAt' | 'printAgainAt'>): boolean {
  return fencedAt !== null || printAgainAt !== null;
}

/** Returns whether a print order is closed or being canceled. */
export function isClosing({
  closedAt,
  cancelRequestedAt,
}: Pick<PrintOrder, 'closedAt' | 'cancelRequestedAt'>): boolean {
  return closedAt !== null || cancelRequestedAt !== null;
}

/** Returns whether the plan will replace a closed print order as soon as nothing live remains of it at the service. */
export function awaitsReplacement({ closedAt, fencedAt, confirmStartedAt }: PrintOrder): boolean {
  return closedAt !== null && fencedAt === null && confirmStartedAt === null;
}

/** Outcomes of create requests that certainly had no effect. */
export const HARMLESS_OUTCOMES = ['refused', 'account_refused', 'nothing_made', 'absent'] as const;

/** Returns whether another print order may replace a print order once its reference is fenced, because no part of it can be printed yet. */
export function isReplaceable({
  deviation,
  ...print
}: Attempted & { deviation: Pick<Deviation, 'draftEdit' | 'acceptedDraftEdit'> }): boolean {
  // A draft that someone has edited is not replaced.
  return isUnsent(print) && deviation.draftEdit === null && deviation.acceptedDraftEdit === null;
}

/** Returns whether no part of a print order can be printed yet, and it is neither closed nor being canceled. */
export function isUnsent({ printOrder, attempts }: Attempted): boolean {
  if (isClosing(printOrder) || printOrder.confirmStartedAt !== null) return false;
  if (printOrder.printAgainAt !== null) return false;
  if (!isStateIn(printOrder.state, 'unordered')) return false;
  if (printOrder.submitWay === 'draft') return printOrder.confirmedAt === null;
  return !attempts.some(mayHaveEffect);
}

/** Returns whether a create request may have taken effect. */
export function mayHaveEffect({ outcome }: Pick<SubmitAttempt, 'outcome'>): boolean {
  return outcome === null || !(HARMLESS_OUTCOMES as readonly string[]).includes(outcome);
}

/** Returns whether a print order's units are planned, printed or shipped. False if the print order failed, or was canceled or replaced. */
export function isInEffect(printOrder: Pick<PrintOrder, 'fencedAt' | 'printAgainAt' | 'state'>): boolean {
  return !isSuperseded(printOrder) && !willNeverShip(printOrder.state);
}

/** Returns whether at least one parcel of a print order has left. A push may fulfill a print order whose shipping was never reported. */
export function hasShipped({ state, shippedAt }: Pick<PrintOrder, 'state' | 'shippedAt'>): boolean {
  return shippedAt !== null || state === 'fulfilled';
}

/** Returns whether the submit step has nothing left to do for a print order. */
export function isSubmitted(printOrder: PrintOrder): boolean {
  if (printOrder.fencedAt !== null) return true;
  if (isClosing(printOrder)) return false;
  if (isHeldDraft(printOrder)) return false;
  // For a held print order with an unknown outcome, Platen continues to search. A held draft is confirmed only if someone decides to
  // confirm it.
  if (printOrder.state === 'held')
    return printOrder.submitWay === 'draft' || printOrder.confirmStartedAt === null || printOrder.confirmedAt !== null;
  return printOrder.state !== 'quoted' && !isStateIn(printOrder.state, 'sending');
}

/** Returns whether a print order's draft is held. Someone may release such a draft in the print service's dashboard. */
export function isHeldDraft({ state, submitWay, serviceOrderId, confirmedAt }: PrintOrder): boolean {
  return state === 'held' && submitWay === 'draft' && serviceOrderId !== null && confirmedAt === null;
}

/** Returns whether a print order was or may still be ordered at the print service. */
export function mayCost({
  confirmedAt,
  closedAt,
  fencedAt,
  state,
}: Pick<PrintOrder, 'confirmedAt' | 'closedAt' | 'fencedAt' | 'state'>): boolean {
  if (confirmedAt !== null) return true;
  return closedAt === null && fencedAt === null && !willNeverShip(state);
}

/** Returns whether a print order uses the test host of an earlier interface, which has separate keys. */
export function isAtTestHost({
  printInterface,
  legacyHost,
}: Pick<PrintOrder, 'printInterface' | 'legacyHost'>): boolean {
  return printInterface !== 'current' && legacyHost === 'test';
}
