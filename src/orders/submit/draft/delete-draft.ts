import { ServiceOrders } from '../../../database/entities/print-orders.ts';
import { PrintServiceError } from '../../../print/errors.ts';
import type { SubmitScope } from '../submit-scope.ts';

/**
 * Deletes a draft. 'deleted' is final: no late call can make an order of it. 'not_found' proves nothing: it is gone or not shown yet.
 * 'is_order': the service refused, since it is an order. Throws PrintServiceError when the answer is unclear.
 */
export async function deleteOneDraft(
  { app, port, account }: SubmitScope,
  serviceOrderId: string,
): Promise<'deleted' | 'not_found' | 'is_order'> {
  // In an interface without drafts, it is an order.
  if (port.deleteDraft === 'unsupported') return 'is_order';
  try {
    await port.deleteDraft(serviceOrderId);
  } catch (error) {
    if (!(error instanceof PrintServiceError)) throw error;
    if (error.outcome === 'not_found') return 'not_found';
    if (error.outcome === 'refused') return 'is_order';
    throw error;
  }
  await app.db.manager.update(ServiceOrders, { printAccountId: account.id, serviceOrderId }, { deletedAt: app.now() });
  return 'deleted';
}
