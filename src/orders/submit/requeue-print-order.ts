import { MoreThan } from 'typeorm';
import { PrintOrders } from '../../database/entities/print-orders.ts';
import type { PrintServiceError } from '../../print/errors.ts';
import { handlePrintError } from '../waits/handle-print-error.ts';
import { changeState } from '../record/change-state.ts';
import { requote } from './requote.ts';
import { enqueueSubmit } from '../enqueue/enqueue-submit.ts';
import type { SubmitScope } from './submit-scope.ts';

/**
 * If a predecessor was closed for the same reason within this time, the print order is held instead of being quoted again, so that someone
 * can check it.
 */
const ONCE_MS = 86_400_000;

/**
 * Resets a print order to its earlier state after a create request that created nothing. The error determines how the print order
 * continues.
 */
export async function requeuePrintOrder(scope: SubmitScope, error: PrintServiceError): Promise<void> {
  const { app, printOrder } = scope;
  if (await isMethodUnavailable(scope, error)) return requote(scope, 'method_gone');
  if (error.outcome !== 'refused' && error.outcome !== 'not_found') {
    await scope.order.change((manager) =>
      changeState(manager, printOrder, {
        to: 'quoted',
        kind: 'not_made',
        message: `${printOrder.reference}: nothing was created. Platen will try again.`,
        data: { outcome: error.outcome, status: error.status },
      }),
    );
  }
  await handlePrintError(app, printOrder, error, {
    step: 'submit',
    doing: 'send the order',
    refused: 'create_refused',
    again: (manager, runAt) => enqueueSubmit(manager, printOrder, runAt),
  });
}

/** Returns whether the create request was refused, for the first time, because of the quote's shipping method. */
async function isMethodUnavailable({ app, printOrder }: SubmitScope, error: PrintServiceError): Promise<boolean> {
  const paths = [error.field, ...error.details.map(({ field }) => field)];
  if (error.outcome !== 'refused' || !paths.some((path) => path?.endsWith('shipmentMethodUid'))) return false;
  const { storefrontOrderId, shopifyFulfillmentOrderId } = printOrder;
  const closed = { storefrontOrderId, shopifyFulfillmentOrderId, closedReason: 'method_gone' };
  const createdAt = MoreThan(new Date(app.clock.now().getTime() - ONCE_MS));
  return !(await app.db.manager.existsBy(PrintOrders, { ...closed, createdAt }));
}
