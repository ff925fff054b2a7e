import type { Clock } from '../../clock.ts';
import { PrintServiceError } from '../errors.ts';

const PAUSE_MS = 1_000;

export interface RetryNotFoundOptions {
  /** How long to retry after 404 responses, in milliseconds, for an order that may be new. By default, a 404 is final. */
  retryNotFoundMs?: number;
}

/**
 * Calls `read` about once a second while the service responds with 404, until `retryNotFoundMs` has passed, and then throws the last
 * `not_found`. Orders in the earlier interfaces appear 1 to 3 seconds after their creation (docs/rules/print-interface.md#limits).
 */
export async function retryNotFound<Answer>(
  clock: Clock,
  read: () => Promise<Answer>,
  { retryNotFoundMs = 0 }: RetryNotFoundOptions,
): Promise<Answer> {
  const deadline = clock.ticks() + retryNotFoundMs;
  for (;;) {
    try {
      return await read();
    } catch (error) {
      const isMissing = error instanceof PrintServiceError && error.outcome === 'not_found';
      const leftMs = deadline - clock.ticks();
      if (!isMissing || leftMs <= 0) throw error;
      await clock.sleep(Math.min(PAUSE_MS, leftMs));
    }
  }
}
