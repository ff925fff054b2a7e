import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { runUnderLock } from '../../../src/shops/tokens/run-under-lock.ts';
import { openTestApp, type OpenTestApp } from '../../http/test-app.ts';

let app: OpenTestApp;
beforeAll(async () => void (app = await openTestApp()));
afterEach(() => vi.useRealTimers());
afterAll(() => app.close());

/** Starts calls to stores that do not respond until they are released. */
function hang(many: number) {
  const gate = Promise.withResolvers<void>();
  let running = 0;
  const runs = Array.from({ length: many }, () =>
    runUnderLock(app, 'RefreshToken', async () => {
      running += 1;
      await gate.promise;
      return 'done';
    }),
  );
  return { runs: Promise.allSettled(runs), running: () => running, release: () => gate.resolve() };
}

test('stores that do not respond leave database connections for other work', async () => {
  const stores = hang(30);
  await expect.poll(stores.running).toBe(5);
  await expect(Promise.all(Array.from({ length: 5 }, () => app.db.query('select 1 as one')))).resolves.toHaveLength(5);
  expect(stores.running()).toBe(5);
  stores.release();
  const settled = await stores.runs;
  expect(settled.every(({ status }) => status === 'fulfilled')).toBe(true);
});

test('a call that does not get its turn in time fails without effect and may be retried', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const stores = hang(6);
  await vi.waitFor(() => expect(stores.running()).toBe(5));
  vi.advanceTimersByTime(10_000);
  stores.release();
  vi.useRealTimers();
  const settled = await stores.runs;
  const [refused, ...others] = settled.filter(({ status }) => status === 'rejected');
  expect(others).toEqual([]);
  expect(refused).toMatchObject({ reason: { kind: 'timeout', effect: 'none', retryable: true } });
  expect(stores.running()).toBe(5);
});
