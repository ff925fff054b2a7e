import { createHash } from 'node:crypto';
import { createRandom, type Random } from '../fuzz/random.ts';

/** Chances that a run's seed decides. */
export interface ChaosRandom extends Random {
  /** A number from `from` to below `to`. */
  between(from: number, to: number): number;
  /** The same values in another order. */
  shuffle<Value>(values: readonly Value[]): Value[];
  /** Chances of their own, by this seed and the label alone: what one part of the run draws does not shift what another draws. */
  fork(label: string): ChaosRandom;
}

const STEPS = 2 ** 31;

/**
 * The choices of a run: which carts, which edits, what is killed and after how many milliseconds. The same seed makes the same choices
 * in the same order. What it cannot repeat is timing: which job a process was in when it was killed, which call met a fault, and who
 * came first; so two runs of a seed differ in what became of an order, and a fault that one of them shows may hide in the other.
 */
export function createChaosRandom(seed: number): ChaosRandom {
  const random = createRandom(seed);
  return {
    ...random,
    between: (from, to) => from + ((to - from) * random.below(STEPS)) / STEPS,
    shuffle(values) {
      const shuffled = [...values];
      // Fisher and Yates: every order is as likely.
      for (let last = shuffled.length - 1; last > 0; last -= 1) {
        const other = random.below(last + 1);
        [shuffled[last], shuffled[other]] = [shuffled[other]!, shuffled[last]!];
      }
      return shuffled;
    },
    fork: (label) => createChaosRandom(createHash('sha256').update(`${seed} ${label}`).digest().readInt32BE()),
  };
}
