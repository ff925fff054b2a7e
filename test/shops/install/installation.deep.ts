import { afterEach, beforeEach, expect, test } from 'vitest';
import { endQuietTime } from '../../../src/shops/print-account/end-quiet-time.ts';
import {
  ensureInstallation,
  readInstallation,
  beginQuietTimeAfterRestore,
} from '../../../src/shops/install/installation.ts';
import { openTestApp, type OpenTestApp } from '../../http/test-app.ts';
import { atTime } from '../../helpers/at-time.ts';

let app: OpenTestApp;

beforeEach(async () => void (app = await openTestApp({ SUBMIT_QUIET_SECONDS: '120' })));

afterEach(() => app.close());

test('simultaneous calls create one installation, with a code and an encrypted key', async () => {
  await Promise.all(Array.from({ length: 5 }, () => ensureInstallation(app)));
  const made = await readInstallation(app);
  expect(made.code).toMatch(/^[a-z0-9]{4}$/);
  expect(made.referenceKey).toHaveLength(32);
  expect(made.quietUntil).toBeNull();
  const rows: unknown = await app.db.query('select * from installation');
  expect(JSON.stringify(rows)).not.toContain(made.referenceKey.toString('base64'));
  await ensureInstallation(app);
  expect(await readInstallation(app)).toEqual(made);
});

test('announcing a restore starts the quiet time, and the code and key for references do not change', async () => {
  await ensureInstallation(app);
  const before = await readInstallation(app);
  const now = new Date('2096-11-21T12:00:00Z');
  const until = await beginQuietTimeAfterRestore(atTime(app, () => now));
  expect(until).toEqual(new Date('2096-11-21T12:02:00Z'));
  expect(await readInstallation(app)).toEqual({ ...before, quietUntil: until });
});

test("neither a clock that is behind the database's clock nor a restart shortens the quiet time", async () => {
  await ensureInstallation(app);
  const behind = atTime(app, () => new Date(Date.now() - 3_600_000));
  const before = Date.now();
  const said = await beginQuietTimeAfterRestore(behind);
  expect(said.getTime()).toBeGreaterThanOrEqual(before + 119_000);
  await app.db.query('update installation set quiet_until = null');
  await setMark('1/2/3');
  const noticed = await readInstallation(behind);
  expect(noticed.quietUntil?.getTime()).toBeGreaterThanOrEqual(before + 119_000);
  const late = new Date(Date.now() + 3_600_000);
  await app.db.query('update installation set quiet_until = $1', [late]);
  expect(await beginQuietTimeAfterRestore(app)).toEqual(late);
});

test('ending the quiet time early starts only the jobs that were waiting for its end', async () => {
  await ensureInstallation(app);
  expect(await endQuietTime(app)).toBeNull();
  const until = await beginQuietTimeAfterRestore(app);
  const waits = (seconds: number): Date => new Date(until.getTime() + seconds * 1000);
  await app.jobs.enqueue(
    app.db,
    'submit_print_order',
    { printOrderId: '1' },
    { runAt: waits(1), storefrontOrderId: '1' },
  );
  await app.jobs.enqueue(
    app.db,
    'submit_print_order',
    { printOrderId: '2' },
    { runAt: waits(600), storefrontOrderId: '2' },
  );
  await app.jobs.enqueue(app.db, 'update_store', { storefrontOrderId: '3' }, { runAt: waits(1) });
  expect(await endQuietTime(app)).toEqual(until);
  expect((await readInstallation(app)).quietUntil?.getTime() ?? 0).toBeLessThanOrEqual(Date.now());
  const due: unknown = await app.db.query('select payload from graphile_worker._private_jobs where run_at <= now()');
  expect(due).toEqual([{ payload: { printOrderId: '1' } }]);
});

const setMark = (mark: string) => app.db.query('update installation set database_mark = $1', [mark]);

/** Returns the parts of the database's mark that the app stored: server, database, timeline and one of the tables. */
async function readMark(): Promise<string[]> {
  await readInstallation(app);
  const rows: { mark: string }[] = await app.db.query('select database_mark as mark from installation');
  return (rows[0]?.mark ?? '').split('/');
}

test.each([
  ['was loaded from a dump into another database', 1],
  ['is on another server', 0],
  ['was recovered to a point in time, or a standby took over', 2],
  ['was overwritten from a dump', 3],
])('an unannounced restore starts the quiet time automatically: the database %s', async (_, part) => {
  await ensureInstallation(app);
  const mark = await readMark();
  await setMark(mark.map((one, index) => (index === part ? '7' : one)).join('/'));
  const before = Date.now();
  const many = await Promise.all(Array.from({ length: 5 }, () => readInstallation(app)));
  const [first] = many;
  expect(first?.quietUntil?.getTime()).toBeGreaterThanOrEqual(before + 120_000);
  // Simultaneous reads start the quiet time only once.
  expect(new Set(many.map(({ quietUntil }) => quietUntil?.getTime())).size).toBe(1);
  expect(await readInstallation(app)).toEqual(first);
  expect(await readMark()).toEqual(mark);
  expect(app.logged()).toContain('the database was restored, moved or taken over');
});
