import { afterAll, beforeAll, expect, test } from 'vitest';
import { enqueuePlan } from '../../../src/orders/enqueue/enqueue-plan.ts';
import { openTestApp, type OpenTestApp } from '../../http/test-app.ts';

let app: OpenTestApp;
beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());

const read = () => app.db.query('select key, run_at from graphile_worker.jobs order by id');

test('a waiting plan job keeps its run time when another plan is requested, even alongside a scheduled plan', async () => {
  const later = new Date(Date.now() + 3_600_000);
  await enqueuePlan(app.db.manager, '1');
  await enqueuePlan(app.db.manager, '1', new Date(later.getTime() + 60_000));
  const [first] = await read();
  await enqueuePlan(app.db.manager, '1');
  await enqueuePlan(app.db.manager, '1', later);
  expect(await read()).toEqual([
    { key: 'plan:1', run_at: first.run_at },
    { key: 'plan-later:1', run_at: later },
  ]);
});
