import type { PrintOrder } from '../../database/entities/print-orders.ts';

/** Whether the store still has to show that the printing of a print order has begun. */
export function isToReport({ state, progressReportedAt, fencedAt }: PrintOrder): boolean {
  return state === 'in_production' && progressReportedAt === null && fencedAt === null;
}
