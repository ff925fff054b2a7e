import { PrintOrders, type PrintOrder } from '../database/entities/print-orders.ts';
import { mustReportProgress } from '../orders/store-view/must-report-progress.ts';
import { writeTimeline } from '../orders/record/write-timeline.ts';
import { ShopifyError } from '../shopify/admin/errors.ts';
import { readSupportedActions } from '../shopify/calls/fulfillment-orders.ts';
import { reportProgress } from '../shopify/calls/fulfillment-requests.ts';
import type { UpdateScope } from './update-scope.ts';

/**
 * If a fulfillment order is open at a merchant's location, reports to the store once per print order that printing has started. At Platen's
 * own location, the fulfillment order has been in progress since the plan accepted it. Throws ShopifyError.
 */
export async function reportPrinting(scope: UpdateScope): Promise<void> {
  for (const printOrder of scope.printOrders) {
    if (mustReportProgress(printOrder)) await reportPrintOrderProgress(scope, printOrder);
  }
}

async function reportPrintOrderProgress(scope: UpdateScope, printOrder: PrintOrder): Promise<void> {
  const admin = await scope.admin();
  const { shopifyFulfillmentOrderId: id, reference } = printOrder;
  const fulfillmentOrder = await readSupportedActions(admin, id);
  // Progress on a held or scheduled fulfillment order may be reported later.
  if (fulfillmentOrder?.status === 'ON_HOLD' || fulfillmentOrder?.status === 'SCHEDULED') return;
  const mayReport =
    fulfillmentOrder?.status === 'OPEN' &&
    fulfillmentOrder.supportedActions.some(({ action }) => action === 'REPORT_PROGRESS');
  if (!mayReport) return recordReport(scope, printOrder, null);
  const message = `Printing has started (${reference}).`;
  try {
    await reportProgress(admin, id, message);
  } catch (error) {
    if (!(error instanceof ShopifyError) || error.kind !== 'user_error') throw error;
    const refused = 'The store did not accept the report that printing has started.';
    return recordReport(scope, printOrder, { kind: 'progress_refused', message: refused });
  }
  await recordReport(scope, printOrder, { kind: 'progress_reported', message: `Reported to the store: ${message}` });
}

/** Records that progress was reported, so that it is not reported again, regardless of the store's response. */
async function recordReport(
  { app }: UpdateScope,
  printOrder: PrintOrder,
  entry: { kind: string; message: string } | null,
): Promise<void> {
  const { id, shopId, storefrontOrderId, shopifyFulfillmentOrderId } = printOrder;
  await app.db.transaction(async (manager) => {
    await manager.update(PrintOrders, { id }, { progressReportedAt: app.clock.now() });
    const about = { shopId, storefrontOrderId, printOrderId: id, data: { shopifyFulfillmentOrderId } };
    if (entry) await writeTimeline(manager, { ...about, ...entry });
  });
}
