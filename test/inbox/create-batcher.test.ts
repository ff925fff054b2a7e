import { expect, test } from 'vitest';
import { createBatcher } from '../../src/inbox/create-batcher.ts';
import { systemClock } from '../../src/clock.ts';

/** Calls `createBatcher` with a `run` function whose batches end only when the test ends them. */
function openBatcher(limits: { maxItems?: number; maxBytes?: number; maxWaiting?: number } = {}) {
  const batches: { items: string[]; end: () => void }[] = [];
  const add = createBatcher<string, string>({
    clock: systemClock,
    run: async (items) => {
      const gate = Promise.withResolvers<void>();
      batches.push({ items, end: gate.resolve });
      await gate.promise;
      return items.map((item) => `${item}!`);
    },
    bytesOf: (item) => item.length,
    maxItems: 100,
    maxBytes: 100,
    maxWaiting: 100,
    ...limits,
  });
  const endAll = async (): Promise<void> => {
    for (let ended = 0; ended < batches.length; ended += 1) {
      batches[ended]?.end();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { add, batches, endAll };
}

test('a batch stays within its item and byte limits, but always has at least one item', async () => {
  const { add, batches, endAll } = openBatcher({ maxItems: 3, maxBytes: 10 });
  const results = Promise.all(['first', '1', '2', '3', '4', 'x'.repeat(20), '5', 'y'.repeat(10)].map(add));
  await endAll();
  await results;
  expect(batches.map(({ items }) => items)).toEqual([
    ['first'],
    ['1', '2', '3'],
    ['4'],
    ['x'.repeat(20)],
    ['5'],
    ['y'.repeat(10)],
  ]);
});

test('only items beyond the limit for waiting items are refused', async () => {
  const { add, endAll } = openBatcher({ maxWaiting: 2 });
  const results = Promise.allSettled(['runs', 'waits', 'waits too', 'refused'].map(add));
  await endAll();
  expect(await results).toMatchObject([
    { value: 'runs!' },
    { value: 'waits!' },
    { value: 'waits too!' },
    { reason: { code: 'too_many_waiting' } },
  ]);
});
