import { setTimeout as realSleep } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { openVirtualClock, type VirtualClock } from './virtual-clock.ts';

let clock: VirtualClock | null = null;
/** The longest time that passes until an expectation holds. Nothing that a test waits for takes longer. */
const MAX_MS = 86_400_000;

/** Sets the clock that `eventually` lets run. Null if time passes as usual. */
export function useClock(used: VirtualClock | null): void {
  clock?.passWhenIdle(false);
  used?.passWhenIdle(true);
  clock = used;
}

/** Returns the clock that `eventually` lets run, or null if time passes as usual. */
export const currentClock = (): VirtualClock | null => clock;

/** Returns the clock that `eventually` lets run. Opens one without a database for the current test if there is none. */
export async function useTestClock(): Promise<VirtualClock> {
  if (clock === null) {
    useClock(await openVirtualClock(null));
    onTestFinished(() => useClock(null));
  }
  return clock as unknown as VirtualClock;
}

type Matchers = ReturnType<typeof expect.poll>;

/**
 * Waits until an expectation about the value of `look` holds, as `expect.poll` does, but without sleeping: whenever nothing else can happen,
 * time jumps to the next timer. Fails as soon as nothing more can happen. Without a virtual clock, looks again and again.
 */
export function eventually(look: () => unknown): Matchers {
  return createMatchers(clock, look, false) as Matchers;
}

function createMatchers(used: VirtualClock | null, look: () => unknown, isNegated: boolean): object {
  return new Proxy(
    {},
    {
      get: (_target, name: string) =>
        name === 'not'
          ? createMatchers(used, look, !isNegated)
          : (...expected: unknown[]) => waitFor(used, look, { name, expected, isNegated }),
    },
  );
}

interface Expectation {
  name: string;
  expected: unknown[];
  isNegated: boolean;
}

type Assertion = Record<string, (...expected: unknown[]) => void>;

const check = expect as unknown as (value: unknown) => Assertion & { not: Assertion };

/** How often, and at most how long, an expectation is checked in real time. */
const [LOOK_MS, MAX_REAL_MS] = [50, 60_000];

async function waitFor(
  used: VirtualClock | null,
  look: () => unknown,
  { name, expected, isNegated }: Expectation,
): Promise<void> {
  const start = used?.ticks() ?? performance.now();
  for (;;) {
    await used?.settle();
    let error: unknown;
    try {
      const assertion = check(await look());
      const matchers: Assertion = isNegated ? assertion.not : assertion;
      matchers[name]?.(...expected);
      return;
    } catch (cause) {
      error = cause;
    }
    if (used === null) {
      if (performance.now() - start > MAX_REAL_MS) throw error;
      await realSleep(LOOK_MS);
      continue;
    }
    if (await used.jump(start + MAX_MS - used.ticks())) continue;
    if (error instanceof Error) error.message = `Nothing more happens within a day. ${error.message}`;
    throw error;
  }
}
