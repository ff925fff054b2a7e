interface Dice {
  /** The next number from 0 to 1. */
  roll(): number;
  /** From now on the sequence of this seed, from its beginning; undefined: chance. */
  seed(seed: number | undefined): void;
}

/** What is left to chance in a stand-in, and can be made to fall the same again by a seed. */
export function createDice(): Dice {
  let state: number | undefined;
  return {
    roll() {
      if (state === undefined) return Math.random();
      // A Weyl sequence, mixed (mulberry32): short, and even enough for rates.
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
