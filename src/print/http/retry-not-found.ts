import { setTimeout as sleep } from 'node:timers/promises';
import { PrintServiceError } from '../errors.ts';

const PAUSE_MS = 1_000;

export interface StatusOptions {
  /** A 404 is retried for this many milliseconds, because the order may have just been created. Default: a 404 is the answer. */
  retryNotFoundMs?: number;
}

/**
 * Calls `read` about once a second while the service answers 404 and `retryNotFoundMs` have not passed: orders of the earlier interface
 * appear 1 to 3 seconds after their create (docs/rules/print-interface.md#limits). Then throws the last `not_found`.
 */
export async function retryNotFound<Answer>(
  read: () => Promise<Answer>,
  { retryNotFoundMs = 0 }: StatusOptions,
): Promise<Answer> {
  const deadline = performance.now() + retryNotFoundMs;
  for (;;) {
    try {
      return await read();
    } catch (error) {
      const isMissing = error instanceof PrintServiceError && error.outcome === 'not_found';
      const leftMs = deadline - performance.now();
      if (!isMissing || leftMs <= 0) throw error;
      await sleep(Math.min(PAUSE_MS, leftMs));
    }
  }
}
