import type { PrintOrder } from '../../database/entities/print-orders.ts';

/** What entries of the timeline and holds are about. */
export function about({ id, shopId, storefrontOrderId }: PrintOrder) {
  return { shopId, storefrontOrderId, printOrderId: id };
}
