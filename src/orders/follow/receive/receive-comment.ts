import type { EntityManager } from 'typeorm';
import { StorefrontOrders } from '../../../database/entities/orders.ts';
import { PrintOrderLines, PrintOrders, type PrintOrder } from '../../../database/entities/print-orders.ts';
import { cleanComment, toServiceHold } from '../../facts/service-trouble.ts';

/** A status that an event reports for an order (`itemReferenceId` null) or for one of its items. */
interface ReportedStatus {
  itemReferenceId: string | null;
  status: string;
  comment: string | null;
}

/**
 * Keeps the service's comment on a status that needs the merchant. It comes only by unsigned events, so it is shown only while the
 * service itself answers that status, and has no other effect.
 */
export async function receiveComment(
  manager: EntityManager,
  { id, storefrontOrderId }: Pick<PrintOrder, 'id' | 'storefrontOrderId'>,
  { itemReferenceId, status, comment }: ReportedStatus,
): Promise<void> {
  if (toServiceHold(status) === null) return;
  const { redactedAt } = await manager.findOneByOrFail(StorefrontOrders, { id: storefrontOrderId });
  const words = { serviceComment: redactedAt === null ? cleanComment(comment) : null, serviceCommentStatus: status };
  if (itemReferenceId === null) await manager.update(PrintOrders, { id }, words);
  else await manager.update(PrintOrderLines, { printOrderId: id, itemReferenceId }, words);
}
