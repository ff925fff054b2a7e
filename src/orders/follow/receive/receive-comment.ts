import type { EntityManager } from 'typeorm';
import { StorefrontOrders } from '../../../database/entities/orders.ts';
import { PrintOrderLines, type PrintOrder, ServiceComments } from '../../../database/entities/print-orders.ts';
import { cleanComment, toServiceHoldCode } from '../../facts/service-trouble.ts';

/** A status that an event reports for an order (`itemReferenceId` null) or for one of its items. */
interface ReportedStatus {
  itemReferenceId: string | null;
  status: string;
  comment: string | null;
}

/**
 * Stores the service's comment on a status that requires action from the merchant. Comments come only from unsigned events, so a comment
 * has no other effect and is shown only while the service itself returns that status.
 */
export async function receiveComment(
  manager: EntityManager,
  { id, storefrontOrderId }: Pick<PrintOrder, 'id' | 'storefrontOrderId'>,
  { itemReferenceId, status, comment }: ReportedStatus,
): Promise<void> {
  if (toServiceHoldCode(status) === null) return;
  const { redactedAt } = await manager.findOneByOrFail(StorefrontOrders, { id: storefrontOrderId });
  const words = redactedAt === null ? cleanComment(comment) : null;
  const about = { printOrderId: id, itemReferenceId: itemReferenceId ?? '' };
  if (words === null) await manager.delete(ServiceComments, about);
  else if (itemReferenceId === null || (await manager.existsBy(PrintOrderLines, about)))
    await manager.upsert(ServiceComments, { ...about, status, comment: words }, ['printOrderId', 'itemReferenceId']);
}

/** Returns a print order's comments on a status, by item reference. An empty key identifies a comment on the whole order. */
export async function readComments(
  manager: EntityManager,
  printOrderId: string,
  status: string,
): Promise<Map<string, string>> {
  const rows = await manager.findBy(ServiceComments, { printOrderId, status });
  return new Map(rows.map(({ itemReferenceId, comment }) => [itemReferenceId, comment]));
}
