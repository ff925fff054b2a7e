import type { App } from '../../app.ts';
import type { Step } from '../../database/entities/step-waits.ts';
import { waitForStepOf, type About } from './wait-for-store-step.ts';

const DOING: Record<Exclude<Step, 'search'>, string> = {
  plan: 'plan the order',
  quote: 'ask for its price and shipping',
  submit: 'send it to the print service',
  follow: 'read how far it is',
  push: 'mark it as fulfilled in the store',
};
/** The queue runs the job again by then, at the latest (jobs/cap-retry-delays.ts). */
const RETRY_SECONDS = 600;

/**
 * Runs a job of an order. What neither the store nor the print service is to blame for, such as a key that cannot be decrypted, fails the
 * job, and the queue runs it again: until then the order says so, and after a while a hold does.
 */
export async function noteFault(
  app: App,
  step: keyof typeof DOING,
  about: About,
  run: () => Promise<void>,
): Promise<void> {
  try {
    await run();
  } catch (error) {
    const why = `Platen failed to ${DOING[step]}: its log names the error.`;
    const wait = { step, why, seconds: RETRY_SECONDS, isExact: true };
    // A database that is away takes no note: the job itself fails for it, and says so.
    await waitForStepOf(app, about, wait).catch(() => undefined);
    throw error;
  }
}
