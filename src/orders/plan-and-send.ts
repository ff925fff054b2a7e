import type { App } from '../app.ts';
import { enqueueAll, type NewJob } from '../jobs/enqueue.ts';
import { planOpenOrder } from './plan/plan-storefront-order.ts';
import { quoteOpenOrder } from './quote/quote-storefront-order.ts';
import { openOrder, type OrderSession } from './rows/order-session.ts';
import { submitOpenOrder } from './submit/submit-print-order.ts';

/** More steps follow at once only for orders with very many print orders; the rest get jobs. */
const MOST_STEPS = 20;

/**
 * Plans an order and takes the steps that follow at once in the same job: quote and submit. Should the process die, the plan runs again and
 * finds the steps that are left. A create that was begun has a job of its own. A step that fails gets a job, which retries it.
 */
export async function planAndSend(app: App, { storefrontOrderId }: { storefrontOrderId: string }): Promise<void> {
  const order = await openOrder(app, { storefrontOrderId });
  if (!order) return;
  const steps = order.collectSteps();
  await planOpenOrder(app, order);
  for (let taken = 0; taken < MOST_STEPS; taken += 1) {
    const step = steps.shift();
    if (!step) return;
    try {
      await takeStep(app, order, step);
    } catch (error) {
      app.log.warn({ task: step.task, storefrontOrderId, error }, 'a step failed and is retried by a job of its own');
      steps.unshift(step);
      break;
    }
  }
  await enqueueAll(app.db, steps);
}

async function takeStep(app: App, order: OrderSession, step: NewJob): Promise<void> {
  if (step.task === 'quote_order') await quoteOpenOrder(app, order);
  if (step.task === 'submit_print_order') await submitOpenOrder(app, order, step.payload.printOrderId);
}
