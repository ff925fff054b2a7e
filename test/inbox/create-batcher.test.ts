import { expect, test } from 'vitest';
import { createBatcher } from '../../src/inbox/create-batcher.ts';
import { systemClock } from '../../src/clock.ts';

/** Calls `createBatcher` with a `run` function whose batches end only when the test ends them. */
function openBatcher(maxWaiting: number) {
  const ends: (() => void)[] = [];
  const add = createBatcher<string, string>({
    clock: systemClock,
    run: async (items) => {
      const gate = Promise.withResolvers<void>();
      ends.push(gate.resolve);
      await gate.promise;
      return items.map((item) => `${item}!`);
    },
    bytesOf: (item) => item.length,
    maxItems: 100,
    maxBytes: 100,
    maxWaiting,
  });
  const endAll = async (): Promise<void> => {
    for (let ended = 0; ended < ends.length; ended += 1) {
      ends[ended]?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { add, endAll };
}

test('only items beyond the limit for waiting items are refused', async () => {
  const { add, endAll } = openBatcher(2);
  const results = Promise.allSettled(['runs', 'waits', 'waits too', 'refused'].map(add));
  await endAll();
  expect(await results).toMatchObject([
    { value: 'runs!' },
    { value: 'waits!' },
    { value: 'waits too!' },
    { reason: { code: 'too_many_waiting' } },
  ]);
});
