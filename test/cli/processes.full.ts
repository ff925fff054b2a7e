import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { openEmbeddedDatabase } from '../../src/database/embedded.ts';
import { ensureInstallation } from '../../src/shops/install/installation.ts';
import { addShop, openTestApp } from '../http/test-app.ts';
import { startPlaten } from '../helpers/platen.ts';
import { toEnvironment } from '../helpers/run-alongside.ts';
import { MAIN, runPlaten, runPlatenOn, startPlatenProcess } from './run-platen.ts';

// What only a process of its own shows: exit codes, standard input, signals, full disks and missing files. The rest of the command line is
// tested in the tests' process.

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
let folder: string;

beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'platen-process-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Waits for the end of a process and returns its exit code and its messages. */
async function end(child: ChildProcess): Promise<{ code: number | null; stderr: string }> {
  let stderr = '';
  child.stderr?.on('data', (chunk) => void (stderr += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stderr };
}

test('a command migrates the embedded database, starts a stopped database and shares a running one', async () => {
  const migrate = () => startPlatenProcess(['migrate'], { PLATEN_HOME: folder });
  expect(await migrate()).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^Migrated: Hand/) });
  const running = await openEmbeddedDatabase(folder, { info: () => undefined });
  try {
    const beside = await startPlatenProcess(['shops', 'list', '--json'], { PLATEN_HOME: folder });
    expect(beside).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
  } finally {
    await running.close();
  }
  expect((await migrate()).stdout).toBe('The database is up to date.\n');
});

test('a command reads a secret from standard input, and its exit code says how it failed', async () => {
  const app = await openTestApp();
  onTestFinished(() => app.close());
  await addShop(app.db, 'known.myshopify.com');
  const environment = { PLATEN_HOME: app.config.home, DATABASE_URL: app.databaseUrl };
  const set = ['shops', 'set', 'fallbackEmail=-', '--shop'];
  expect(await startPlatenProcess([...set, 'known'], environment, 'a@b.example\n')).toEqual({
    code: 0,
    stderr: '',
    stdout: 'fallbackEmail=a@b.example\n',
  });
  expect(await startPlatenProcess([...set, 'nobody'], environment)).toMatchObject({ code: 1, stdout: '' });
  expect(await startPlatenProcess(set, environment)).toMatchObject({ code: 2, stdout: '' });
});

test('platen check deletes its draft before it exits after Ctrl+C', async () => {
  const platen = await startPlaten({ time: 'real', advanceSeconds: null });
  onTestFinished(() => platen.stop());
  await platen.control('print', 'POST', '/faults', [{ kind: 'timeout', method: 'GET', path: '/v4/orders' }]);
  const env = { ...toEnvironment(platen), PRINT_TIMEOUT_SECONDS: '5' };
  const child = spawn(process.execPath, [MAIN, 'check', '--shop', 'demo'], { env, stdio: 'pipe' });
  const ended = end(child);
  const left = async () => (await platen.printed()).filter(({ deleted }) => deleted !== true);
  await expect.poll(left).toHaveLength(1);
  child.kill('SIGINT');
  expect(await ended).toEqual({
    code: 3,
    stderr: expect.stringContaining('The check ends once its draft is deleted.'),
  });
  expect(await left()).toEqual([]);
});

/** Texts that gzip cannot shorten, so that writing them takes a while. */
const FILL = `insert into timeline_entries (shop_id, storefront_order_id, kind, message, data)
  select s.id, o.id, 'fill', '', jsonb_build_object('fill', (select string_agg(md5(concat(m, n, random())), '') from generate_series(1, 20) m))
  from shops s join storefront_orders o on o.shop_id = s.id, generate_series(1, 40000) n`;

