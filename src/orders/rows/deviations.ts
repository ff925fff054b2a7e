import type { EntityManager } from 'typeorm';
import { Deviations, PrintOrders, type Deviation } from '../../database/entities/print-orders.ts';

/** The deviation of a print order without a row. */
const NONE: Omit<Deviation, 'printOrderId'> = {
  releasedAt: null,
  draftEdit: null,
  acceptedDraftEdit: null,
  cancelRefusedAt: null,
  cancelRefusedWhy: null,
  presentChange: null,
  acceptedChange: null,
};

/** Returns a print order's deviation from the rows of several print orders. All fields are null if the print order has no row. */
export function findDeviation(rows: readonly Deviation[], printOrderId: string): Deviation {
  return rows.find((row) => row.printOrderId === printOrderId) ?? { printOrderId, ...NONE };
}

/** Reads a print order's deviation. All fields are null if the print order has no row. */
export async function readDeviation(manager: EntityManager, printOrderId: string): Promise<Deviation> {
  return findDeviation(await manager.findBy(Deviations, { printOrderId }), printOrderId);
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
