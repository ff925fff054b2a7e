import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { App } from '../../../src/app.ts';
import { applyFix, listFixes } from '../../../src/cli/doctor/apply-fixes.ts';
import { examine } from '../../../src/cli/doctor/examine.ts';
import type { CheckName, Finding } from '../../../src/cli/doctor/finding.ts';
import type { OpenInstallation } from '../../../src/cli/doctor/gather/open-installation.ts';
import { findShop } from '../../../src/shops/find-shop.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { atTime } from '../../helpers/at-time.ts';

let sql: App['db'];
const reverts: (() => Promise<unknown>)[] = [];

testPlaten({ time: 'real', advanceSeconds: null });
beforeAll(async () => {
  sql = platen.app.db;
});
afterEach(async () => {
  for (const act of reverts.splice(0).toReversed()) await act();
});

function installation(app: App = platen.app): OpenInstallation {
  const settings = {
    isSandbox: true,
    hasMetricsToken: false,
    oldKeys: 0,
    hasOldSecret: false,
    checksPrintFiles: false,
  };
  const { options } = sql;
  return {
    configuration: { problems: [], nodeVersion: process.versions.node, settings },
    config: app.config,
    app,
    db: app.db,
    databaseUrl: 'url' in options ? String(options.url) : null,
    problem: null,
    close: async () => undefined,
  };
}

/** Returns the findings of a check that are problems. */
async function problemsOf(check: CheckName, app?: App): Promise<Finding[]> {
  const findings = await examine(installation(app));
  return findings.filter((finding) => finding.check === check && finding.level !== 'ok');
}

async function faults(of: 'print' | 'store', ...list: Record<string, unknown>[]): Promise<void> {
  reverts.push(() => platen.control(of, 'POST', '/faults', []));
  await platen.control(of, 'POST', '/faults', list);
}

test('a healthy installation has no problems', async () => {
  const findings = await examine(installation());
  const problems = findings.filter(({ level }) => level !== 'ok');
  // The tests' database server is deleted after the tests, so it does not protect commits against a crash.
  expect(problems.map(({ check, subject, level }) => `${level} ${check} ${subject}`)).toEqual([
    'error database fsync',
    'error database full_page_writes',
  ]);
  expect(new Set(findings.map(({ check }) => check)).size).toBe(12);
  expect(findings.find(({ check }) => check === 'shop')?.subject).toBe('demo.myshopify.com');
});

test('missing and unknown migrations are reported', async () => {
  const missing = 'AddFlowTriggers1795000000220';
  const [kept] = (await sql.query('delete from migrations where name = $1 returning *', [missing])) as [
    { id: number; timestamp: string; name: string }[],
  ];
  await sql.query(`insert into migrations (timestamp, name) values (1895000000000, 'FromTheFuture1895000000000')`);
  reverts.push(() => sql.query(`delete from migrations where name like 'FromTheFuture%'`));
  reverts.push(() =>
    sql.query('insert into migrations (timestamp, name) values ($1, $2)', [kept[0]?.timestamp, missing]),
  );
  const problems = await problemsOf('migrations');
  expect(problems).toMatchObject([
    { level: 'error', message: expect.stringContaining(missing), fix: { name: 'migrate' } },
    { level: 'warning', message: expect.stringContaining('FromTheFuture1895000000000') },
  ]);
  // A database without its tables is not checked further.
  expect((await examine(installation())).some(({ check }) => check === 'shop')).toBe(false);
});

test('a clock that differs from the database’s clock is reported', async () => {
  const late: App = atTime(platen.app, () => new Date(Date.now() + 90_000));
  expect(await problemsOf('clock', late)).toMatchObject([
    {
      level: 'error',
      subject: 'this server',
      message: "The database's clock is 90 seconds ahead of the clock of this server.",
    },
    { level: 'error', subject: 'the print service' },
    { level: 'error', subject: 'Shopify' },
  ]);
  const early: App = atTime(platen.app, () => new Date(Date.now() - 20_000));
  expect((await problemsOf('clock', early))[0]).toMatchObject({ level: 'warning', subject: 'this server' });
});

