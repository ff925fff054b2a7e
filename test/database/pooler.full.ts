import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectDatabase } from '../../src/database/connect.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { runPlaten } from '../cli/run-platen.ts';
import { startAppProcess } from '../faults/worker.ts';
import { installPgBouncer, startPgBouncer } from './pgbouncer.ts';

let database: TestDatabase;

beforeAll(async () => {
  await installPgBouncer();
  database = await createTestDatabase();
}, 600_000);
afterAll(() => database.drop());

const ADVICE = 'use session mode (pool_mode = session in PgBouncer), or connect to PostgreSQL directly.';

/** The variables of an installation whose database is at this address. */
function toEnvironment(url: string): Record<string, string> {
  return {
    DATABASE_URL: url,
    PORT: '0',
    SHOPIFY_API_KEY: 'sandbox-app',
    SHOPIFY_API_SECRET: 'sandbox-secret',
    SHOPIFY_APP_URL: 'http://127.0.0.1:1',
    PRINT_ORDER_URL: 'http://127.0.0.1:1',
    ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
  };
}

test.each([
  ['that reuses the latest session', { pool_mode: 'transaction', server_round_robin: 0 } as const],
  ['that takes its sessions in turn', { pool_mode: 'transaction', server_round_robin: 1 } as const],
  ['with a single session', { pool_mode: 'transaction', default_pool_size: 1 } as const],
])(
  'Platen does not start behind a pooler in transaction mode %s, and says which mode it needs',
  async (_, settings) => {
    const url = await startPgBouncer(database.url, settings);
    await expect(connectDatabase({ url })).rejects.toMatchObject({
      code: 'sessions_shared',
      message: expect.stringContaining(ADVICE),
    });
  },
);

test('a pooler that refuses a parameter of the address is named in one sentence', async () => {
  const url = await startPgBouncer(database.url, { pool_mode: 'session' });
  await expect(connectDatabase({ url: `${url}?options=-c%20work_mem%3D8MB` })).rejects.toThrow(
    'DATABASE_URL is the address of a connection pooler that refuses the parameter options: remove it from the address, or connect to PostgreSQL directly.',
  );
});

test('behind a pooler in session mode, Platen starts, and its statements have their time limits', async () => {
  const url = await startPgBouncer(database.url, { pool_mode: 'session' });
  const db = await connectDatabase({ url, poolSize: 1 });
  expect(await db.query('show statement_timeout')).toEqual([{ statement_timeout: '30s' }]);
  expect(await db.query('show lock_timeout')).toEqual([{ lock_timeout: '10s' }]);
  await db.destroy();
  const started = startAppProcess({ ...toEnvironment(url), LOG_LEVEL: 'info' });
  await expect.poll(() => started.output(), { timeout: 30_000 }).toContain('Platen listens on');
  expect(started.output()).not.toMatch(/"level":[45]0/);
  await started.end();
});

test('the start and platen doctor say which pooling mode Platen needs', async () => {
  const url = await startPgBouncer(database.url, { pool_mode: 'transaction' });
  const started = startAppProcess(toEnvironment(url));
  await expect.poll(() => started.isAlive(), { timeout: 30_000 }).toBe(false);
  expect(started.output().trim().split('\n')).toEqual([expect.stringContaining(ADVICE)]);
  expect(started.child.exitCode).toBe(1);
  await started.end();
  const doctor = await runPlaten(['doctor'], toEnvironment(url));
  expect(doctor.code).toBe(4);
  expect(doctor.stdout).toMatch(/^error +database, DATABASE_URL: .*in transaction mode/m);
  expect(doctor.stdout).not.toContain('No worker is running');
});
