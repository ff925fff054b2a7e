import type { EntityManager } from 'typeorm';
import { type PrintOrderDifference, PrintOrderDifferences } from '../../database/entities/print-orders.ts';

export type Difference = Omit<PrintOrderDifference, 'printOrderId'>;

/** Used for the many print orders without a row. */
export const NO_DIFFERENCE: Difference = {
  draftEdit: null,
  acceptedDraftEdit: null,
  orderChange: null,
  acceptedOrderChange: null,
};

export async function readDifference(manager: EntityManager, printOrderId: string): Promise<Difference> {
  return (await manager.findOneBy(PrintOrderDifferences, { printOrderId })) ?? NO_DIFFERENCE;
}

export async function writeDifference(
  manager: EntityManager,
  printOrderId: string,
  set: Partial<Difference>,
): Promise<void> {
  await manager.upsert(PrintOrderDifferences, { printOrderId, ...set }, ['printOrderId']);
}
