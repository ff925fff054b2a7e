import { PrintOrders, type PrintOrder } from '../database/entities/print-orders.ts';
import { isToReport } from '../orders/store-view/to-report.ts';
import { writeTimeline } from '../orders/record/write-timeline.ts';
import { ShopifyError } from '../shopify/admin/errors.ts';
import { readActionsOf } from '../shopify/calls/fulfillment-orders.ts';
import { reportProgress } from '../shopify/calls/fulfillment-requests.ts';
import type { TellScope } from './tell-scope.ts';

/**
 * Tells the store once for each print order that printing has begun, where the fulfillment order can be told so: at a location of the
 * merchant, while it is open. One of our own location is in progress since it was accepted, so the plan has marked it. Throws ShopifyError.
 */
export async function reportPrinting(scope: TellScope): Promise<void> {
  for (const printOrder of scope.printOrders) {
    if (isToReport(printOrder)) await report(scope, printOrder);
  }
}

async function report(scope: TellScope, printOrder: PrintOrder): Promise<void> {
  const admin = await scope.admin();
  const { shopifyFulfillmentOrderId: id, reference } = printOrder;
  const fulfillmentOrder = await readActionsOf(admin, id);
  // What waits in the store may be told later.
  if (fulfillmentOrder?.status === 'ON_HOLD' || fulfillmentOrder?.status === 'SCHEDULED') return;
  const mayTell =
    fulfillmentOrder?.status === 'OPEN' &&
    fulfillmentOrder.supportedActions.some(({ action }) => action === 'REPORT_PROGRESS');
  if (!mayTell) return keep(scope, printOrder, null);
  const message = `Printing has begun (${reference}).`;
  try {
    await reportProgress(admin, id, message);
  } catch (error) {
    if (!(error instanceof ShopifyError) || error.kind !== 'user_error') throw error;
    const refused = 'The store did not take the news that printing has begun.';
    return keep(scope, printOrder, { kind: 'progress_refused', message: refused });
  }
  await keep(scope, printOrder, { kind: 'progress_reported', message: `The store is told: ${message}` });
}

/** Whatever the answer was, the store is not told again. */
async function keep(
  { app }: TellScope,
  printOrder: PrintOrder,
  entry: { kind: string; message: string } | null,
): Promise<void> {
  const { id, shopId, storefrontOrderId, shopifyFulfillmentOrderId } = printOrder;
  await app.db.transaction(async (manager) => {
    await manager.update(PrintOrders, { id }, { progressReportedAt: app.now() });
    const about = { shopId, storefrontOrderId, printOrderId: id, data: { shopifyFulfillmentOrderId } };
    if (entry) await writeTimeline(manager, { ...about, ...entry });
  });
}
