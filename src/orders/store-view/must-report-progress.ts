import type { PrintOrder } from '../../database/entities/print-orders.ts';

/** Returns whether Platen must still report to the store that printing has started. */
export function mustReportProgress({ state, progressReportedAt, fencedAt }: PrintOrder): boolean {
  return state === 'in_production' && progressReportedAt === null && fencedAt === null;
}
