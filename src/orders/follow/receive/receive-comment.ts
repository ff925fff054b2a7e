import type { EntityManager } from 'typeorm';
import { StorefrontOrders } from '../../../database/entities/orders.ts';
import { PrintOrderLines, PrintOrders, type PrintOrder } from '../../../database/entities/print-orders.ts';
import { cleanComment, toServiceHold } from '../../facts/service-trouble.ts';

/** What an event says of an order (`itemReferenceId` null) or of one of its items. */
interface ToldStatus {
  itemReferenceId: string | null;
  status: string;
  comment: string | null;
}

/**
 * Keeps the service's words on a status that needs a person. They come by event alone, which nobody signs: they are shown while the
 * service itself answers that status, and nothing else follows from them.
 */
export async function receiveComment(
  manager: EntityManager,
  { id, storefrontOrderId }: Pick<PrintOrder, 'id' | 'storefrontOrderId'>,
  { itemReferenceId, status, comment }: ToldStatus,
): Promise<void> {
  if (toServiceHold(status) === null) return;
  const { redactedAt } = await manager.findOneByOrFail(StorefrontOrders, { id: storefrontOrderId });
  const words = { serviceComment: redactedAt === null ? cleanComment(comment) : null, serviceCommentStatus: status };
  if (itemReferenceId === null) await manager.update(PrintOrders, { id }, words);
  else await manager.update(PrintOrderLines, { printOrderId: id, itemReferenceId }, words);
}
