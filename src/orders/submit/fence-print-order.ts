import type { EntityManager } from 'typeorm';
import { PrintOrders } from '../../database/entities/print-orders.ts';
import { changeState } from '../record/change-state.ts';
import { deleteOneDraft } from './draft/delete-draft.ts';
import { resolveAllHolds } from '../record/hold-print-order.ts';
import { isLive } from '../facts/found-orders.ts';
import { searchForOrders } from './search-for-orders.ts';
import { enqueuePlan } from '../enqueue/enqueue-plan.ts';
import { isPermanentlyGone } from './is-permanently-gone.ts';
import { removePrintedLines } from './printed-lines.ts';
import { settleFromSearch } from './settle-from-search.ts';
import { enqueueSweepIfNeeded } from './draft/sweep-drafts.ts';
import { waitToSubmit, type SubmitScope } from './submit-scope.ts';

const NOT_PROVEN = 'The print service does not yet show whether any part of the closed print order is still there.';

/**
 * Proves that nothing under a closed reference is live or can become live, so that another reference may replace it. Deletes the chosen
 * draft, searches for orders and deletes any drafts that the search finds. If the search finds an order, that order is adopted.
 */
export async function fencePrintOrder(scope: SubmitScope): Promise<void> {
  const { printOrder } = scope;
  const { serviceOrderId } = printOrder;
  const chosen = serviceOrderId === null ? null : await deleteOneDraft(scope, serviceOrderId);
  const search = await searchForOrders(scope);
  // If someone has requested a reprint, the previous order has ended at the service. Only a live order then prevents the fence.
  const isAgain = printOrder.closedReason === 'print_again';
  if (isAgain ? search.groups.some(isLive) : search.groups.length > 0) {
    await settleFromSearch(scope, search);
    return;
  }
  for (const draft of search.drafts) await deleteOneDraft(scope, draft.id);
  // If the service did not delete the chosen draft, the draft may have become an order that the search does not show yet, so nothing is
  // proven.
  const isShownOver = search.groups.some((group) => group.some(({ id }) => id === serviceOrderId));
  const isProven = chosen === null || chosen === 'deleted' || isShownOver || (await isPermanentlyGone(scope));
  if (!isProven) return waitToSubmit(scope, { why: NOT_PROVEN, seconds: 5 });
  await scope.order.change((manager) => finishFence(scope, manager, printOrder.closedReason ?? 'closed'));
}

/** Closes a reference permanently in the caller's transaction. Its units can then be planned again. */
export async function finishFence(scope: SubmitScope, manager: EntityManager, why: string): Promise<void> {
  const { app, printOrder, lines } = scope;
  const current = await manager.findOneOrFail(PrintOrders, {
    where: { id: printOrder.id },
    lock: { mode: 'for_no_key_update' },
  });
  if (current.fencedAt !== null) return;
  if (current.confirmStartedAt !== null) await removePrintedLines(manager, lines);
  const now = app.clock.now();
  await changeState(manager, scope.printOrder, {
    to: 'canceled',
    kind: 'fenced',
    message: `${current.reference} is closed. Nothing is left of it at the print service.`,
    data: { why },
    set: { fencedAt: now, closedAt: current.closedAt ?? now, closedReason: current.closedReason ?? why },
  });
  await resolveAllHolds(manager, current.id, now);
  await enqueueSweepIfNeeded(app, manager, current);
  await enqueuePlan(manager, current.storefrontOrderId);
}
