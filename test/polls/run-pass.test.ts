import { Registry } from 'prom-client';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addPollMetrics } from '../../src/http/ops/poll-metrics.ts';
import { readPollPasses, type PollReadings } from '../../src/polls/read-poll-passes.ts';
import { PlatenError } from '../../src/errors.ts';
import { runPass } from '../../src/polls/run-pass.ts';
import { toTasks } from '../../src/tasks.ts';
import { addShop, readJobPayloads, openTestApp, type TestApp } from '../http/test-app.ts';
import { atTime } from '../helpers/at-time.ts';

let app: TestApp;
beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());
beforeEach(() => app.db.query('delete from poll_passes; delete from shops; delete from graphile_worker._private_jobs'));

const rows = () =>
  app.db.query(
    // The column keeps its old name until it can be renamed (docs/decisions/0039-columns-leave-in-two-steps.md).
    'select pass, shop_id, found, mended as fixed, runs, failures, last_error, last_succeeded_at is null as "neverSucceeded" from poll_passes order by pass, shop_id',
  );

test('the results of passes accumulate, and a failure is counted with its code and rethrown', async () => {
  const pass = 'catch_up_packages';
  await runPass(app, { pass }, async () => ({ found: 3, fixed: 2 }));
  expect(app.logged()).toMatch(/"level":30.*"found":3,"fixed":2.*a poll found changes/);
  await runPass(app, { pass }, async () => ({ found: 0, fixed: 0 }));
  const failure = new PlatenError('shopify_timeout', 'It says canary@person.example.');
  await expect(runPass(app, { pass }, () => Promise.reject(failure))).rejects.toBe(failure);
  const [{ runs, found, fixed, failures, last_error: code }] = await rows();
  expect([runs, found, fixed, failures, code]).toEqual(['3', '3', '2', '1', 'shopify_timeout']);
  await runPass(app, { pass }, async () => ({ found: 1, fixed: 0, error: 'print_service_unavailable' }));
  expect(await rows()).toMatchObject([{ runs: '4', failures: '2', last_error: 'print_service_unavailable' }]);
  expect(JSON.stringify(await app.db.query('select * from poll_passes'))).not.toContain('canary');
});

test('each shop has its own row, and a shop erased during the pass has none', async () => {
  const pass = 'catch_up_storefront_orders';
  const [one, other] = [await addShop(app.db), await addShop(app.db)];
  for (const { id: shopId } of [one, other, one])
    await runPass(app, { pass, shopId }, async () => ({ found: 1, fixed: 1 }));
  await runPass(app, { pass, shopId: other.id + 1000 }, async () => ({ found: 1, fixed: 1 }));
  expect(await rows()).toMatchObject([
    { shop_id: one.id, runs: '2', found: '2' },
    { shop_id: other.id, runs: '1', found: '1' },
  ]);
  const { passes } = await readPollPasses(app);
  expect(passes).toMatchObject([{ pass, runs: 3, found: 3, fixed: 3, failures: 0, lastFound: 2 }]);
});

test('the metrics cover the passes of all replicas, and keep their last values during a database outage', async () => {
  await runPass(app, { pass: 'catch_up_uncertain' }, async () => ({ found: 4, fixed: 1 }));
  await runPass(app, { pass: 'check_stuck' }, async () => ({ found: 2, fixed: 0 }));
  const registry = new Registry();
  let isAway = false;
  let readings = 0;
  const read = (): Promise<PollReadings> => {
    readings += 1;
    const later = atTime(app, () => new Date(Date.now() + 90_000));
    return isAway ? Promise.reject(new Error('away')) : readPollPasses(later);
  };
  addPollMetrics(registry, read);
  const text = await registry.metrics();
  expect(readings).toBe(1);
  for (const line of [
    'platen_poll_runs_total{pass="catch_up_uncertain"} 1',
    'platen_poll_found_total{pass="catch_up_uncertain"} 4',
    'platen_poll_fixed_total{pass="catch_up_uncertain"} 1',
    'platen_poll_failures_total{pass="catch_up_uncertain"} 0',
    'platen_stuck_print_orders 2',
    'platen_silent_shops{source="print"} 0',
    'platen_state_moves_refused_total 0',
  ])
    expect(text).toContain(`${line}\n`);
  const seconds = Number(/platen_poll_last_success_seconds\{pass="check_stuck"\} ([\d.]+)/.exec(text)?.[1]);
  expect(seconds).toBeGreaterThan(89);
  isAway = true;
  expect(await registry.metrics()).toContain('platen_poll_runs_total{pass="catch_up_uncertain"} 1\n');
});

test('a pass that runs per shop covers every installed shop, even beyond the first page', async () => {
  await app.db.query(
    `insert into shops (domain, currency, takes_orders_from, state)
     select n || '.myshopify.com', 'USD', now(), case when n = 3 then 'uninstalled' else 'installed' end from generate_series(1, 520) n`,
  );
  await toTasks(app).catch_up_shops({ pass: 'catch_up_storefront_orders' });
  const shopIds = (await readJobPayloads(app.db, 'catch_up_storefront_orders')).map(({ shopId }) => shopId);
  expect(new Set(shopIds)).toHaveLength(519);
  expect(shopIds).toHaveLength(519);
});
