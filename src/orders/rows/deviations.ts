import type { EntityManager } from 'typeorm';
import { Deviations, PrintOrders, type Deviation } from '../../database/entities/print-orders.ts';

/** Reads a print order's deviation. Returns null if the print order has none. */
export function readDeviation(manager: EntityManager, printOrderId: string): Promise<Deviation | null> {
  return manager.findOneBy(Deviations, { printOrderId });
}

/**
 * Changes the given parts of a print order's deviation, and creates its row if necessary. Also changes the print order's row, so that other
 * sessions notice the change.
 */
export async function writeDeviation(
  manager: EntityManager,
  printOrderId: string,
  set: Partial<Omit<Deviation, 'printOrderId'>>,
  now: Date,
): Promise<void> {
  await manager.upsert(Deviations, { printOrderId, ...set }, ['printOrderId']);
  await manager.update(PrintOrders, { id: printOrderId }, { updatedAt: now });
}
