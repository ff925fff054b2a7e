import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createLog, levelOf, withLogFields } from '../src/log.ts';
import { PlatenError } from '../src/errors.ts';
import { PrintServiceError } from '../src/print/errors.ts';
import { runPass } from '../src/polls/run-pass.ts';
import { startJobRunner } from '../src/jobs/runner/start-job-runner.ts';
import { toTasks } from '../src/tasks.ts';
import { nameShops } from '../src/shops/name-shops.ts';
import { addShop, openTestApp } from './http/test-app.ts';

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

test('log lines of work for a shop name the shop, and other lines do not', async () => {
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

test('a failure is a warning unless Platen retries it, and not logged while its outage is reported', () => {
  const failure = (outcome: 'refused' | 'unavailable') =>
    new PrintServiceError({ operation: 'getOrder', outcome, reason: 'status' });
  expect(levelOf(failure('refused'))).toBe('warn');
  expect(levelOf(failure('unavailable'))).toBe('info');
  expect(levelOf(Object.assign(failure('unavailable'), { isDuringOutage: true }))).toBe('debug');
  expect(levelOf(new PlatenError('other', 'Something else.'))).toBe('warn');
  expect(levelOf(new TypeError('Something else.'))).toBe('warn');
});

test('a successful poll has no error key in the log, and one that left something out has its code', async () => {
  const { log, read } = openLog();
  const app = await openTestApp();
  onTestFinished(() => app.close());
  await runPass({ ...app, log }, { pass: 'catch_up_packages' }, async () => ({ found: 1, mended: 0, error: null }));
  await runPass({ ...app, log }, { pass: 'catch_up_packages' }, async () => ({ found: 0, mended: 0 }));
  await runPass({ ...app, log }, { pass: 'catch_up_packages' }, async () => ({
    found: 1,
    mended: 0,
    error: 'print_out',
  }));
  const [found, nothing, failed] = read();
  expect(found).not.toHaveProperty('error');
  expect(nothing).not.toHaveProperty('error');
  expect(failed).toMatchObject({ error: 'print_out' });
});

test('the failure of a job names its shop, whatever its payload contains', async () => {
  const { log, read } = openLog();
  const app = await openTestApp();
  onTestFinished(() => app.close());
  const shop = await addShop(app.db);
  const [{ id: orderId }]: [{ id: string }] = await app.db.query(
    `insert into storefront_orders (shop_id, shopify_order_id, name, placed_at) values ($1, 'gid://shopify/Order/1', '#1', now()) returning id`,
    [shop.id],
  );
  const fails = () => Promise.reject(new Error('broken'));
  const tasks = { ...toTasks(app), resume_shop: fails, tell_store: fails };
  const runner = await startJobRunner({
    databaseUrl: app.databaseUrl,
    tasks,
    concurrency: 1,
    log,
    nameShop: nameShops(app),
  });
  onTestFinished(() => runner.stop());
  await app.jobs.enqueue(app.db, 'resume_shop', { shopId: shop.id });
  await app.jobs.enqueue(app.db, 'tell_store', { storefrontOrderId: orderId });
  const failures = () => read().filter(({ msg }) => msg === 'a job failed and will be retried');
  await expect.poll(() => failures().length, { timeout: 10_000 }).toBe(2);
  expect(failures()).toMatchObject([
    { level: 40, task: 'resume_shop', shop: shop.domain },
    { level: 40, task: 'tell_store', shop: shop.domain },
  ]);
});
