import type { App } from '../app.ts';
import { levelOf } from '../log.ts';
import { PlatenError } from '../errors.ts';
import { ShopifyError } from '../shopify/admin/errors.ts';
import type { ShopifyErrorKind } from '../shopify/admin/errors.ts';

/**
 * How long to wait for problems that may soon resolve themselves, if Shopify specifies no time. During an outage, the shop's circuit
 * breaker spaces the requests.
 */
const SOON_SECONDS = 5;
/**
 * How long to wait for problems that someone must fix: an unpaid bill, a locked shop, the app's configuration or scopes, or a value that
 * Platen cannot read.
 */
const LATER_SECONDS = 300;
const MAX_SECONDS = 600;

/** Codes of errors after which `resume_shop` resumes the work, when someone has signed in or an operator has taken the store back. */
const ENDING: ReadonlySet<string> = new Set(['shop_needs_sign_in', 'fenced_off']);

const waitingKinds: ReadonlySet<ShopifyErrorKind> = new Set([
  'forbidden',
  'access_denied',
  'payment_required',
  'locked',
  'not_found',
]);

/**
 * Runs a job that needs the store. A job may fail only a limited number of times, so it does not fail if the store cannot be called.
 * Instead, `again` enqueues the job for a later time, as often as necessary (docs/rules/shopify.md#outages). Polls recur and do not need
 * `again`. If the shop must sign in, or if another database has taken over its store, the job ends, and `resume_shop` resumes the work
 * later. Other errors are rethrown.
 */
export async function waitForStore(
  app: App,
  run: () => Promise<unknown>,
  again: (runAt: Date, error: ShopifyError) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (error instanceof PlatenError && ENDING.has(error.code)) return;
    if (!(error instanceof ShopifyError)) throw error;
    const seconds = pauseSeconds(error);
    if (seconds === null) throw error;
    const { operation, kind, status } = error;
    app.log[levelOf(error)](
      { operation, kind, status, seconds },
      'the store is currently unavailable, so the job is waiting',
    );
    await again(new Date(app.clock.now().getTime() + seconds * 1000), error);
  }
}

/**
 * Returns the seconds to wait, or null if waiting would not help. The wait is jittered to spread out a shop's jobs. If Shopify or the
 * circuit breaker has set the time of the retry, the jitter is at most a second, so that older jobs still run first.
 */
function pauseSeconds({ kind, retryable, retryAfterSeconds, field }: ShopifyError): number | null {
  if (!retryable && !waitingKinds.has(kind)) return null;
  if (retryAfterSeconds !== null) return Math.min(retryAfterSeconds, MAX_SECONDS) + Math.random();
  return (retryable && field === null ? SOON_SECONDS : LATER_SECONDS) * (1 + Math.random());
}
