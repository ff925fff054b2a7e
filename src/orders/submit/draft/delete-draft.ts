import { ServiceOrders } from '../../../database/entities/print-orders.ts';
import { PrintServiceError } from '../../../print/errors.ts';
import type { SubmitScope } from '../submit-scope.ts';

/**
 * Deletes a draft. 'deleted' is final: no late request can turn the draft into an order. 'not_found' proves nothing: the draft may be
 * deleted, or the service may not show it yet. 'is_order' means that the service refused because the draft has become an order. Throws
 * PrintServiceError if the outcome is unclear.
 */
export async function deleteOneDraft(
  { app, port, account }: SubmitScope,
  serviceOrderId: string,
): Promise<'deleted' | 'not_found' | 'is_order'> {
  // An interface without drafts has only orders.
  if (port.deleteDraft === 'unsupported') return 'is_order';
  try {
    await port.deleteDraft(serviceOrderId);
  } catch (error) {
    if (!(error instanceof PrintServiceError)) throw error;
    if (error.outcome === 'not_found') return 'not_found';
    if (error.outcome === 'refused') return 'is_order';
    throw error;
  }
  await app.db.manager.update(
    ServiceOrders,
    { printAccountId: account.id, serviceOrderId },
    { deletedAt: app.clock.now() },
  );
  return 'deleted';
}
