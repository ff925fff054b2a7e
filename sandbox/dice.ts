interface Dice {
  /** Returns the next number from 0 to 1. */
  roll(): number;
  /** Starts the number sequence of this seed from its beginning. Undefined switches back to random numbers without a seed. */
  seed(seed: number | undefined): void;
}

/** Creates a stand-in's random number generator, whose sequence a seed makes repeatable. */
export function createDice(): Dice {
  let state: number | undefined;
  return {
    roll() {
      if (state === undefined) return Math.random();
      // mulberry32, a mixed Weyl sequence: short, and uniform enough for fault rates.
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    },
    seed(seed) {
      state = seed === undefined ? undefined : seed | 0;
    },
  };
}
