import type { App } from '../../app.ts';
import type { Step } from '../../database/entities/step-waits.ts';
import { recordStepWaitOf, type OrderOrPrintOrder } from './record-store-step-wait.ts';

const DOING: Record<Exclude<Step, 'search'>, string> = {
  plan: 'plan the order',
  quote: 'request its price and shipping',
  submit: 'send it to the print service',
  follow: 'read its status',
  push: 'mark it as fulfilled in the store',
};
/** The queue reruns the job within this time (jobs/runner/cap-retry-delays.ts). */
const RETRY_SECONDS = 600;

/**
 * Runs an order's job. If the job throws, for example because a key cannot be decrypted, records the failure and rethrows the error, so
 * that the queue retries the job. The order shows the failure until a retry succeeds. If the job keeps failing, a hold opens.
 */
export async function runAndRecordFault(
  app: App,
  step: keyof typeof DOING,
  about: OrderOrPrintOrder,
  run: () => Promise<void>,
): Promise<void> {
  try {
    await run();
  } catch (error) {
    const why = `Platen failed to ${DOING[step]}. The server log contains the error.`;
    const wait = { step, why, seconds: RETRY_SECONDS, isExact: true };
    // If the database is unavailable, the wait cannot be recorded, but the job fails in any case.
    await recordStepWaitOf(app, about, wait).catch(() => undefined);
    throw error;
  }
}