test('a backup that is interrupted, or whose disk becomes full, leaves no file', async () => {
  const app = await openTestApp();
  onTestFinished(() => app.close());
  const { id } = await addShop(app.db);
  const order = `insert into storefront_orders (shop_id, shopify_order_id, name, placed_at) values ($1, 'gid://shopify/Order/1', '#1', now())`;
  await app.db.query(order, [id]);
  await app.db.query(FILL);
  const env = { PATH: process.env['PATH'], PLATEN_HOME: app.config.home, DATABASE_URL: app.databaseUrl };
  const backup = [MAIN, 'backup', join(folder, 'a.sql.gz')];
  const child = spawn(process.execPath, backup, { env });
  const ended = end(child);
  // The file exists under another name while the backup runs.
  await expect
    .poll(() => readdirSync(folder), { interval: 5 })
    .toEqual([expect.stringMatching(/^\.a\.sql\.gz\.\w+\.part$/)]);
  child.kill('SIGTERM');
  expect(await ended).toEqual({ code: 1, stderr: 'The backup was interrupted. No file was left behind.\n' });
  expect(readdirSync(folder)).toEqual([]);
  // A limit on the size of files has the same effect as a full disk: a write in the middle of the file fails.
  const limited = `trap '' XFSZ; ulimit -f 100; exec "$0" "$@"`;
  expect(await end(spawn('sh', ['-c', limited, process.execPath, ...backup], { env }))).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^The backup failed, and no file was left behind: EFBIG/),
  });
  expect(readdirSync(folder)).toEqual([]);
});

test('a command whose output is on a full disk fails and says so once, and does not crash if its errors are too', async () => {
  // Every write to this device fails as on a full disk.
  const device = openSync('/dev/full', 'a');
  onTestFinished(() => closeSync(device));
  const runOnFullDisk = (args: string[], errors: 'pipe' | number) =>
    end(spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', device, errors], env: {} }));
  for (const args of [['--version'], ['help'], ['orders', '--help']])
    expect(await runOnFullDisk(args, 'pipe')).toEqual({
      code: 1,
      stderr: 'The output is incomplete, because its disk is full. Free space, and run the command again.\n',
    });
  expect(await runOnFullDisk(['--version'], device)).toMatchObject({ code: 1 });
  expect(await runOnFullDisk(['no-such-command'], device)).toMatchObject({ code: 2 });
});

test.each(['demo', 'sandbox'])('platen %s reports that the image has no sandbox', async (command) => {
  for (const name of ['src', 'package.json']) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const env = { PATH: process.env['PATH'], PLATEN_HOME: join(folder, 'home') };
  expect(await end(spawn(process.execPath, [join(folder, 'src/cli/main.ts'), command], { env }))).toEqual({
    code: 1,
    stderr: `platen ${command} cannot run: the sandbox is not part of this image.\n`,
  });
});

test('platen restore --dry-run creates neither a database nor a key in an empty folder', async () => {
  const app = await openTestApp();
  onTestFinished(() => app.close());
  await ensureInstallation(app);
  const file = join(folder, 'a.sql.gz');
  expect(await runPlatenOn(app, ['backup', file])).toMatchObject({ code: 0, stderr: '' });
  const home = join(folder, 'home');
  mkdirSync(home);
  const dryRun = (environment: Record<string, string>) =>
    runPlaten(['restore', file, '--dry-run'], { PLATEN_HOME: home, TMPDIR: folder, ...environment });
  const withoutKey = await dryRun({});
  expect(withoutKey).toMatchObject({ code: 1, stderr: expect.stringMatching(/^No encryption key was found/) });
  const wrong = await dryRun({ ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64') });
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Nothing was restored\. /) });
  const right = await dryRun({ ENCRYPTION_KEY: readFileSync(join(app.config.home, 'encryption-key'), 'utf8').trim() });
  expect(right).toMatchObject({ code: 0, stdout: expect.stringMatching(/^The backup can be restored: /) });
  expect(readdirSync(home)).toEqual([]);
  expect(readdirSync(folder).toSorted()).toEqual(['a.sql.gz', 'home']);
});
