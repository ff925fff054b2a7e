import { afterAll, beforeAll, expect, test } from 'vitest';
import { play } from './play.ts';
import type { Step } from './steps.ts';
import { openWorld, type Way, type World } from './world.ts';

const WAYS: Way[] = ['draft', 'direct', 'direct without extended calls'];

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** Returns a run whose delays are bounded. */
const plot = (...steps: Step[]) => ({ isTimely: true, steps });

test.each(WAYS)('in the mode "%s", an order is printed once if every request gets a response', async (way) => {
  expect(await play(world, way, plot())).toEqual({ holds: [], live: 1 });
});

test('an order that the service accepts immediately but shows only later is not held for missing items', async () => {
  const steps = plot({ do: 'queue', seconds: 10 }, { do: 'flow', times: 4 });
  expect(await play(world, 'direct', steps)).toEqual({ holds: [], live: 1 });
});

test('an order is not lost if its create request misses the send deadline while another worker searches', async () => {
  const steps = plot(
    { do: 'at', operation: 'createOrder', fate: { is: 'frozen' } },
    { do: 'flow', times: 6 },
    { do: 'thaw', which: 0, fate: { is: 'ended', effect: 'now', ending: 'answered', late: 0 } },
  );
  expect(await play(world, 'direct', steps)).toEqual({ holds: [], live: 1 });
});

test('a late search response does not overwrite newer data about the order', async () => {
  const steps = plot(
    { do: 'at', operation: 'searchOrders', fate: { is: 'frozen' } },
    { do: 'flow', times: 4 },
    { do: 'change', what: 'cancel the order' },
    { do: 'flow', times: 4 },
    { do: 'wait', seconds: 20 },
    { do: 'thaw', which: 0, fate: { is: 'ended', effect: 'now', ending: 'answered', late: 0 } },
  );
  expect(await play(world, 'direct without extended calls', steps)).toEqual({ holds: ['cannot_cancel'], live: 1 });
});
