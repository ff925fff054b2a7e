import { IsNull, Not } from 'typeorm';
import { Holds } from '../database/entities/orders.ts';
import { Packages } from '../database/entities/packages.ts';
import type { PrintOrder } from '../database/entities/print-orders.ts';
import { recordResolvedHold, openHold } from '../orders/record/hold-print-order.ts';
import { describeTrackingCodes } from '../orders/facts/describe-tracking-codes.ts';
import { writeTimeline } from '../orders/record/write-timeline.ts';
import type { ShopifyError } from '../shopify/admin/errors.ts';
import { toOrderColumns } from '../orders/record/to-order-columns.ts';
import type { PushScope } from './push-scope.ts';
import type { Tracking } from './store-fulfillments.ts';

const CODE = 'fulfillment_refused';

/**
 * Opens a hold on a print order whose fulfillment the store refuses. The print order's state does not change, because its items are printed
 * and shipped, and its packages are pushed again later. Only the hold contains the store's own message.
 */
export async function holdRefusedPush(
  { app, order }: PushScope,
  printOrder: PrintOrder,
  refusal: { field: string | null; message: string },
): Promise<void> {
  await order.change(async (manager) => {
    const waiting = { printOrderId: printOrder.id, pushedAt: IsNull(), confirmedAt: Not(IsNull()) };
    await manager.update(Packages, waiting, { refusedAt: app.clock.now() });
    const open = { printOrderId: printOrder.id, code: CODE, resolvedAt: IsNull() };
    const { affected } = await manager.update(Holds, open, refusal);
    if (affected) return;
    await openHold(manager, printOrder, { code: CODE, ...refusal });
    await writeTimeline(manager, {
      ...toOrderColumns(printOrder),
      kind: 'held',
      message: `${printOrder.reference} is held: the store does not accept its fulfillment.`,
      data: { code: CODE, field: refusal.field },
    });
  });
}

/** Describes the store's refusal of a fulfillment with these tracking codes. */
export function toRefusal(
  { userErrors, message }: ShopifyError,
  tracking: readonly Tracking[],
): { field: string | null; message: string } {
  const [first] = userErrors;
  const sentences = userErrors.map((error) => error.message).join(' ');
  const codes = describeTrackingCodes(tracking.map(({ number }) => number));
  return {
    field: first?.field ?? null,
    message: `The store refused the fulfillment with ${codes}: ${sentences || message}`,
  };
}

/** Resolves the hold that `holdRefusedPush` opened, once the print order's packages need no further action. */
export async function resolveRefusedPush({ app, order }: PushScope, printOrder: PrintOrder): Promise<void> {
  await order.change(async (manager) => {
    const where = { printOrderId: printOrder.id, code: CODE, resolvedAt: IsNull() };
    const { affected } = await manager.update(Holds, where, { resolvedAt: app.clock.now() });
    if (affected === 0) return;
    const message = `No longer held: all shipped items of ${printOrder.reference} are fulfilled in the store.`;
    await recordResolvedHold(manager, { ...toOrderColumns(printOrder), code: CODE, message });
  });
}
