import type { Clock } from '../clock.ts';
import { PrintServiceError } from './errors.ts';
import type { FoundOrder, PrintPort } from './port.ts';

/** How many times the request for a reference is sent, and the pause after a failure. */
const MAX_ROUNDS = 3;
const PAUSE_MS = 200;
/** The longest pause that is waited for, and the time after which nothing is repeated. The caller occupies a job slot meanwhile. */
const MAX_PAUSE_SECONDS = 2;
const MAX_SEARCH_MS = 60_000;

/** Returns the time after which a search that takes several requests sends no further one, as a value of `clock.ticks()`. */
export function getSearchEnd(clock: Clock): number {
  return clock.ticks() + MAX_SEARCH_MS;
}

/** Divides references among requests, each of which `PrintPort.find` sends as one. */
export function toRequests({ foundPerRequest }: PrintPort, references: readonly string[]): string[][] {
  const count = Math.ceil(references.length / foundPerRequest);
  return Array.from({ length: count }, (_, at) => references.slice(at * foundPerRequest, (at + 1) * foundPerRequest));
}

/**
 * Yields the orders and drafts with these references. If several requests are needed, a failed request does not discard the responses to the
 * others: only the failed ones are repeated. Ends only when every request has received a response. Otherwise, throws the first failed
 * request's PrintServiceError. Throws it immediately if no request has succeeded yet or the service requires a longer pause.
 */
export async function* findEach(
  clock: Clock,
  port: PrintPort,
  references: readonly string[],
): AsyncGenerator<FoundOrder, void> {
  const endsAt = getSearchEnd(clock);
  let open = toRequests(port, references);
  let hasAnswer = false;
  for (let round = 1; ; round += 1) {
    const failed: string[][] = [];
    let firstError: PrintServiceError | null = null;
    for (const orderReferenceIds of open) {
      let records: FoundOrder[];
      try {
        records = await Array.fromAsync(port.find({ orderReferenceIds }));
      } catch (error) {
        if (!hasAnswer || !(error instanceof PrintServiceError) || !canContinue(clock, error, endsAt)) throw error;
        failed.push(orderReferenceIds);
        firstError ??= error;
        await clock.sleep(PAUSE_MS + (error.retryAfterSeconds ?? 0) * 1000);
        continue;
      }
      hasAnswer = true;
      yield* records;
    }
    if (firstError === null) return;
    if (round === MAX_ROUNDS) throw firstError;
    open = failed;
  }
}

/** Returns whether a search that takes several requests continues after one of them has failed. */
export function canContinue(
  clock: Clock,
  { retryable, retryAfterSeconds }: PrintServiceError,
  endsAt: number,
): boolean {
  return retryable && (retryAfterSeconds ?? 0) <= MAX_PAUSE_SECONDS && clock.ticks() < endsAt;
}
