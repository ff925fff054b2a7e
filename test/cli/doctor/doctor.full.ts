import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Shops } from '../../../src/database/entities/shops.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { saveToken } from '../../../src/shops/tokens/tokens.ts';
import { findFreePorts } from '../../../sandbox/find-free-ports.ts';
import { addShop, openTestApp, type OpenTestApp } from '../../http/test-app.ts';
import { createTestDatabase } from '../../helpers/database.ts';
import { runPlaten } from '../run-platen.ts';

let folder: string;

beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'platen-doctor-'))));
afterAll(() => rmSync(folder, { recursive: true }));

interface Result {
  level: string;
  findings: { check: string; level: string; subject: string; message: string; remedy: string | null }[];
  fixes: { fix: { name: string }; isApplied: boolean; error: string | null }[];
}

const read = (stdout: string): Result => JSON.parse(stdout) as Result;

describe('platen doctor on an installation that cannot start', () => {
  test('names every invalid variable, and still checks the database', async () => {
    const database = await createTestDatabase();
    const environment = {
      DATABASE_URL: database.url,
      PORT: 'abc',
      ROLE: 'boss',
      SHOPIFY_APP_URL: 'not an address',
    };
    const ran = await runPlaten(['doctor', '--json'], environment, folder);
    expect(ran).toMatchObject({ code: 4, stderr: '' });
    const { level, findings } = read(ran.stdout);
    expect(level).toBe('error');
    const ofConfiguration = findings.filter(({ check }) => check === 'configuration');
    expect(ofConfiguration.map(({ subject }) => subject).toSorted()).toEqual(['PORT', 'ROLE', 'SHOPIFY_APP_URL']);
    expect(findings).toContainEqual(expect.objectContaining({ check: 'migrations', level: 'ok' }));
    await database.drop();
  });

  test('reports a database that cannot be reached as a finding, without its password', async () => {
    const [port] = await findFreePorts(1);
    const environment = {
      PLATEN_HOME: folder,
      DATABASE_URL: `postgresql://platen:MARKED-password@127.0.0.1:${port}/platen`,
      ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
    };
    const ran = await runPlaten(['doctor'], environment, folder);
    expect(ran).toMatchObject({ code: 4, stderr: '' });
    expect(ran.stdout).toContain(
      'error    database, DATABASE_URL: The database could not be opened, because nothing listens at its address.',
    );
    expect(ran.stdout).toMatch(/^ +Remedy: Check DATABASE_URL/m);
    expect(ran.stdout).not.toMatch(/MARKED|at .*\.ts:\d/);
  });
});

describe('platen doctor --fix', () => {
  test('shows the migrations, and runs them only with --yes', async () => {
    const database = await createTestDatabase();
    await database.db.query('drop schema public cascade');
    await database.db.query('create schema public');
    await database.db.query('drop schema graphile_worker cascade');
    const environment = {
      PLATEN_HOME: folder,
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
    };
    const tables = () => database.db.query(`select 1 from pg_tables where schemaname = 'public'`);

    const asked = await runPlaten(['doctor', '--fix'], environment, folder);
    expect(asked.code).toBe(4);
    expect(asked.stdout).toContain('With --yes: run the migrations of this version.');
    expect(await tables()).toEqual([]);

    const fixed = read((await runPlaten(['doctor', '--fix', '--yes', '--json'], environment, folder)).stdout);
    expect(fixed.fixes).toEqual([{ fix: { name: 'migrate' }, isApplied: true, error: null }]);
    expect(fixed.findings).toContainEqual(expect.objectContaining({ check: 'migrations', level: 'ok' }));
    expect((await tables()).length).toBeGreaterThan(10);
    await database.db.query('drop schema public cascade; create schema public');
    await database.db.destroy();
    await database.drop();
  });
});

