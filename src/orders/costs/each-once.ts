import type { PrintReceipt } from '../../database/costs.ts';

/** The receipts of one print order, each once: several of its orders at the service may show the same one. The last given stands. */
export function eachOnce(receipts: readonly PrintReceipt[]): PrintReceipt[] {
  return [...new Map(receipts.map((receipt) => [receipt.receiptId, receipt])).values()];
}
