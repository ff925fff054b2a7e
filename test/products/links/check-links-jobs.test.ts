import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { enqueueCheckLinks } from '../../../src/products/links/enqueue-check-links.ts';
import { addShop, openTestApp, type TestApp } from '../../http/test-app.ts';

let app: TestApp;
beforeAll(async () => void (app = await openTestApp()));
beforeEach(() => app.db.query('delete from graphile_worker._private_jobs'));
afterAll(() => app.close());

const waiting = (): Promise<{ shop: number; queue: string }[]> =>
  app.db.query(
    `select substring(key from '\\d+')::int as shop, queue_name as queue from graphile_worker.jobs
     where task_identifier = 'check_print_links' order by priority, run_at, id`,
  );

test('print links are checked one shop at a time, and a shop that saves more links keeps its place in the queue', async () => {
  const [first, second] = [await addShop(app.db), await addShop(app.db)];
  for (const { id } of [first, second, first]) await enqueueCheckLinks(app.db, { shopId: id });
  const jobs = await waiting();
  expect(jobs.map(({ shop }) => shop)).toEqual([first.id, second.id]);
  expect(new Set(jobs.map(({ queue }) => queue)).size).toBe(1);
});

test('a scheduled check is a separate job from an immediate check', async () => {
  const { id } = await addShop(app.db);
  await enqueueCheckLinks(app.db, { shopId: id });
  await enqueueCheckLinks(app.db, { shopId: id }, new Date(Date.now() + 3_600_000));
  expect((await waiting()).filter(({ shop }) => shop === id)).toHaveLength(2);
});
