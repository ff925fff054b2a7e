import type { App } from '../app.ts';
import { levelOf } from '../log.ts';
import { PlatenError } from '../errors.ts';
import { ShopifyError } from '../shopify/admin/errors.ts';
import type { ShopifyErrorKind } from '../shopify/admin/errors.ts';

/** What may pass by itself at once, when Shopify does not say when; while it does not pass, the shop's gate spaces the calls. */
const SOON_SECONDS = 5;
/** What somebody has to mend: the shop's bill, its lock, the app's configuration or its scopes. */
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
 * Runs a job that needs the store. While the store cannot be asked, the job does not fail, which it may only so often, but is enqueued
 * again for a time of ours by `again`, for as long as that lasts (reliability page, fault rows 34 and 36); a poll comes by itself and
 * needs none. For a shop that must sign in the job ends: after the sign-in `resume_shop` takes up what is left. Any other error is
 * thrown on.
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
 * With jitter, so that the jobs of a shop spread; null: waiting would not mend it. Who is told to wait has a turn (`CallGate`), and
 * keeps it but for a moment: the older jobs come first, and those of one shop not before those of all others.
 */
function pauseSeconds({ kind, retryable, retryAfterSeconds }: ShopifyError): number | null {
  if (!retryable && !waitingKinds.has(kind)) return null;
  if (retryAfterSeconds !== null) return Math.min(retryAfterSeconds, LONGEST_SECONDS) + Math.random();
  return (retryable ? SOON_SECONDS : LATER_SECONDS) * (1 + Math.random());
}
