import { PrintOrders } from '../../database/entities/print-orders.ts';
import { changeState } from '../record/change-state.ts';
import { enqueueSubmit } from '../enqueue/enqueue-submit.ts';
import { type SubmitScope, readAttempts } from './submit-scope.ts';
import { writeTimeline } from '../record/write-timeline.ts';
import { enqueueQuote } from '../enqueue/enqueue-quote.ts';

/** Why a quote is no longer used. */
const WHY = {
  promise_over: "the print service's offer has expired",
  method_gone: "the print service no longer offers the quote's shipping method",
} as const;

/**
 * Replaces a quote that is no longer valid. If no create request was sent under the print order's reference, the print order is quoted
 * again. Otherwise, the reference is closed and fenced, and the next plan creates a successor (docs/rules/created-once.md#parts).
 */
export async function requote(scope: SubmitScope, reason: keyof typeof WHY): Promise<void> {
  const { app, printOrder } = scope;
  const { id: printOrderId, shopId, storefrontOrderId, reference } = printOrder;
  const hasAttempts = (await readAttempts(scope)).length > 0;
  await scope.order.change(async (manager) => {
    if (hasAttempts) {
      await manager.update(PrintOrders, { id: printOrderId }, { closedAt: app.clock.now(), closedReason: reason });
      const message = `${reference} is closed: ${WHY[reason]}. Platen requests a new quote.`;
      await writeTimeline(manager, { shopId, storefrontOrderId, printOrderId, kind: 'closed', message });
      return enqueueSubmit(manager, printOrder);
    }
    const message = `${reference}: ${WHY[reason]}. Platen requests a new quote.`;
    await changeState(manager, printOrder, { to: 'planned', kind: 'quoted_anew', message });
    await enqueueQuote(manager, storefrontOrderId);
  });
}
