import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { Shops } from '../../src/database/entities/shops.ts';
import { refuseMissingHome } from '../../src/refuse-missing-home.ts';
import { ensureInstallation, readInstallation } from '../../src/shops/install/installation.ts';
import { addShop, openTestApp, type OpenTestApp } from '../http/test-app.ts';
import { runPlaten, runPlatenOn, type Ran } from './run-platen.ts';

let app: OpenTestApp;

beforeAll(async () => {
  app = await openTestApp();
  await addShop(app.db, 'known.myshopify.com');
});
afterAll(() => app.close());

const platen = (line: string): Promise<Ran> => runPlatenOn(app, line.split(' '));

test('platen without arguments, and platen help, show the help of all commands, of a group or of one command', async () => {
  const ran = await runPlatenOn(app, []);
  expect(ran).toEqual(await platen('help'));
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(ran.stdout).toMatch(/^Usage: platen COMMAND[^]*^ {2}shops list +List all shops$/m);
  const retry = await platen('orders retry --help');
  expect(retry).toEqual(await platen('help orders retry'));
  expect(retry.stdout).toMatch(/^Usage: platen orders retry \[ORDER…\] --shop SHOP .*\[--hold CODE\]/);
  expect(retry.stdout).toMatch(
    /^ {2}--shop SHOP +the shop's domain[^]*^Examples:\n {2}platen orders retry '#1001' --shop demo$/m,
  );
  expect((await platen('shops set -h')).stdout).toMatch(/^Settings:\n[^]*^ {2}delayMinutes +Minutes/m);
  expect((await platen('--version')).stdout).toMatch(/^platen \d+\.\d+\.\d+\n$/);
  expect((await platen('orders')).stdout).toMatch(/^ {2}platen orders list +List/m);
});

test.each([
  ['orders burn', 'The command orders burn does not exist. See "platen help".\n'],
  ['orders cancel', 'The shop is missing: enter its domain with --shop. See "platen orders cancel --help".\n'],
  ['shops list --csv', 'Unknown option \'--csv\'. See "platen shops list --help".\n'],
  [
    'orders show --shop known',
    'ORDER is missing: enter an order\'s name, such as #1001, or its ID. See "platen orders',
  ],
  ['migrate now', 'Unexpected argument: now. See "platen migrate --help".\n'],
  ['products list known other', 'Unexpected argument: other.'],
  ['products list --shop known --status lost', '--status must be one of created'],
  ['orders approve --shop known', 'ORDER is missing'],
  ['orders approve --all #1 --shop known', '--all cannot be combined with ORDER'],
  ['orders retry #1 #2 --print-order p --shop known', '--print-order applies to one order'],
  ['orders retry --all --shop known', '--hold is missing: enter one of '],
  ['orders retry --all --hold needs_approval --shop known', '--hold needs_approval is invalid'],
  ['orders retry #1 --hold no_address --shop known', '--hold requires --all'],
  ['orders costs known --json --csv', 'not both'],
  ['links set --shop known --product mug', 'LINK is missing'],
  ['links set 1 --shop known', '--product is missing'],
  ['links copy 42 --shop known', 'LINK is missing'],
  ['privacy redact known x', 'ORDER_ID is invalid'],
  ['upgrade', 'Add --preflight'],
  ['doctor --yes', '--yes requires --fix.'],
  ['doctor --with-shops', '--with-shops requires --report.'],
])('platen %s is an invalid command line', async (line, message) => {
  expect(await platen(line)).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
});

test.each([
  ['shops show nobody --json', 'Platen does not know the shop nobody.myshopify.com. To install Platen there, open it'],
  ['products list nobody', 'Platen does not know the shop nobody.myshopify.com'],
  ['orders costs known --since soon', 'since: must be a day'],
  ['backfill --shop known --since monday', 'since: must be a day'],
  ['links set 1 --shop known --product mug?', 'productUid: must be a product UID'],
  ['links set x --shop known --product mug', 'variantId: must be a variant ID'],
  ['links delete 99 --shop known', 'There is no print link for variant 99.'],
  ['links import /nowhere/missing.csv --shop known', 'cannot be read'],
])('platen %s fails with one sentence', async (line, message) => {
  const ran = await platen(line);
  expect(ran).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(message) });
  expect(ran.stderr).toMatch(/^[^\n]+\n$/);
});

