import { setTimeout as sleep } from 'node:timers/promises';
import { PrintServiceError } from '../errors.ts';

const PAUSE_MS = 1_000;

export interface StatusOptions {
  /** For so many milliseconds a 404 is asked again: the order may have been made just now. Without it a 404 is the answer. */
  retryNotFoundMs?: number;
}

/**
 * What `read` gives, asked about once a second for as long as the service answers 404 and `retryNotFoundMs` have not passed: orders of the
 * earlier interface show 1 to 3 seconds after their create (interface page, Limits). Then throws the last `not_found`.
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
