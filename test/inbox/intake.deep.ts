import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { countKept, openIntakeDoors } from './taking-in.ts';

let database: TestDatabase;
let doors: Awaited<ReturnType<typeof openIntakeDoors>>;

beforeEach(async () => {
  database = await createTestDatabase();
  doors = await openIntakeDoors(database.url);
});

afterEach(async () => {
  await doors.close();
  await database.drop();
});

/** Takes every connection of a pool, and returns a function that releases them. */
async function holdAll(db: DataSource, count: number): Promise<() => Promise<void>> {
  const runners = Array.from({ length: count }, () => db.createQueryRunner());
  await Promise.all(runners.map((runner) => runner.startTransaction()));
  return async () => {
    for (const runner of runners) {
      await runner.rollbackTransaction();
      await runner.release();
    }
  };
}

const times = <T>(count: number, one: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, () => one()));

test('deliveries are taken in while the jobs hold all their connections', async () => {
  const release = await holdAll(doors.app.db, 10);
  const answers = [...(await times(30, () => doors.deliver())), ...(await times(30, () => doors.report()))];
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  // None went through the spool: all were stored before they were answered.
  expect(await doors.spoolBytes()).toBe(0);
  await release();
  const kept = await countKept(doors.app.db);
  expect(answers.map(({ id }) => kept.get(id))).toEqual(answers.map(() => 1));
});

test("without a free connection the intake refuses Shopify's webhooks within the time limit, and spools events of the print service", async () => {
  const release = await holdAll(doors.app.intake, 5);
  const refused = await times(5, () => doors.deliver());
  for (const { status, ms } of refused) {
    expect(status).toBe(503);
    expect(ms).toBeLessThan(5_000);
  }
  const spooled = await times(5, () => doors.report());
  for (const { status, ms } of spooled) {
    expect(status).toBe(200);
    expect(ms).toBeLessThan(5_000);
  }
  expect((await countKept(doors.app.db)).size).toBe(0);
  expect(await doors.spoolBytes()).toBeGreaterThan(0);

  await release();
  for (const { id } of refused) expect((await doors.deliver(id)).status).toBe(200);
  await expect.poll(() => doors.spoolBytes()).toBe(0);
  const kept = await countKept(doors.app.db);
  expect([...refused, ...spooled].map(({ id }) => kept.get(id))).toEqual(Array.from({ length: 10 }, () => 1));
});
