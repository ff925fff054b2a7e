import { Refusal } from '../../refusal.ts';
import { findOrder, type StandIn } from '../stand-in.ts';

/**
 * Deletes a draft for `DELETE /v4/orders/{orderId}` (docs/rules/print-interface.md#delete-draft), or for a person who uses the dashboard
 * (null account). The draft remains in the books, marked as deleted. Throws a `Refusal`: 409 for an order.
 */
export function deleteDraft(standIn: StandIn, account: string | null, orderId: string): void {
  const record = findOrder(standIn, account, orderId);
  if (record.order.orderType !== 'draft') {
    throw new Refusal(409, 'order_not_draft', 'Only orders of type draft can be deleted.');
  }
  standIn.books.put('orders', orderId, { ...record, deleted: true });
}
