import type { App } from '../../app.ts';
import type { ShippingPromise } from '../../print/port.ts';
import { parseTimestamp } from '../../print/parse-timestamp.ts';

/**
 * Returns whether a promise would expire before its create request arrives (docs/rules/print-interface.md#promise). False if there is no
 * promise.
 */
export function isPromiseExpired(app: App, promise: ShippingPromise | null | undefined): boolean {
  if (!promise) return false;
  const { submitDeadlineSeconds, timeoutSeconds } = app.config.print;
  // A time without a time zone is interpreted as UTC. A promise with an unreadable time counts as expired.
  const expiresAt = parseTimestamp(promise.expiresAt) ?? parseTimestamp(`${promise.expiresAt}Z`);
  return !((expiresAt?.getTime() ?? 0) > app.clock.now().getTime() + (submitDeadlineSeconds + timeoutSeconds) * 1000);
}