test('a database that cannot be reached is reported in one line', async () => {
  const environment = { PLATEN_HOME: app.config.home, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/platen' };
  const ran = await runPlaten(['shops', 'list', '--json'], environment);
  expect(ran).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(/^Platen failed: [^\n]+\n$/) });
});

test('a command creates nothing in a folder without a Platen database or key, and says so', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'platen-elsewhere-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const args of [['shops', 'list'], ['migrate']]) {
    const ran = await runPlaten(args, {}, folder);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toMatch(
      /^No Platen database was found: DATABASE_URL is not set, and PLATEN_HOME \(\S+\) does not contain one\. /,
    );
  }
  const keyless = await runPlaten(['shops', 'list'], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/platen' }, folder);
  expect(keyless).toMatchObject({ code: 1, stderr: expect.stringContaining('No encryption key was found') });
  expect(readdirSync(folder)).toEqual([]);
  // Without a database, only a command that may create one runs.
  const home = join(folder, 'not-there');
  const allow = (environment: NodeJS.ProcessEnv, mayCreate: boolean) => () =>
    refuseMissingHome({ PLATEN_HOME: home, ...environment }, { mayCreate });
  for (const environment of [{ DATABASE_URL: 'embedded' }, { PLATEN_HOME: folder }]) {
    expect(allow(environment, true)).not.toThrow();
    expect(allow(environment, false)).toThrow('No Platen database was found');
  }
  expect(allow({ DATABASE_URL: 'postgres://localhost/platen' }, true)).not.toThrow();
  expect(allow({ DATABASE_URL: 'postgres://localhost/platen', ENCRYPTION_KEY: 'key' }, false)).not.toThrow();
});

test('platen restored starts a quiet time, but on a live system only after a confirmation', async () => {
  expect(await platen('restored')).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('Set PLATEN_HOME or DATABASE_URL'),
  });
  await ensureInstallation(app);
  const before = Date.now();
  const ran = await platen('restored');
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  const { quietUntil } = await readInstallation(app);
  expect(quietUntil?.getTime()).toBeGreaterThanOrEqual(before + 600_000);
  const [first, ...stores] = ran.stdout.trimEnd().split('\n');
  expect(first).toBe(`No print orders are submitted before ${quietUntil?.toISOString()}.`);
  // The test's shop has no tokens, so someone must open the app once in it.
  expect(await app.db.manager.findBy(Shops, { state: 'needs_sign_in' })).toHaveLength(1);
  expect(stores).toEqual([expect.stringContaining('known.myshopify.com rejects the tokens in the backup')]);

  await app.db.query('update installation set quiet_until = null');
  const worker = new pg.Client({ connectionString: app.databaseUrl, application_name: 'platen runner' });
  await worker.connect();
  onTestFinished(() => worker.end());
  const refused = await platen('restored');
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(
    /1 worker is running on this database.* stops all sending for 15 minutes\. Nothing was changed\. To proceed, add --yes/,
  );
  expect(await readInstallation(app)).toMatchObject({ quietUntil: null });
  expect(await platen('restored --yes')).toMatchObject({ code: 0, stderr: '' });
  const { quietUntil: begun } = await readInstallation(app);
  expect(begun?.getTime()).toBeGreaterThan(Date.now());
  const unconfirmed = await platen('restored --end');
  expect(unconfirmed).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('no other Platen process'),
  });
  expect(await readInstallation(app)).toMatchObject({ quietUntil: begun });
  expect((await platen('restored --end --yes')).stdout).toBe(
    `The quiet time, which would have lasted until ${begun?.toISOString()}, has ended.\n`,
  );
  expect((await readInstallation(app)).quietUntil?.getTime()).toBeLessThanOrEqual(Date.now());
});
