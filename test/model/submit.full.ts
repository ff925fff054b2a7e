import { afterAll, beforeAll, describe, test } from 'vitest';
import { playMany } from './play.ts';
import { openWorld, type Way, type World } from './world.ts';

/** The number of runs of the kind `faults`. Each of the other kinds has a third of this number. */
const RUNS = Number(process.env['PLATEN_MODEL_RUNS'] ?? 75);
const SEED = Number(process.env['PLATEN_MODEL_SEED'] ?? 1);

const WAYS: Way[] = ['draft', 'direct', 'direct without extended calls'];

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

describe.each(WAYS)(
  'in the mode "%s", an order is never printed twice and ends up printed, canceled or held',
  (way) => {
    const options = { way, steps: 14, seed: SEED };

    test('during faults in calls and workers', async () => {
      await playMany(() => world, { ...options, kind: 'faults', runs: RUNS });
    });

    test('while the order is changed or canceled in the store', async () => {
      await playMany(() => world, { ...options, kind: 'changes', runs: Math.ceil(RUNS / 3) });
    });

    test('after the database is restored', async () => {
      await playMany(() => world, { ...options, kind: 'restores', runs: Math.ceil(RUNS / 3) });
    });
  },
);
