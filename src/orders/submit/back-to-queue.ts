import type { PrintServiceError } from '../../print/errors.ts';
import { answerPrintError } from './answer-print-error.ts';
import { changeState } from '../change-state.ts';
import { enqueueSubmit } from '../enqueue-submit.ts';
import type { SubmitScope } from './submit-scope.ts';

/** Nothing was made: the print order is as it was before, and goes on as the answer says. */
export async function backToQueue(scope: SubmitScope, error: PrintServiceError): Promise<void> {
  const { app, printOrder } = scope;
  if (error.outcome !== 'refused' && error.outcome !== 'not_found') {
    await app.db.transaction((manager) =>
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
    again: (manager, runAt) => enqueueSubmit(app, manager, printOrder, runAt),
  });
}
