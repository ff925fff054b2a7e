import type { App } from '../app.ts';
import { enqueueAll, type NewJob } from '../jobs/enqueue.ts';
import { planOpenOrder } from './plan/plan-storefront-order.ts';
import { quoteOpenOrder } from './quote/quote-storefront-order.ts';
import { openOrder, type OrderSession } from './rows/order-session.ts';
import { submitOpenOrder } from './submit/submit-print-order.ts';
import { traceStep } from '../tracing/work.ts';

/**
 * Maximum number of steps in one job. Only orders with very many print orders have more steps. The remaining steps run in separate jobs.
 */
const MAX_STEPS = 20;

/**
 * Plans, quotes and submits an order in the same job. If the process dies, the plan runs again and finds the remaining steps. Before a
 * create request, a stand-by job is enqueued. If the process dies during the request, that job determines the outcome. If a step fails, a
 * separate job retries it.
 */
export async function planAndSend(app: App, { storefrontOrderId }: { storefrontOrderId: string }): Promise<void> {
  const order = await openOrder(app, { storefrontOrderId });
  if (!order) return;
  order.collectSteps();
  await planOpenOrder(app, order);
  const isPlannedAgain = await runSteps(app, order);
  // If another plan is waiting, that plan enqueues the quote.
  const left = order.remainingSteps.filter(({ task }) => !isPlannedAgain || task !== 'quote_order');
  await enqueueAll(app.db, left);
}

/** Runs the order's steps. Returns whether another plan for the order is waiting. */
async function runSteps(app: App, order: OrderSession): Promise<boolean> {
  const { storefrontOrderId } = order;
  for (let taken = 0; taken < MAX_STEPS && order.remainingSteps.length > 0; taken += 1) {
    // A change in the store is planned before anything is sent.
    if (order.isPlanWaiting) return true;
    const step = order.nextStep();
    if (!step) break;
    try {
      await runStep(app, order, step);
      // The next print order must know whether the service refused the account during this submit.
      if (step.task === 'submit_print_order' && order.remainingSteps.length > 0) await order.reload();
    } catch (error) {
      app.log.warn({ task: step.task, storefrontOrderId, error }, 'a step failed; a separate job retries it');
      await enqueueAll(app.db, [step]);
      break;
    }
  }
  return false;
}

async function runStep(app: App, order: OrderSession, step: NewJob): Promise<void> {
  await traceStep(step.task, async () => {
    if (step.task === 'quote_order') await quoteOpenOrder(app, order);
    if (step.task === 'submit_print_order') await submitOpenOrder(app, order, step.payload.printOrderId);
  });
}
