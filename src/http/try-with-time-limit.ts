import { performance } from 'node:perf_hooks';
import { withTimeLimit } from './with-time-limit.ts';
import type { Clock } from '../clock.ts';

/** The event loop utilization above which a process may have left responses unread. */
const BUSY = 0.8;
const TRIES = 2;

/** The result of the work. `wasBusy`: the time ran out because this process was busy, so the other side may be working correctly. */
export type TimedResult<T> = { value: T } | { error: unknown; wasBusy: boolean };

/**
 * Does work within a time limit and never rejects. If the time runs out while this process is busy, a response may have arrived without
 * being read, so the work is repeated once. The work must be safe to repeat.
 */
export async function tryWithTimeLimit<T>(
  clock: Clock,
  work: () => Promise<T>,
  milliseconds: number,
): Promise<TimedResult<T>> {
  for (let tries = 1; ; tries += 1) {
    const before = performance.eventLoopUtilization();
    try {
      return { value: await withTimeLimit(clock, work(), milliseconds) };
    } catch (error) {
      const { utilization } = performance.eventLoopUtilization(before);
      const wasBusy = isTimeLimit(error) && utilization > BUSY;
      if (!wasBusy || tries === TRIES) return { error, wasBusy };
    }
  }
}

/**
 * Returns whether a time limit in this process or its connections expired. A server that is down or rejects requests causes other errors.
 */
function isTimeLimit(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return code === 'too_slow' || (code === undefined && /timeout/i.test(String(message)));
}
