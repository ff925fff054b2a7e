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
  order.collectSteps();
  await planOpenOrder(app, order);
  const isPlannedAgain = await takeSteps(app, order);
  // The plan that waits quotes again.
  const left = order.stepsLeft.filter(({ task }) => !isPlannedAgain || task !== 'quote_order');
  await enqueueAll(app.db, left);
}

/** Returns whether another plan of the order waits. */
async function takeSteps(app: App, order: OrderSession): Promise<boolean> {
  const { storefrontOrderId } = order;
  for (let taken = 0; taken < MOST_STEPS && order.stepsLeft.length > 0; taken += 1) {
    // The store has news, which is planned before anything is sent.
    if (order.isPlanWaiting) return true;
    const step = order.nextStep();
    if (!step) break;
    try {
      await takeStep(app, order, step);
      // The next print order must see whether this one found the account refused.
      if (step.task === 'submit_print_order' && order.stepsLeft.length > 0) await order.reload();
    } catch (error) {
      app.log.warn({ task: step.task, storefrontOrderId, error }, 'a step failed and is retried by a job of its own');
      await enqueueAll(app.db, [step]);
      break;
    }
  }
  return false;
}

async function takeStep(app: App, order: OrderSession, step: NewJob): Promise<void> {
  if (step.task === 'quote_order') await quoteOpenOrder(app, order);
  if (step.task === 'submit_print_order') await submitOpenOrder(app, order, step.payload.printOrderId);
}
