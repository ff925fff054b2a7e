import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { StorefrontOrders } from '../../src/database/entities/orders.ts';
import { Shops } from '../../src/database/entities/shops.ts';
import { openEmbeddedDatabase } from '../../src/database/embedded.ts';
import { ensureInstallation, readInstallation } from '../../src/shops/install/installation.ts';
import { addShop, openTestApp, type OpenTestApp } from '../http/test-app.ts';
import { runPlaten, runPlatenOn } from './run-platen.ts';
import type { Ran } from './run-platen.ts';

let app: OpenTestApp;

beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());

function platen(args: string[], environment: Record<string, string> = {}): Promise<Ran> {
  return runPlatenOn(app, args, environment);
}

test('platen orders list shows the orders of one shop as a table or as one JSON array', async () => {
  const shop = await addShop(app.db, 'orders.myshopify.com');
  expect((await platen(['orders', 'list', '--shop', 'orders', '--json'])).stdout).toBe('[]\n');
  await app.db.getRepository(StorefrontOrders).insert(
    [1002, 1001].map((number) => ({
      shopId: shop.id,
      shopifyOrderId: `gid://shopify/Order/${number}`,
      name: `#${number}`,
      placedAt: new Date(Date.UTC(2026, 10, 1, 0, 0, number)),
    })),
  );
  const json = await platen(['orders', 'list', '--shop', 'orders.myshopify.com', '--json']);
  expect(json).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(json.stdout)).toEqual(
    [1001, 1002].map((number) => ({
      orderId: `gid://shopify/Order/${number}`,
      name: `#${number}`,
      placedAt: new Date(Date.UTC(2026, 10, 1, 0, 0, number)).toISOString(),
      state: 'waiting',
      label: 'waiting',
      holds: [],
      printOrders: [],
      waits: expect.any(Array),
    })),
  );
  const table = await platen(['orders', 'list', '--shop', 'orders']);
  expect(table.stdout).toMatch(/^ORDER +STATE .*\n#1001 +waiting[^\n]*\n#1002 +waiting[^\n]*\n$/);
});

test('platen restored starts a quiet time, and rejects a database without an installed shop', async () => {
  const refused = await platen(['restored']);
  expect(refused).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('Set PLATEN_HOME or DATABASE_URL'),
  });
  await ensureInstallation(app);
  await addShop(app.db);
  const before = Date.now();
  const ran = await platen(['restored'], { SUBMIT_QUIET_SECONDS: '600' });
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  const { quietUntil } = await readInstallation(app);
  expect(quietUntil?.getTime()).toBeGreaterThanOrEqual(before + 600_000);
  const [first, ...stores] = ran.stdout.trimEnd().split('\n');
  expect(first).toBe(`No print orders are submitted before ${quietUntil?.toISOString()}.`);
  // The test's shops have no tokens, so someone must open the app once in each shop.
  const shops = await app.db.manager.findBy(Shops, { state: 'needs_sign_in' });
  expect(shops.length).toBeGreaterThan(0);
  expect(stores).toEqual(
    shops.map(({ domain }) => expect.stringContaining(`${domain} rejects the tokens in the backup`)),
  );
});

describe('platen restored on a live system', () => {
  let worker: pg.Client;

  beforeAll(async () => {
    await ensureInstallation(app);
    worker = new pg.Client({ connectionString: app.databaseUrl, application_name: 'platen runner' });
    await worker.connect();
  });
  beforeEach(async () => void (await app.db.query('update installation set quiet_until = null')));
  afterAll(() => worker.end());

  test('platen restored does not stop sending unless the operator confirms', async () => {
    const ran = await platen(['restored']);
    expect(ran).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('1 worker is running on this database'),
    });
    expect(ran.stderr).toMatch(/stops all sending for 15 minutes\. Nothing was changed\. To proceed, add --yes/);
    expect(await readInstallation(app)).toMatchObject({ quietUntil: null });
  });

  test('platen restored --yes starts the quiet time, and --end --yes ends it', async () => {
    expect(await platen(['restored', '--yes'])).toMatchObject({ code: 0, stderr: '' });
    const { quietUntil } = await readInstallation(app);
    expect(quietUntil?.getTime()).toBeGreaterThan(Date.now());
    const refused = await platen(['restored', '--end']);
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('no other Platen process') });
    expect(await readInstallation(app)).toMatchObject({ quietUntil });
    const ended = await platen(['restored', '--end', '--yes']);
    expect(ended.stdout).toBe(
      `The quiet time, which would have lasted until ${quietUntil?.toISOString()}, has ended.\n`,
    );
    expect((await readInstallation(app)).quietUntil?.getTime()).toBeLessThanOrEqual(Date.now());
  });
});

