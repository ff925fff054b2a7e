import { PrintServiceError } from '../print/errors.ts';
import type { FoundOrder } from '../print/port.ts';
import { adoptOrder } from './adopt-order.ts';
import { deleteOneDraft } from './delete-draft.ts';
import { finishFence } from './fence-print-order.ts';
import { holdPrintOrder } from './hold-print-order.ts';
import { isLongGone } from './is-long-gone.ts';
import { isLive, lookForOrders } from './look-for-orders.ts';
import { readAttempts, tryAgainIn, type SubmitScope } from './submit-scope.ts';

/**
 * Cancels a print order (created-once page, "Cancellation"): the chosen draft is deleted first, also while a confirm may be
 * under way; what is an order goes to the cancel call; it is over only when a search shows nothing live.
 */
export async function cancelPrintOrder(scope: SubmitScope): Promise<void> {
  const { app, printOrder } = scope;
  if (printOrder.submitWay === 'direct' && (await isUnsettled(scope))) return tryAgainIn(scope, 15);
  const { serviceOrderId } = printOrder;
  const isDeleted =
    serviceOrderId !== null &&
    printOrder.submitWay === 'draft' &&
    (await deleteOneDraft(scope, serviceOrderId)) === 'deleted';
  const look = await lookForOrders(scope);
  for (const draft of look.drafts) await deleteOneDraft(scope, draft.id);
  const live = look.groups.filter(isLive);
  for (const group of live) {
    const refusal = await cancelGroup(scope, group);
    if (refusal !== null) return keepPrinting(scope, group, refusal);
  }
  const ageSeconds = (app.now().getTime() - (printOrder.cancelRequestedAt ?? app.now()).getTime()) / 1000;
  const [shown] = live;
  if (shown && ageSeconds > app.config.print.submitQuietSeconds)
    return keepPrinting(scope, shown, 'the print service said that it cancelled it, and goes on');
  if (live.length > 0 || look.drafts.length > 0) return tryAgainIn(scope, Math.min(60, Math.max(2, ageSeconds / 4)));
  // An order that is known and not shown: the search lags, and nothing is proven yet.
  const isShown = look.groups.some((group) => group.some(({ id }) => id === serviceOrderId));
  if (serviceOrderId !== null && !isDeleted && !isShown && !(await isLongGone(scope))) return tryAgainIn(scope, 5);
  await app.db.transaction((manager) => finishFence(scope, manager, 'cancelled in the store'));
}

/** Directly, an answer that is outstanding is settled first: the order may still appear. */
async function isUnsettled(scope: SubmitScope): Promise<boolean> {
  if (scope.printOrder.confirmedAt !== null) return false;
  const attempts = await readAttempts(scope);
  const quietMs = scope.app.config.print.submitQuietSeconds * 1000;
  const last = attempts.findLast(({ outcome }) => outcome === null || outcome === 'unclear');
  return last !== undefined && scope.app.now().getTime() - last.begunAt.getTime() < quietMs;
}

/** The cancel call for each part; why not, when the service says that it is too late, or has no such call. */
async function cancelGroup({ port }: SubmitScope, group: FoundOrder[]): Promise<string | null> {
  if (port.cancel === 'unsupported') return 'this interface of the print service has no call to cancel it';
  for (const { id, fulfillmentStatus } of group) {
    if (fulfillmentStatus === 'canceled') continue;
    try {
      await port.cancel(id);
    } catch (error) {
      if (!(error instanceof PrintServiceError)) throw error;
      if (error.outcome === 'refused') return 'the print service is already printing it';
      if (error.outcome === 'not_found')
        return 'the print service does not know it under this reference, or has no call to cancel it';
      throw error;
    }
  }
  return null;
}

async function keepPrinting(scope: SubmitScope, group: FoundOrder[], why: string): Promise<void> {
  const { app, printOrder } = scope;
  if (printOrder.confirmedAt === null) {
    await adoptOrder(scope, group, {
      kind: 'adopted',
      message: `${printOrder.reference} is at the print service already.`,
    });
  }
  const message = `The order was cancelled in the store, but ${why}.`;
  await app.db.transaction((manager) =>
    holdPrintOrder(manager, scope.printOrder, { code: 'cannot_cancel', message }, { cancelRequestedAt: null }),
  );
}
