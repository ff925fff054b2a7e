import { afterEach, beforeEach, expect, test } from 'vitest';
import type { App } from '../../src/app.ts';
import { ensureInstallation, readInstallation, restoredNow } from '../../src/shops/installation.ts';
import { createTestDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { createTestApp } from '../http/test-app.ts';
import type { TestApp } from '../http/test-app.ts';

let database: TestDatabase;
let testApp: TestApp;
let app: App;

beforeEach(async () => {
  database = await createTestDatabase();
  testApp = createTestApp(database.db, { SUBMIT_QUIET_SECONDS: '120' });
  app = testApp.app;
});

afterEach(async () => {
  await testApp.close();
  await database.drop();
});

test('an installation is made once, by however many at once, with a code and a key that is stored encrypted', async () => {
  await Promise.all(Array.from({ length: 5 }, () => ensureInstallation(app)));
  const made = await readInstallation(app);
  expect(made.code).toMatch(/^[a-z0-9]{4}$/);
  expect(made.referenceKey).toHaveLength(32);
  expect(made.quietUntil).toBeNull();
  const rows: unknown = await database.db.query('select * from installation');
  expect(JSON.stringify(rows)).not.toContain(made.referenceKey.toString('base64'));
  await ensureInstallation(app);
  expect(await readInstallation(app)).toEqual(made);
});

test('before a shop was installed there is nothing to make references with', async () => {
  await expect(readInstallation(app)).rejects.toThrow();
});

test('after a restore nothing is submitted for the quiet time, and references stay the same', async () => {
  await ensureInstallation(app);
  const before = await readInstallation(app);
  const now = new Date('2026-11-21T12:00:00Z');
  const until = await restoredNow({ ...app, now: () => now });
  expect(until).toEqual(new Date('2026-11-21T12:02:00Z'));
  expect(await readInstallation(app)).toEqual({ ...before, quietUntil: until });
});
