import { ServiceOrders } from '../../../database/entities/print-orders.ts';
import { insertIfNew } from '../../../database/insert-if-new.ts';
import { deleteOneDraft } from './delete-draft.ts';
import { readAttempts, type SubmitScope } from '../submit-scope.ts';

export const UNKNOWN_DRAFT_DELETED =
  'The print service had an unknown draft. Platen deleted it and is waiting until no other draft can appear.';

/**
 * Deletes a draft that has no recorded attempt because the restored database is older than the draft (docs/rules/created-once.md#search).
 * Records the time of the deletion, so that nothing is created for the print order until the quiet time has passed. Throws
 * PrintServiceError.
 */
export async function deleteUnknownDraft(
  scope: SubmitScope,
  serviceOrderId: string,
): Promise<'deleted' | 'not_found' | 'is_order'> {
  const { app, printOrder, account } = scope;
  const row = { printOrderId: printOrder.id, printAccountId: account.id, serviceOrderId, orderType: 'draft' };
  await insertIfNew(app.db.manager, ServiceOrders, { ...row, role: 'spare', seenAt: app.clock.now() });
  await scope.order.reload();
  return deleteOneDraft(scope, serviceOrderId);
}

/** Returns the number of seconds until the quiet time after the last unknown draft ends, or 0 if there was no such draft. */
export async function unknownDraftsQuietSeconds(scope: SubmitScope): Promise<number> {
  const { app, order, printOrder } = scope;
  const spares = await order.reader.findBy(ServiceOrders, { printOrderId: printOrder.id, role: 'spare' });
  const known = new Set((await readAttempts(scope)).map(({ serviceOrderId }) => serviceOrderId));
  const unknown = spares.filter(({ serviceOrderId }) => !known.has(serviceOrderId));
  const lastMs = Math.max(0, ...unknown.map(({ seenAt }) => seenAt.getTime()));
  const quietMs = app.config.print.submitQuietSeconds * 1000;
  return Math.max(0, (lastMs + quietMs - app.clock.now().getTime()) / 1000);
}
