import { IsNull } from 'typeorm';
import { PrintOrders, ServiceOrders, type SubmitAttempt } from '../../../database/entities/print-orders.ts';
import { insertIfNew } from '../../../database/insert-if-new.ts';
import { PrintServiceError } from '../../../print/errors.ts';
import type { PortOrder } from '../../../print/port.ts';
import { markPaymentAccepted } from '../../../shops/print-account/print-account.ts';
import { saveServiceOrders, readOrder } from './adopt-order.ts';
import { requeuePrintOrder } from '../requeue-print-order.ts';
import { beginAttempt, endAttempt, endAttemptLater } from '../begin-attempt.ts';
import { confirmDraft } from './confirm-draft.ts';
import { isDraft } from '../../facts/found-orders.ts';
import { type OrderSearch, searchForOrders } from '../search-for-orders.ts';
import { decryptBody } from '../../facts/recipient-column.ts';
import { deleteOneDraft } from './delete-draft.ts';
import { deleteUnknownDraft, UNKNOWN_DRAFT_DELETED, unknownDraftsQuietSeconds } from './delete-unknown-draft.ts';
import { settleFromSearch } from '../settle-from-search.ts';
import { readAttempts, refreshPrintOrder, waitToSubmit, type SubmitScope } from '../submit-scope.ts';
import { formatServiceMessage, toFieldName } from '../../waits/describe-failure.ts';

const UNCLEAR = 'The print service did not report whether it created the draft of this order.';
const NO_DRAFT =
  'The print service lists a draft under this reference but does not delete it. The draft may already be an order.';

/**
 * Submits a print order through a draft: searches, creates a draft, chooses it and confirms it (docs/rules/created-once.md#draft-first).
 */
export async function submitDraft(scope: SubmitScope): Promise<void> {
  const search = await searchForOrders(scope);
  // The draft may be from an attempt that another worker began after the rows were read, so the rows are read again.
  if (search.drafts.length > 0) await scope.order.reload();
  const attempts = await readAttempts(scope);
  if (await settleFromSearch(scope, search)) return;
  if (scope.printOrder.serviceOrderId !== null) return confirmDraft(scope);
  const mine = await findOwnDraft(scope, search, attempts);
  if (mine === 'again') return waitToSubmit(scope, { why: NO_DRAFT, seconds: 1 });
  const quietSeconds = await unknownDraftsQuietSeconds(scope);
  if (quietSeconds > 0)
    return waitToSubmit(scope, { why: UNKNOWN_DRAFT_DELETED, seconds: quietSeconds, isExact: true });
  const draft = mine ?? (await prepareDraft(scope));
  const shown = draft && { order: draft, at: scope.app.clock.ticks() };
  if (shown && (await chooseDraft(scope, shown.order))) await confirmDraft(scope, shown);
}

/** Finds a draft that a recorded attempt created and that Order Get shows. Deletes drafts without a recorded attempt. */
async function findOwnDraft(
  scope: SubmitScope,
  search: OrderSearch,
  attempts: SubmitAttempt[],
): Promise<PortOrder | null | 'again'> {
  const begun = attempts.filter(
    ({ orderType, outcome }) =>
      orderType === 'draft' && outcome !== 'nothing_made' && outcome !== 'refused' && outcome !== 'account_refused',
  );
  const known = new Set(attempts.flatMap(({ serviceOrderId }) => (serviceOrderId === null ? [] : [serviceOrderId])));
  const mayBeOurs = begun.some(({ serviceOrderId }) => serviceOrderId === null);
  for (const draft of search.drafts) {
    if (known.has(draft.id) || mayBeOurs) {
      const order = await readOrder(scope, draft.id);
      if (order && isDraft(order)) return order;
      continue;
    }
    // If a draft has no attempt row, the restored database is older than the draft.
    if ((await deleteUnknownDraft(scope, draft.id)) === 'is_order') return 'again';
  }
  return null;
}

/** Creates a draft after committing its attempt row. Returns null if the step cannot continue now. */
async function prepareDraft(scope: SubmitScope): Promise<PortOrder | null> {
  const { app, printOrder, port, account } = scope;
  const body = decryptBody(app, printOrder);
  const attempt = await beginAttempt(scope, 'draft', async () => ({}));
  if (!attempt) return null;
  try {
    const order = await port.create(body, { orderType: 'draft' });
    endAttemptLater(scope, attempt, order);
    // If the draft stays a draft, no later payment ends the account's pause.
    if (account.paymentRefusedAt !== null)
      await markPaymentAccepted(app, app.db.manager, account.id, { isCharged: false });
    return order;
  } catch (error) {
    if (!(error instanceof PrintServiceError)) throw error;
    await endAttempt(scope, attempt, { error });
    const field = toFieldName(error.unreadField);
    if (error.outcome === 'unclear')
      await waitToSubmit(scope, { why: UNCLEAR, words: formatServiceMessage(error), field });
    else await requeuePrintOrder(scope, error);
    return null;
  }
}

/**
 * Commits the draft's ID by compare-and-set, so that only this draft can become an order. If another worker has already chosen a draft,
 * deletes this worker's draft.
 */
async function chooseDraft(scope: SubmitScope, draft: PortOrder): Promise<boolean> {
  const { printOrder } = scope;
  const chosen = await scope.order.change(async (manager) => {
    const { affected } = await manager.update(
      PrintOrders,
      { id: printOrder.id, serviceOrderId: IsNull(), closedAt: IsNull(), cancelRequestedAt: IsNull() },
      { serviceOrderId: draft.id },
    );
    if (affected === 1) await saveServiceOrders(scope, manager, draft, [draft]);
    else
      await insertIfNew(await manager.begin(), ServiceOrders, {
        printOrderId: printOrder.id,
        printAccountId: scope.account.id,
        serviceOrderId: draft.id,
        role: 'spare',
        orderType: 'draft',
      });
    return affected === 1;
  });
  const current = await refreshPrintOrder(scope);
  if (chosen || current.serviceOrderId === draft.id) return true;
  await deleteOneDraft(scope, draft.id);
  return false;
}