describe('the command line', () => {
  test('platen help and platen without arguments both show the help', async () => {
    const ran = await platen([]);
    expect(ran).toEqual(await platen(['help']));
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toMatch(/^Usage: platen COMMAND[^]*^ {2}shops list +List all shops$/m);
  });

  test('platen shows its version and the help of a command or a group', async () => {
    const ran = await platen(['orders', 'retry', '--help']);
    expect(ran).toEqual(await platen(['help', 'orders', 'retry']));
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toMatch(/^Usage: platen orders retry \[ORDER…\] --shop SHOP .*\[--hold CODE\]/);
    expect(ran.stdout).toMatch(
      /^ {2}--shop SHOP +the shop's domain[^]*^Examples:\n {2}platen orders retry '#1001' --shop demo$/m,
    );
    expect((await platen(['shops', 'set', '-h'])).stdout).toMatch(/^Settings:\n[^]*^ {2}delayMinutes +Minutes/m);
    expect((await platen(['--version'])).stdout).toMatch(/^platen \d+\.\d+\.\d+\n$/);
    expect((await platen(['orders'])).stdout).toMatch(/^ {2}platen orders list +List/m);
  });

  test.each([
    [['orders', 'burn'], 'The command orders burn does not exist. See "platen help".\n'],
    [['orders', 'cancel'], 'The shop is missing: enter its domain with --shop. See "platen orders cancel --help".\n'],
    [['shops', 'list', '--csv'], 'Unknown option \'--csv\'. See "platen shops list --help".\n'],
    [
      ['orders', 'show', '--shop', 'demo'],
      'ORDER is missing: enter an order\'s name, such as #1001, or its ID. See "platen orders show --help".\n',
    ],
    [['migrate', 'now'], 'Unexpected argument: now. See "platen migrate --help".\n'],
  ])('platen exits with code 2 for the invalid arguments %j', async (args, stderr) => {
    expect(await platen(args)).toEqual({ code: 2, stdout: '', stderr });
  });

  test('a failed command exits with code 1 and prints one sentence', async () => {
    expect(await platen(['shops', 'show', 'nobody', '--json'])).toEqual({
      code: 1,
      stdout: '',
      stderr:
        "Platen does not know the shop nobody.myshopify.com. To install Platen there, open it in the store's admin.\n",
    });
    const unreachable = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/platen' };
    expect(await platen(['shops', 'list', '--json'], unreachable)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^Platen failed: [^\n]+\n$/),
    });
  });
});

test('a command migrates the embedded database, starts a stopped database and shares a running one', async () => {
  const home = mkdtempSync(join(tmpdir(), 'platen-command-'));
  try {
    const first = await runPlaten(['migrate'], { PLATEN_HOME: home });
    expect(first).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^Migrated: HandEventsToReadings/),
    });
    const running = await openEmbeddedDatabase(home, { info: () => undefined });
    try {
      const beside = await runPlaten(['shops', 'list', '--json'], { PLATEN_HOME: home });
      expect(beside).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
    } finally {
      await running.close();
    }
    expect((await runPlaten(['migrate'], { PLATEN_HOME: home })).stdout).toBe('The database is up to date.\n');
  } finally {
    rmSync(home, { recursive: true });
  }
});
