import type { PrintOrder } from '../../database/entities/print-orders.ts';

/** Columns that link timeline entries and holds to a print order. */
export function toOrderColumns({ id, shopId, storefrontOrderId }: PrintOrder) {
  return { shopId, storefrontOrderId, printOrderId: id };
}
