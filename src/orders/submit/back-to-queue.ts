import { MoreThan } from 'typeorm';
import { PrintOrders } from '../../database/entities/print-orders.ts';
import type { PrintServiceError } from '../../print/errors.ts';
import { answerPrintError } from '../waits/answer-print-error.ts';
import { changeState } from '../record/change-state.ts';
import { quoteAnew } from './quote-again.ts';
import { enqueueSubmit } from '../enqueue/enqueue-submit.ts';
import type { SubmitScope } from './submit-scope.ts';

/** A print order whose predecessor of this time was closed for the same is held: a person looks at it. */
const ONCE_MS = 86_400_000;

/** Nothing was made: the print order is as it was before, and goes on as the answer says. */
export async function backToQueue(scope: SubmitScope, error: PrintServiceError): Promise<void> {
  const { app, printOrder } = scope;
  if (await isMethodGone(scope, error)) return quoteAnew(scope, 'method_gone');
  if (error.outcome !== 'refused' && error.outcome !== 'not_found') {
    await scope.order.change((manager) =>
      changeState(manager, printOrder, {
        to: 'quoted',
        kind: 'not_made',
        message: `${printOrder.reference}: nothing was made; it is tried again.`,
        data: { outcome: error.outcome, status: error.status },
      }),
    );
  }
  await answerPrintError(app, printOrder, error, {
    step: 'submit',
    doing: 'send the order',
    refused: 'create_refused',
    again: (manager, runAt) => enqueueSubmit(manager, printOrder, runAt),
  });
}

/** The create was refused for the shipping method of the quote, for the first time. */
async function isMethodGone({ app, printOrder }: SubmitScope, error: PrintServiceError): Promise<boolean> {
  const paths = [error.field, ...error.details.map(({ field }) => field)];
  if (error.outcome !== 'refused' || !paths.some((path) => path?.endsWith('shipmentMethodUid'))) return false;
  const { storefrontOrderId, shopifyFulfillmentOrderId } = printOrder;
  const closed = { storefrontOrderId, shopifyFulfillmentOrderId, closedReason: 'method_gone' };
  const createdAt = MoreThan(new Date(app.now().getTime() - ONCE_MS));
  return !(await app.db.manager.existsBy(PrintOrders, { ...closed, createdAt }));
}
