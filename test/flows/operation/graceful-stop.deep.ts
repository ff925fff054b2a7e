import { expect, onTestFinished, test } from 'vitest';
import { startPlaten } from '../../helpers/platen.ts';
import { eventually } from '../../helpers/eventually.ts';
import { startProcess, stopProcess } from './start-process.ts';

/** How long a process supervisor waits before it kills a process. */
const STOP_MS = 25_000;

test('a process that is stopped while it is working exits within 25 s, and the next process prints every order once', async () => {
  // This process only serves the endpoints. Jobs run in the processes that the test starts.
  const platen = await startPlaten({ time: 'real', environment: { ROLE: 'web' } });
  onTestFinished(() => platen.stop());
  const place = (count: number) =>
    Promise.all(Array.from({ length: count }, () => platen.placeSkus({ 'MUG-11OZ': 1 })));
  const lockedJobs = (): Promise<unknown[]> =>
    platen.app.db.query('select from graphile_worker.jobs where locked_by is not null');
  const orders = await place(8);
  const first = await startProcess(platen);
  orders.push(...(await place(4)));
  await expect.poll(async () => (await lockedJobs()).length, { interval: 10 }).toBeGreaterThan(0);
  const { code, ms } = await stopProcess(first);
  expect(code).toBe(0);
  expect(ms).toBeLessThan(STOP_MS);
  // The jobs are released, and their interruption does not count as the death of their process.
  expect(await lockedJobs()).toEqual([]);
  expect(await platen.app.db.query('select from job_deaths')).toEqual([]);
  const next = await startProcess(platen);
  const printed = () => Promise.all(orders.map(async ({ name }) => (await platen.printedFor(name)).length));
  await eventually(printed).toEqual(orders.map(() => 1));
  expect((await stopProcess(next)).code).toBe(0);
  expect(await printed()).toEqual(orders.map(() => 1));
});