describe('platen doctor --report', () => {
  let app: OpenTestApp;
  let environment: Record<string, string>;

  beforeAll(async () => {
    const [print, store, web] = await findFreePorts(3);
    environment = {
      SHOPIFY_API_KEY: 'MARKED-api-key',
      SHOPIFY_API_SECRET: 'MARKED-api-secret',
      SHOPIFY_APP_URL: `http://localhost:${web}`,
      SHOPIFY_ADMIN_ORIGIN: `http://localhost:${store}/MARKED-admin/{shop}`,
      PRINT_ORDER_URL: `http://localhost:${print}/MARKED-print`,
      METRICS_TOKEN: 'MARKED-metrics-token',
      ENCRYPTION_KEY: Buffer.from('MARKED-encryption-key-of-32-byte').toString('base64'),
    };
    app = await openTestApp({ ...environment, DATABASE_URL: 'postgresql://unused' });
    const shop = await addShop(app.db);
    await app.db.manager.update(
      Shops,
      { id: shop.id },
      { domain: 'marked-shop.myshopify.com', name: 'MARKED Jane Doe', contactEmail: 'jane@marked.example' },
    );
    const named = await app.db.manager.findOneByOrFail(Shops, { id: shop.id });
    await changeSettings(app, named, { printKey: 'MARKED-print-key', fallbackEmail: 'jane@marked.example' });
    await app.db.query(
      `update print_accounts set state = 'refused', refused_at = now(), refused_message = 'MARKED message'`,
    );
    await saveToken(app, app.db.manager, shop.id, {
      accessToken: 'MARKED-access-token',
      expiresAt: new Date(Date.now() + 3_600_000),
      refreshToken: 'MARKED-refresh-token',
      refreshTokenExpiresAt: null,
      scopes: 'read_orders',
    });
    await app.db.query(
      `select graphile_worker.add_job('plan_order', '{"name": "MARKED Jane Doe"}'::json, job_key => 'MARKED-key', max_attempts => 1, run_at => now() + interval '1 day')`,
    );
    await app.db.query(
      `update graphile_worker._private_jobs set attempts = 1, last_error = 'print_refused: MARKED Jane Doe, jane@marked.example'`,
    );
  });
  afterAll(() => app.close());

  async function report(...options: string[]): Promise<string> {
    const file = join(folder, `report-${options.length}.json`);
    const all = { ...environment, PLATEN_HOME: app.config.home, DATABASE_URL: app.databaseUrl };
    const ran = await runPlaten(['doctor', '--report', file, ...options], all, folder);
    expect(ran.code).toBe(4);
    expect(ran.stderr).toContain(`The report is in ${file}.`);
    // The findings that the operator sees contain no secret.
    expect(ran.stdout).toContain('marked-shop.myshopify.com');
    expect(ran.stdout).not.toMatch(/MARKED|jane@/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    return readFileSync(file, 'utf8');
  }

  test('contains versions, findings, metrics and failed jobs, but no secret, personal data or shop', async () => {
    const text = await report();
    expect(text).not.toMatch(/MARKED|marked|jane/i);
    expect(text).not.toContain(new URL(app.databaseUrl).password || 'MARKED');
    expect(text).not.toContain(environment['ENCRYPTION_KEY']);
    const parsed = JSON.parse(text) as Record<string, unknown> & { findings: Result['findings']; metrics: string[] };
    expect(parsed).toMatchObject({
      versions: { platen: expect.any(String), node: process.versions.node },
      configuration: { SHOPIFY_API_SECRET: true, ENCRYPTION_KEY: true, PRINT_LEGACY_URL: false },
      failedJobs: [{ task: 'plan_order', attempts: 1, code: 'print_refused' }],
    });
    expect(parsed.metrics).toContain('platen_jobs_failed 1');
    const ofShop = parsed.findings.filter(({ check }) => check === 'shop');
    expect(ofShop.length).toBeGreaterThan(0);
    for (const { subject } of ofShop) expect(subject).toMatch(/^shop-[0-9a-f]{8}$/);
  });

  test('contains the domains of the shops with --with-shops', async () => {
    const text = await report('--with-shops');
    expect(text).toContain('marked-shop.myshopify.com');
    expect(text).not.toMatch(/MARKED|jane@/);
  });
});
