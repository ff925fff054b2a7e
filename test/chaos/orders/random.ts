import { createHash } from 'node:crypto';
import { createRandom, type Random } from '../../fuzz/random.ts';

/** Random choices that a run's seed determines. */
export interface ChaosRandom extends Random {
  /** Returns a number from `from` up to, but not including, `to`. */
  between(from: number, to: number): number;
  /** Returns the same values, shuffled. */
  shuffle<Value>(values: readonly Value[]): Value[];
  /**
   * Creates a separate generator that depends only on this seed and the label, so that parts of the run do not affect each other's
   * numbers.
   */
  fork(label: string): ChaosRandom;
}

const STEPS = 2 ** 31;

/**
 * Creates the random number generator of a run, which determines choices such as the carts, the edits and the processes to kill. The same
 * seed leads to the same choices in the same order, but the timing is not repeatable. The timing determines which job is running when its
 * process is killed, which request a fault affects, and which process comes first. Two runs with the same seed therefore differ, and only
 * one of them may show a given error.
 */
export function createChaosRandom(seed: number): ChaosRandom {
  const random = createRandom(seed);
  return {
    ...random,
    between: (from, to) => from + ((to - from) * random.below(STEPS)) / STEPS,
    shuffle(values) {
      const shuffled = [...values];
      // Fisher-Yates shuffle: every order is equally likely.
      for (let last = shuffled.length - 1; last > 0; last -= 1) {
        const other = random.below(last + 1);
        [shuffled[last], shuffled[other]] = [shuffled[other]!, shuffled[last]!];
      }
      return shuffled;
    },
    fork: (label) => createChaosRandom(createHash('sha256').update(`${seed} ${label}`).digest().readInt32BE()),
  };
}
