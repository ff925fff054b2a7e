import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { createClock, type Clock } from '../../../src/clock.ts';
import type { ChaosRandom } from '../../chaos/orders/random.ts';
import { currentPlace, rememberPlace, type Place } from './place.ts';

/** Something that waits until the scheduler lets it happen: a query, its answer, a call, a response or a notice. */
interface Held {
  /** The place that it belongs to. If the place is suspended, it waits. If the place dies, it never happens. */
  place: Place;
  /** Describes the event in the trace. */
  label: string;
  /** The earliest time, in ticks. */
  notBefore?: number;
  /** True if it affects nothing but its own connection. It then happens before any choice. */
  isFirst?: boolean;
  go: () => Promise<void> | void;
}

interface Timer {
  at: number;
  nth: number;
  place: Place;
  run: () => void;
}

/** How the scheduler chooses. */
interface Mood {
  /** If true, everything happens in the order in which it was requested. */
  isCalm: boolean;
  /** How often a timer fires although other events could still happen, from 0 to 1. */
  haste: number;
}

/**
 * Decides what happens next. At each step, it waits until nothing moves in this process, and then lets one thing happen. A run is therefore
 * a function of its random numbers.
 */
export interface Scheduler {
  clock: Clock;
  mood: Mood;
  random: ChaosRandom;
  /** The number of steps so far. */
  steps: () => number;
  /** The hash of everything that has happened so far. */
  hash: () => string;
  record: (line: string) => void;
  hold: (held: Held) => void;
  startTimer: (milliseconds: number, run: () => void, place?: Place) => () => void;
  /** Counts work of this process whose end is not in the hands of the scheduler, such as a file operation. */
  await: <Result>(work: Promise<Result>) => Promise<Result>;
  /** Lets one thing happen. Returns false if nothing can happen until `end`, in ticks. */
  step: (end: number) => Promise<boolean>;
  settle: () => Promise<void>;
  /** Sets what is done when nothing can happen at this time. It may hold further events. */
  beforeTimePasses: (work: () => Promise<void>) => void;
  /** Moves time forward although nothing happens. */
  pass: (to: number) => void;
}

/** Rounds without any activity after which nothing in the process moves. */
const QUIET_ROUNDS = 3;
/** One-time operations of Node.js. Sockets, servers and timers are not listed, because they stay open. */
const OPERATIONS = /^(FSReq|GetAddrInfo|GetNameInfo|Process|Immediate)/;
const SIZE = 64;

export function createScheduler(random: ChaosRandom, start: number, write: (line: string) => void): Scheduler {
  const timers = new Set<Timer>();
  const mood: Mood = { isCalm: true, haste: 0 };
  const held: Held[] = [];
  const works = new Set<Promise<unknown>>();
  const trace = createHash('sha256');
  let [ticks, nth, steps, changes] = [0, 0, 0, 0];
  let settling: Promise<void> | null = null;
  let beforeTimePasses = async (): Promise<void> => undefined;

  const isPossible = ({ place, notBefore = 0 }: Held): boolean => Math.max(notBefore, place.suspendedUntil) <= ticks;
  const dueAt = ({ at, place }: Timer): number => Math.max(at, place.suspendedUntil);

  function record(line: string): void {
    const text = `${ticks} ${line}`;
    trace.update(text);
    write(text);
  }

  function startTimer(milliseconds: number, run: () => void, place = currentPlace()): () => void {
    if (place === undefined) throw new Error('A timer was started outside of the simulation.');
    const inPlace = rememberPlace();
    const timer = { at: ticks + Math.max(0, Math.ceil(milliseconds)), nth: nth++, place, run: () => inPlace(run) };
    if (place.isAlive) timers.add(timer);
    changes += 1;
    return () => timers.delete(timer);
  }

  /** Two searches for quiet at the same time would disturb each other. */
  const settle = (): Promise<void> => (settling ??= waitForQuiet().finally(() => (settling = null)));

  async function waitForQuiet(): Promise<void> {
    let seen = -1;
    for (let rounds = 0; rounds < QUIET_ROUNDS;) {
      await turn();
      if (works.size > 0) {
        await Promise.allSettled(works);
        rounds = 0;
        continue;
      }
      rounds = changes === seen ? rounds + 1 : 0;
      seen = changes;
      if (rounds === QUIET_ROUNDS && process.getActiveResourcesInfo().some((name) => OPERATIONS.test(name))) rounds = 0;
    }
  }

  function forgetTheDead(): void {
    for (let index = held.length - 1; index >= 0; index -= 1) if (!held[index]?.place.isAlive) held.splice(index, 1);
    for (const timer of timers) if (!timer.place.isAlive) timers.delete(timer);
  }

  async function happen(chosen: Held, possible: number): Promise<void> {
    held.splice(held.indexOf(chosen), 1);
    record(`${possible}: ${chosen.label}`);
    await chosen.go();
  }

  /** Lets time pass until the next timer or held event, and fires one timer that is due. */
  function fireNext(end: number): boolean {
    let next = Infinity;
    for (const timer of timers) next = Math.min(next, dueAt(timer));
    for (const { notBefore = 0, place } of held) next = Math.min(next, Math.max(notBefore, place.suspendedUntil));
    if (next > end) return false;
    ticks = Math.max(ticks, next);
    const due = [...timers].filter((timer) => dueAt(timer) <= ticks);
    due.sort((one, other) => dueAt(one) - dueAt(other) || one.nth - other.nth);
    const timer = mood.isCalm ? due[0] : due[random.below(due.length || 1)];
    if (timer === undefined) return true;
    timers.delete(timer);
    record(`${timer.place.name} timer ${timer.nth} of ${due.length}`);
    timer.run();
    return true;
  }

  return {
    clock: createClock({
      now: () => new Date(start + ticks),
      ticks: () => ticks,
      start: (milliseconds, run) => startTimer(milliseconds, run),
    }),
    mood,
    random,
    steps: () => steps,
    hash: () => trace.copy().digest('hex').slice(0, SIZE),
    record,
    startTimer,
    hold(one) {
      changes += 1;
      if (one.place.isAlive) held.push(one);
    },
    async await(work) {
      changes += 1;
      works.add(work);
      try {
        return await work;
      } finally {
        works.delete(work);
        changes += 1;
      }
    },
    async step(end) {
      steps += 1;
      await settle();
      forgetTheDead();
      const possible = held.filter(isPossible);
      const first = possible.find(({ isFirst }) => isFirst);
      if (first) {
        await happen(first, possible.length);
        return true;
      }
      if (possible.length === 0) {
        const before = changes;
        await beforeTimePasses();
        return before !== changes || fireNext(end);
      }
      if (mood.haste > 0 && random.chance(mood.haste) && fireNext(Math.min(end, ticks + 30_000))) return true;
      const chosen = mood.isCalm ? possible[0] : possible[random.below(possible.length)];
      if (chosen) await happen(chosen, possible.length);
      return true;
    },
    settle,
    beforeTimePasses(work) {
      beforeTimePasses = work;
    },
    pass(to) {
      ticks = Math.max(ticks, to);
    },
  };
}
