import { performance } from 'node:perf_hooks';
import { inTime } from './in-time.ts';

/** The share of its time above which a process may have left answers unread. */
const BUSY = 0.8;
const TRIES = 2;

/** What work came to. `wasBusy`: it ran out of time because this process was busy, which says nothing about the other side. */
export type Tried<T> = { value: T } | { error: unknown; wasBusy: boolean };

/**
 * Does work within a time, and never rejects. When the time runs out while this process is busy with something else, the answer may
 * have been there, unread: then the work, which must be safe to repeat, is done once more.
 */
export async function tryInTime<T>(work: () => Promise<T>, milliseconds: number): Promise<Tried<T>> {
  for (let tries = 1; ; tries += 1) {
    const before = performance.eventLoopUtilization();
    try {
      return { value: await inTime(work(), milliseconds) };
    } catch (error) {
      const { utilization } = performance.eventLoopUtilization(before);
      const wasBusy = isTimeLimit(error) && utilization > BUSY;
      if (!wasBusy || tries === TRIES) return { error, wasBusy };
    }
  }
}

/** A server that refuses, or is gone, says so in another way than the time limits of this process and of its connections. */
function isTimeLimit(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return code === 'too_slow' || (code === undefined && /timeout/i.test(String(message)));
}
