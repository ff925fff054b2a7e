import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { play, playMany } from './play.ts';
import type { Step } from './steps.ts';
import { openWorld, type Way, type World } from './world.ts';

const WAYS: Way[] = ['draft', 'direct', 'direct, page alone'];

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** A run whose delays are bounded. */
const plot = (...steps: Step[]) => ({ isTimely: true, steps });

describe.each(WAYS)('submitted the way "%s"', (way) => {
  test('an order whose every call is answered is printed once', async () => {
    expect(await play(world, way, plot())).toEqual({ holds: [], live: 1 });
  });

  test('whatever goes wrong, an order is never printed twice, and ends printed, cancelled or held', async () => {
    await playMany(() => world, { way, kind: 'restores', steps: 10, runs: 4, seed: 7 });
  });
});

test('an order that the service takes at once and shows later is not held for want of its items', async () => {
  const steps = plot({ do: 'queue', seconds: 10 }, { do: 'flow', times: 4 });
  expect(await play(world, 'direct', steps)).toEqual({ holds: [], live: 1 });
});

test('a send that stood still past its deadline, and says so while another worker searches for its order, is not lost', async () => {
  const steps = plot(
    { do: 'at', operation: 'createOrder', fate: { is: 'frozen' } },
    { do: 'flow', times: 6 },
    { do: 'thaw', which: 0, fate: { is: 'ended', effect: 'now', ending: 'answered', late: 0 } },
  );
  expect(await play(world, 'direct', steps)).toEqual({ holds: [], live: 1 });
});

test('a search that is answered late takes back nothing of what was said of the order since', async () => {
  const steps = plot(
    { do: 'at', operation: 'searchOrders', fate: { is: 'frozen' } },
    { do: 'flow', times: 4 },
    { do: 'change', what: 'cancel the order' },
    { do: 'flow', times: 4 },
    { do: 'wait', seconds: 20 },
    { do: 'thaw', which: 0, fate: { is: 'ended', effect: 'now', ending: 'answered', late: 0 } },
  );
  expect(await play(world, 'direct, page alone', steps)).toEqual({ holds: ['cannot_cancel'], live: 1 });
});
