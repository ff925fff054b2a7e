import type { App } from '../../app.ts';
import type { ShippingPromise } from '../../print/port.ts';
import { parseTimestamp } from '../../print/parse-timestamp.ts';

/** Whether a promise would be over before its create has arrived (interface page, Limits); what is made from none never is. */
export function isPromiseOver(app: App, promise: ShippingPromise | null | undefined): boolean {
  if (!promise) return false;
  const { submitDeadlineSeconds, timeoutSeconds } = app.config.print;
  // Without a zone it is UTC; one that cannot be read is not relied on.
  const expiresAt = parseTimestamp(promise.expiresAt) ?? parseTimestamp(`${promise.expiresAt}Z`);
  return !((expiresAt?.getTime() ?? 0) > app.now().getTime() + (submitDeadlineSeconds + timeoutSeconds) * 1000);
}
