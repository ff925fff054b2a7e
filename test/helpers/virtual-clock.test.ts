import pg from 'pg';
import { expect, inject, test, onTestFinished } from 'vitest';
import { useTestClock, eventually } from './eventually.ts';
import { openVirtualClock } from './virtual-clock.ts';

const DAY_MS = 86_400_000;

async function openClient(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: inject('databaseUrl') });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

test('fourteen days pass while nothing else happens', async () => {
  const clock = await openVirtualClock(null);
  onTestFinished(() => clock.close());
  const begun = clock.now().getTime();
  await clock.during(clock.sleep(14 * DAY_MS));
  expect(clock.now().getTime() - begun).toBe(14 * DAY_MS);
});

test('no time passes before a query ends', async () => {
  const client = await openClient();
  const clock = await openVirtualClock(null);
  onTestFinished(() => clock.close());
  const order: string[] = [];
  const slept = clock.sleep(1).then(() => order.push('a millisecond'));
  const asked = client.query('select pg_sleep(0.05)').then(() => order.push('the query'));
  await clock.during(Promise.all([slept, asked]));
  expect(order).toEqual(['the query', 'a millisecond']);
});

test('a test fails at once with what it waits for if nothing more can happen', async () => {
  await useTestClock();
  await expect(eventually(() => 'waiting').toBe('fulfilled')).rejects.toThrow("expected 'waiting' to be 'fulfilled'");
});

test('a test fails if something repeats without end while no time passes', async () => {
  const client = await openClient();
  const clock = await openVirtualClock(null, { maxSettleMs: 100 });
  onTestFinished(() => clock.close());
  let isRepeating = true;
  const repeat = async (): Promise<void> => {
    while (isRepeating) await client.query('select 1');
  };
  const repeating = repeat();
  await expect(clock.during(clock.sleep(1))).rejects.toThrow('Something repeats without end while no time passes.');
  isRepeating = false;
  await repeating;
});
