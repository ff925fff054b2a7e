import type { App } from '../app.ts';
import { levelOf } from '../log.ts';
import { PlatenError } from '../errors.ts';
import { ShopifyError } from '../shopify/admin/errors.ts';
import type { ShopifyErrorKind } from '../shopify/admin/errors.ts';

/** Wait for problems that may pass soon, if Shopify gives no time; while they last, the shop's gate spaces the calls. */
const SOON_SECONDS = 5;
/** Wait for problems that someone must fix: the shop's bill, its lock, the app's configuration or its scopes. */
const LATER_SECONDS = 300;
const LONGEST_SECONDS = 600;

const waitingKinds: ReadonlySet<ShopifyErrorKind> = new Set([
  'forbidden',
  'access_denied',
  'payment_required',
  'locked',
  'not_found',
]);

/**
 * Runs a job that needs the store. While the store cannot be asked, the job does not fail, since failures are limited; `again` enqueues it
 * for a later time, for as long as necessary (docs/rules/shopify.md#outages). Polls recur and need no `again`. For a shop that must sign
 * in, the job ends: after the sign-in `resume_shop` resumes the work. Other errors are rethrown.
 */
export async function waitForStore(
  app: App,
  run: () => Promise<unknown>,
  again: (runAt: Date, error: ShopifyError) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (error instanceof PlatenError && error.code === 'shop_needs_sign_in') return;
    if (!(error instanceof ShopifyError)) throw error;
    const seconds = pauseSeconds(error);
    if (seconds === null) throw error;
    const { operation, kind, status } = error;
    app.log[levelOf(error)]({ operation, kind, status, seconds }, 'the store cannot be asked now; the job waits');
    await again(new Date(app.now().getTime() + seconds * 1000), error);
  }
}

/**
 * Jittered, so that the jobs of a shop spread out; null if waiting would not help. A job with a turn (`CallGate`) keeps its time almost
 * exactly, so that older jobs come first and one shop does not precede all others.
 */
function pauseSeconds({ kind, retryable, retryAfterSeconds }: ShopifyError): number | null {
  if (!retryable && !waitingKinds.has(kind)) return null;
  if (retryAfterSeconds !== null) return Math.min(retryAfterSeconds, LONGEST_SECONDS) + Math.random();
  return (retryable ? SOON_SECONDS : LATER_SECONDS) * (1 + Math.random());
}
