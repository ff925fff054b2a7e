import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { countStored, openIntakeEndpoints } from './intake-endpoints.ts';

let database: TestDatabase;
let endpoints: Awaited<ReturnType<typeof openIntakeEndpoints>>;

beforeEach(async () => {
  database = await createTestDatabase();
  endpoints = await openIntakeEndpoints(database.url);
});

afterEach(async () => {
  await endpoints.close();
  await database.drop();
});

/** Occupies every connection of a pool. Returns a function that releases the connections. */
async function occupyConnections(db: DataSource, count: number): Promise<() => Promise<void>> {
  const runners = Array.from({ length: count }, () => db.createQueryRunner());
  await Promise.all(runners.map((runner) => runner.startTransaction()));
  return async () => {
    for (const runner of runners) {
      await runner.rollbackTransaction();
      await runner.release();
    }
  };
}

const runTimes = <T>(count: number, one: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, () => one()));

test('deliveries are accepted while jobs use all their connections', async () => {
  const release = await occupyConnections(endpoints.app.db, 10);
  const answers = [
    ...(await runTimes(30, () => endpoints.deliver())),
    ...(await runTimes(30, () => endpoints.report())),
  ];
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  // No delivery was spooled, because all deliveries were stored before the response.
  expect(await endpoints.spoolBytes()).toBe(0);
  await release();
  const kept = await countStored(endpoints.app.db);
  expect(answers.map(({ id }) => kept.get(id))).toEqual(answers.map(() => 1));
});

test('without a free connection, webhooks are refused within the time limit and events are spooled', async () => {
  const release = await occupyConnections(endpoints.app.intake, 5);
  const refused = await runTimes(5, () => endpoints.deliver());
  for (const { status, ms } of refused) {
    expect(status).toBe(503);
    expect(ms).toBeLessThan(5_000);
  }
  const spooled = await runTimes(5, () => endpoints.report());
  for (const { status, ms } of spooled) {
    expect(status).toBe(200);
    expect(ms).toBeLessThan(5_000);
  }
  expect((await countStored(endpoints.app.db)).size).toBe(0);
  expect(await endpoints.spoolBytes()).toBeGreaterThan(0);

  await release();
  for (const { id } of refused) expect((await endpoints.deliver(id)).status).toBe(200);
  await expect.poll(() => endpoints.spoolBytes()).toBe(0);
  const kept = await countStored(endpoints.app.db);
  expect([...refused, ...spooled].map(({ id }) => kept.get(id))).toEqual(Array.from({ length: 10 }, () => 1));
});
