import type { PrintOrder } from '../../database/entities/print-orders.ts';

/** Whether the store does not yet show that printing has started. */
export function isToReport({ state, progressReportedAt, fencedAt }: PrintOrder): boolean {
  return state === 'in_production' && progressReportedAt === null && fencedAt === null;
}
