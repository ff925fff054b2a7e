import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { startDatabaseClock } from '../../src/database/start-database-clock.ts';
import { createLog } from '../../src/log.ts';
import { openApp } from '../../src/open-app.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';

const YEAR_MS = 365 * 86_400_000;
const NEAR_MS = 60_000;

let database: TestDatabase;
beforeEach(async () => void (database = await createTestDatabase()));
afterEach(async () => {
  vi.useRealTimers();
  await database.drop();
});

/** Returns the difference in milliseconds between a time and the database's time. */
async function differenceFromDatabase(time: Date): Promise<number> {
  const [row] = await database.db.query<{ now: Date }[]>('select clock_timestamp() as now');
  return Math.abs(time.getTime() - (row?.now.getTime() ?? NaN));
}

test.each([YEAR_MS, -YEAR_MS])(
  'the clock shows the database’s time even if the machine’s clock is off by %i ms',
  async (off) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + off });
    const { clock, stop } = await startDatabaseClock(database.db);
    onTestFinished(stop);
    expect(await differenceFromDatabase(clock.now())).toBeLessThan(NEAR_MS);
    expect(await differenceFromDatabase(new Date())).toBeGreaterThan(YEAR_MS / 2);
  },
);

test('the clock keeps following the database’s time and keeps advancing even if the machine’s clock is set back', async () => {
  const { clock, stop } = await startDatabaseClock(database.db);
  onTestFinished(stop);
  const first = clock.now();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - YEAR_MS });
  await database.db.query('select pg_sleep(0.02)');
  expect(clock.now().getTime()).toBeGreaterThan(first.getTime() + 10);
  expect(await differenceFromDatabase(clock.now())).toBeLessThan(NEAR_MS);
});

test('an app uses the time of its database', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + YEAR_MS });
  const home = join(tmpdir(), `platen-clock-${process.pid}`);
  const config = readConfig({
    DATABASE_URL: database.url,
    PLATEN_HOME: home,
    SHOPIFY_APP_URL: 'http://127.0.0.1:3000',
  });
  const opened = await openApp(config, createLog('silent'), { poolSize: 2, applicationName: 'platen test' });
  onTestFinished(() => opened.close());
  expect(await differenceFromDatabase(opened.app.clock.now())).toBeLessThan(NEAR_MS);
});
