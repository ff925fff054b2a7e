import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { UpgradeReport } from '../../../src/database/upgrade/assess-upgrade.ts';
import { ensureInstallation } from '../../../src/shops/install/installation.ts';
import { contentOf, tablesIn } from '../../database/backup/test-backups.ts';
import { createEmptyDatabase } from '../../database/empty-database.ts';
import { addShop, openTestApp, type OpenTestApp } from '../../http/test-app.ts';
import { runPlaten, runPlatenOn } from '../run-platen.ts';

let app: OpenTestApp;
let folder: string;

beforeAll(async () => {
  app = await openTestApp();
  await ensureInstallation(app);
  const shop = await addShop(app.db, 'database.myshopify.com');
  await app.db.query(
    `insert into storefront_orders (shop_id, shopify_order_id, name, placed_at) values ($1, 'gid://shopify/Order/1', '#1', now())`,
    [shop.id],
  );
});
afterAll(() => app.close());
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'platen-commands-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const platen = (args: string[], environment: Record<string, string> = {}) => runPlatenOn(app, args, environment);

async function preflight(environment: Record<string, string> = {}): Promise<{ code: number; report: UpgradeReport }> {
  const { code, stdout } = await platen(['upgrade', '--preflight', '--json'], environment);
  return { code, report: JSON.parse(stdout) as UpgradeReport };
}

test('platen upgrade --preflight reports that an upgrade without pending migrations is ready', async () => {
  expect(await preflight()).toMatchObject({
    code: 0,
    report: { result: 'ready', migrations: [], isRollingPossible: true },
  });
});

test('platen upgrade --preflight shows what pending migrations do, recommends a backup and changes nothing', async () => {
  const [last] = [...app.db.migrations].reverse();
  const runner = app.db.createQueryRunner();
  await last?.down(runner);
  await runner.query('delete from migrations where name = $1', [last?.name]);
  try {
    const before = await contentOf(app.databaseUrl);
    const { code, report } = await preflight();
    expect(code).toBe(3);
    expect(report).toMatchObject({
      result: 'attention',
      isRollingPossible: true,
      migrations: [
        {
          name: last?.name,
          statements: expect.arrayContaining([expect.stringMatching(/^(?:alter|create)/)]),
          locks: [{ rows: expect.any(Number) }],
        },
      ],
      findings: [{ code: 'no_recent_backup' }],
    });
    const shown = await platen(['upgrade', '--preflight']);
    expect(shown.code).toBe(3);
    expect(shown.stdout).toMatch(/^Upgrade to Platen [^]*Rolling upgrade: possible\.[^]*ATTENTION no_recent_backup: /);
    // The backup does not migrate the database either.
    expect(await platen(['backup', folder])).toMatchObject({ code: 0, stderr: '' });
    expect(await preflight()).toMatchObject({
      code: 0,
      report: { result: 'ready', backup: { writtenAt: expect.any(String) } },
    });
    expect(await contentOf(app.databaseUrl)).toEqual(before);
  } finally {
    await last?.up(runner);
    await runner.query('insert into migrations (timestamp, name) values ($1, $2)', [
      last?.name?.slice(-13),
      last?.name,
    ]);
    await runner.release();
  }
});

test('platen upgrade --preflight does not wait for a running migration', async () => {
  const runner = app.db.createQueryRunner();
  await runner.startTransaction();
  try {
    await runner.query('lock table storefront_orders, shops, print_orders in access exclusive mode');
    expect((await preflight()).code).toBe(0);
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
});

test('platen restore restores nothing with the wrong encryption key or from a missing file', async () => {
  const file = join(folder, 'a.sql.gz');
  expect(await platen(['backup', file])).toMatchObject({ code: 0, stderr: '' });
  const url = await createEmptyDatabase();
  mkdirSync(join(folder, 'home'));
  const environment = { PLATEN_HOME: join(folder, 'home'), DATABASE_URL: url };
  const wrongKey = { ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64') };
  for (const dryRun of [[], ['--dry-run']])
    expect(await runPlaten(['restore', file, ...dryRun], { ...environment, ...wrongKey })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^Nothing was restored\. .*ENCRYPTION_KEYS_OLD/),
    });
  const missing = await runPlaten(['restore', join(folder, 'b.sql.gz')], environment);
  expect(missing).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('ENOENT') });
  expect(await tablesIn(url)).toEqual([]);
});
