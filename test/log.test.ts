import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { countLostLines, createLog, levelOf, withLogFields } from '../src/log.ts';
import { PlatenError } from '../src/errors.ts';
import { PrintServiceError } from '../src/print/errors.ts';
import { runPass } from '../src/polls/run-pass.ts';
import { startJobRunner } from '../src/jobs/runner/start-job-runner.ts';
import { toTasks } from '../src/tasks.ts';
import { createDomainLookup } from '../src/shops/create-domain-lookup.ts';
import { addShop, openTestApp } from './http/test-app.ts';
import { systemClock } from '../src/clock.ts';

function openLog(level = 'debug') {
  const folder = mkdtempSync(join(tmpdir(), 'platen-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'log');
  const read = () =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { log: createLog(level, file), read };
}

test('log lines name a shop only if they are written while working for that shop', async () => {
  const { log, read } = openLog();
  const work = (shop: string) =>
    withLogFields({ shop }, async () => {
      await setImmediate();
      log.child({ requestId: '1' }).warn({ operation: 'Read' }, 'it waits');
    });
  await Promise.all([work('one.myshopify.com'), work('two.myshopify.com')]);
  log.warn('it is over');
  expect(read()).toMatchObject([
    { shop: 'one.myshopify.com', operation: 'Read', requestId: '1' },
    { shop: 'two.myshopify.com', operation: 'Read' },
    { msg: 'it is over' },
  ]);
  expect(read()[2]).not.toHaveProperty('shop');
});

test('a failure is logged as a warning, at level info if Platen retries it, and at level debug during a reported outage', () => {
  const failure = (outcome: 'refused' | 'unavailable') =>
    new PrintServiceError({ operation: 'getOrder', outcome, reason: 'status' });
  expect(levelOf(failure('refused'))).toBe('warn');
  expect(levelOf(failure('unavailable'))).toBe('info');
  expect(levelOf(Object.assign(failure('unavailable'), { isDuringOutage: true }))).toBe('debug');
  expect(levelOf(new PlatenError('other', 'Something else.'))).toBe('warn');
  expect(levelOf(new TypeError('Something else.'))).toBe('warn');
});

test('the log entry of a poll has an error code only if the poll reported an error', async () => {
  const { log, read } = openLog();
  const app = await openTestApp();
  onTestFinished(() => app.close());
  await runPass({ ...app, log }, { pass: 'catch_up_packages' }, async () => ({ found: 1, fixed: 0, error: null }));
  await runPass({ ...app, log }, { pass: 'catch_up_packages' }, async () => ({ found: 0, fixed: 0 }));
  await runPass({ ...app, log }, { pass: 'catch_up_packages' }, async () => ({
    found: 1,
    fixed: 0,
    error: 'print_out',
  }));
  const [found, nothing, failed] = read();
  expect(found).not.toHaveProperty('error');
  expect(nothing).not.toHaveProperty('error');
  expect(failed).toMatchObject({ error: 'print_out' });
});

test('the log entry of a failed job names the shop, regardless of the payload', async () => {
  const { log, read } = openLog();
  const app = await openTestApp();
  onTestFinished(() => app.close());
  const shop = await addShop(app.db);
  const [{ id: orderId }]: [{ id: string }] = await app.db.query(
    `insert into storefront_orders (shop_id, shopify_order_id, name, placed_at) values ($1, 'gid://shopify/Order/1', '#1', now()) returning id`,
    [shop.id],
  );
  const fails = () => Promise.reject(new Error('broken'));
  const tasks = { ...toTasks(app), resume_shop: fails, update_store: fails };
  const runner = await startJobRunner({
    clock: systemClock,
    databaseUrl: app.databaseUrl,
    tasks,
    concurrency: 1,
    log,
    nameShop: createDomainLookup(app),
  });
  onTestFinished(() => runner.stop());
  await app.jobs.enqueue(app.db, 'resume_shop', { shopId: shop.id });
  await app.jobs.enqueue(app.db, 'update_store', { storefrontOrderId: orderId });
  const failures = () => read().filter(({ msg }) => msg === 'a job failed and will be retried');
  await expect.poll(() => failures().length, { timeout: 10_000 }).toBe(2);
  expect(failures()).toMatchObject([
    { level: 40, task: 'resume_shop', shop: shop.domain },
    { level: 40, task: 'update_store', shop: shop.domain },
  ]);
});

test('a full disk makes no log call fail, and the lines that it costs are counted', () => {
  // Every write to this device fails as on a full disk.
  const log = createLog('info', '/dev/full');
  const before = countLostLines();
  for (let line = 0; line < 2_000; line += 1) log.warn({ text: 'x'.repeat(200) }, 'it waits');
  expect(countLostLines() - before).toBeGreaterThan(500);
});
