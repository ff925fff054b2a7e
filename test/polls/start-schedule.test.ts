import { expect, onTestFinished, test } from 'vitest';
import { startSchedule } from '../../src/polls/start-schedule.ts';
import { allowConnections, openTestApp } from '../http/test-app.ts';

test('the polls log a database outage once when it starts and once when it ends', async () => {
  const app = await openTestApp();
  onTestFinished(() => app.close());
  const stop = startSchedule(app, 0.05);
  onTestFinished(stop);
  const passes = async () =>
    (await app.db.query<{ n: number }[]>('select count(*)::int as n from graphile_worker._private_jobs'))[0]?.n;
  const count = (text: string) => app.logged().split(text).length - 1;
  await allowConnections(app.databaseUrl, false);
  await expect.poll(() => count('polls cannot be enqueued')).toBe(1);
  await allowConnections(app.databaseUrl, true);
  await expect.poll(() => count('polls are enqueued again'), { timeout: 10_000 }).toBe(1);
  await expect.poll(passes).toBeGreaterThan(5);
  expect(count('polls cannot be enqueued')).toBe(1);
});
