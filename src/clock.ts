/**
 * The time, and everything that waits for it. Code takes a clock instead of asking the system, so that a test or a simulation can let time
 * pass. A clock is a plain object: `{ ...clock, now }` is the same clock with another time of day.
 */
export interface Clock {
  /** The time of day. The clock of an App follows the database's time, so all processes agree on it. */
  now: () => Date;
  /** Milliseconds since an arbitrary moment, for durations and deadlines. They never go backward, and time changes do not affect them. */
  ticks: () => number;
  /** Resolves after this time. Rejects with the signal's reason if the signal aborts first. The process stays alive for it. */
  sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Calls `run` once after this time, unless the returned function is called first. The process does not stay alive for it. */
  after: (milliseconds: number, run: () => void) => () => void;
  /** Calls `run` at this interval until the returned function is called. The process does not stay alive for it. */
  every: (milliseconds: number, run: () => void) => () => void;
  /** A signal that aborts with a TimeoutError after this time. */
  timeout: (milliseconds: number) => AbortSignal;
}

const MAX_TIMER_MS = 2 ** 31 - 1;

/** The parts that differ from clock to clock. */
export interface ClockParts {
  now: () => Date;
  ticks: () => number;
  /** Calls `run` once after this time and returns a function that cancels it. `keepsAlive`: the process stays alive for it. */
  start: (milliseconds: number, run: () => void, keepsAlive: boolean) => () => void;
}

/** Creates a clock from the parts that differ. */
export function createClock({ now, ticks, start }: ClockParts): Clock {
  return {
    now,
    ticks,
    async sleep(milliseconds, signal) {
      signal?.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const cancel = start(milliseconds, resolve, true);
      const abort = (): void => {
        cancel();
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', abort, { once: true });
      try {
        await promise;
      } finally {
        signal?.removeEventListener('abort', abort);
      }
    },
    after: (milliseconds, run) => start(milliseconds, run, false),
    every(milliseconds, run) {
      let cancel: () => void;
      const repeat = (): void => {
        cancel = start(milliseconds, repeat, false);
        run();
      };
      cancel = start(milliseconds, repeat, false);
      return () => cancel();
    },
    timeout(milliseconds) {
      const controller = new AbortController();
      start(milliseconds, () => controller.abort(new DOMException('The time is over.', 'TimeoutError')), false);
      return controller.signal;
    },
  };
}

/** Settles as the work does, or as `late` does if the work takes longer. The work itself continues, and its result is dropped. */
export async function withinTime<T>(
  clock: Clock,
  { work, milliseconds, late }: { work: Promise<T>; milliseconds: number; late: () => T | Promise<T> },
): Promise<T> {
  const { promise: end, resolve, reject } = Promise.withResolvers<T>();
  const cancel = clock.after(Math.max(0, milliseconds), () => {
    try {
      resolve(late());
    } catch (error) {
      reject(error);
    }
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    cancel();
  }
}

/** This machine's clock: for code that has no App, and for the parts of an App's clock that do not depend on the database. */
export const systemClock: Clock = createClock({
  now: () => new Date(),
  ticks: () => performance.now(),
  start(milliseconds, run, keepsAlive) {
    // setTimeout would run a longer time at once.
    const timer = setTimeout(run, Math.min(milliseconds, MAX_TIMER_MS));
    if (!keepsAlive) timer.unref();
    return () => clearTimeout(timer);
  },
});