test('an encrypted value that the configured keys cannot decrypt is reported', async () => {
  const other = `v1.00000000.${'A'.repeat(16)}.${'A'.repeat(40)}`;
  await sql.query('create table kept_tokens as select * from shop_tokens');
  reverts.push(() => sql.query('drop table kept_tokens'));
  reverts.push(() =>
    sql.query(
      'update shop_tokens t set access_token_encrypted = k.access_token_encrypted from kept_tokens k where k.shop_id = t.shop_id',
    ),
  );
  await sql.query('update shop_tokens set access_token_encrypted = $1', [other]);
  expect(await problemsOf('keys')).toMatchObject([
    { level: 'error', subject: 'ENCRYPTION_KEY', message: expect.stringContaining('the key 00000000') },
    { level: 'error', subject: 'shop_tokens.access_token_encrypted', message: expect.stringContaining('1 of 1') },
  ]);
});

test('the fix stores events that were set aside', async () => {
  const spool = join(platen.app.config.home, 'spool');
  mkdirSync(spool, { recursive: true });
  reverts.push(async () => rmSync(spool, { recursive: true, force: true }));
  const line = JSON.stringify({
    tokenHash: 'x',
    headerProofs: [],
    receivedAt: '2026-01-01T00:00:00.000Z',
    rawBody: 'e30=',
  });
  writeFileSync(join(spool, 'set-aside.jsonl'), `${line}\n${line}\n`);
  const problems = await problemsOf('disk');
  expect(problems).toMatchObject(
    [{ level: 'warning', subject: 'set-aside.jsonl', message: /^2 print events/ }].map((one) => ({
      ...one,
      message: expect.stringMatching(one.message) as unknown,
    })),
  );
  const [fix] = listFixes(problems);
  expect(fix).toEqual({ name: 'store_events_set_aside' });
  await applyFix(installation(), fix!);
  // The running app takes over the file of a process that no longer runs. The events' token belongs to no shop, so the app drops the events.
  expect(readdirSync(spool)).not.toContain('set-aside.jsonl');
});

test('a public address is reported if nothing responds there, or if something other than Platen responds', async () => {
  const other = createServer((_request, response) => response.writeHead(302, { location: '/sign-in' }).end());
  await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  expect(await problemsOf('address', appAt(`http://127.0.0.1:${port}`))).toMatchObject([
    { level: 'error', message: expect.stringContaining('responded with status 302') },
  ]);
  await closeServer(other);
  expect(await problemsOf('address', appAt(`http://127.0.0.1:${port}`))).toMatchObject([
    { level: 'warning', message: expect.stringContaining('did not respond to this server (ECONNREFUSED)') },
  ]);
});

function appAt(appUrl: string): App {
  const { app } = platen;
  return { ...app, config: { ...app.config, shopify: { ...app.config.shopify, appUrl } } };
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => void server.close(() => resolve()));
}

test('the fix resumes the orders of a print key that works again', async () => {
  await sql.query(`update print_accounts set state = 'refused', refused_at = now()`);
  reverts.push(() => sql.query(`update print_accounts set state = 'working', refused_at = null`));
  const problems = await problemsOf('shop');
  expect(problems).toMatchObject([{ level: 'warning', fix: { name: 'resume_print_account' } }]);
  await applyFix(installation(), listFixes(problems)[0]!);
  expect(await sql.query('select state from print_accounts')).toEqual([{ state: 'working' }]);
});

test('a store that rejects this server’s address is reported', async () => {
  await faults('store', { kind: 'status', status: 403 });
  reverts.push(() => sql.query('update shops set admin_refused_at = null'));
  expect(await problemsOf('shop')).toMatchObject([
    {
      level: 'error',
      message: expect.stringContaining('Shopify has rejected this server since'),
      remedy: expect.stringContaining('IP allowlist'),
    },
  ]);
});

test('a fulfillment service that was deleted in the store is reported, and the fix creates it again', async () => {
  const before = await findShop(platen.app, platen.shop.id);
  await platen.control('store', 'POST', '/shops/demo.myshopify.com/delete-service', {});
  const problems = await problemsOf('shop');
  expect(problems).toMatchObject([
    { level: 'error', fix: { name: 'sync_fulfillment_service', shopId: platen.shop.id } },
  ]);
  await applyFix(installation(), listFixes(problems)[0]!);
  await expect
    .poll(async () => (await findShop(platen.app, platen.shop.id)).fulfillmentServiceId)
    .not.toBe(before.fulfillmentServiceId);
  expect(await problemsOf('shop')).toEqual([]);
});

test('tokens that the store no longer accepts are reported', async () => {
  await platen.control('store', 'POST', '/tokens/revoke', {});
  expect(await problemsOf('shop')).toMatchObject([
    {
      level: 'error',
      message: "The store no longer accepts Platen's tokens.",
      remedy: expect.stringContaining('Open Platen once'),
    },
  ]);
});
