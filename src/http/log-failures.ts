import type { App } from '../app.ts';
import { levelOf, type Log } from '../log.ts';
import { ShopifyError } from '../shopify/admin/errors.ts';
import { EndpointError, toRefusal } from './error-response.ts';

/** 503 responses with the same code belong to one outage if each occurs within this time after the previous one. */
const QUIET_GAP_MS = 60_000;

/** Writes the reason for a failed request to the request's log. */
export type LogFailure = (requestLog: Log, error: unknown) => void;

interface Outage {
  refused: number;
  since: number;
  cancelEnd: () => void;
}

/**
 * Creates a function that logs failed requests. Every unexpected failure is logged as an error. For the 503 responses of an outage, one
 * line is logged when the outage starts and one when it ends, instead of one for each rejected request.
 */
export function createFailureLogger(
  { clock, log }: Pick<App, 'clock' | 'log'>,
  restMs: number = QUIET_GAP_MS,
): LogFailure {
  /** Keyed by error code. There are only a few codes. */
  const outages = new Map<string, Outage>();

  function endOutage(code: string, { refused, since }: Outage): void {
    outages.delete(code);
    const seconds = Math.round((clock.ticks() - since) / 1000);
    log.info({ code, refused, seconds }, 'requests are no longer refused');
  }

  function endLater(code: string, outage: Outage): () => void {
    return clock.after(restMs, () => endOutage(code, outage));
  }

  return (requestLog, error) => {
    const refusal = toRefusal(error);
    if (!refusal) {
      const level = error instanceof ShopifyError ? levelOf(error) : 'error';
      requestLog[level]({ error }, 'a request failed');
      return;
    }
    const isOverLimit = error instanceof EndpointError && error.retryAfterSeconds !== null;
    if (refusal.status < 500 || isOverLimit) return;
    const { code } = refusal.error;
    const known = outages.get(code);
    requestLog[known ? 'debug' : 'warn']({ code, error }, 'requests are refused');
    if (known) {
      known.refused += 1;
      known.cancelEnd();
      known.cancelEnd = endLater(code, known);
    } else {
      const outage: Outage = { refused: 1, since: clock.ticks(), cancelEnd: () => undefined };
      outage.cancelEnd = endLater(code, outage);
      outages.set(code, outage);
    }
  };
}
