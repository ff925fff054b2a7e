import { execFileSync } from 'node:child_process';
import {
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { findFreePorts } from '../../sandbox/find-free-ports.ts';
import { createPrintWebhookAddress } from '../../src/shops/print-account/print-webhook-address.ts';
import { runPlaten } from '../cli/run-platen.ts';
import {
  addShop,
  allowConnections,
  createWebhookHeaders,
  openTestApp,
  post,
  readDeliveriesOfShop,
  type OpenTestApp,
} from '../http/test-app.ts';
import { startAppProcess, type AppProcess } from './worker.ts';

const METRICS_TOKEN = 'metrics-token';
const BODY = '{"id":1,"admin_graphql_api_id":"gid://shopify/Order/1"}';

let app: OpenTestApp;
let environment: Record<string, string>;
let url: string;

beforeEach(async () => {
  const [port] = await findFreePorts(1);
  url = `http://127.0.0.1:${port}`;
  const real = {
    SHOPIFY_API_KEY: 'sandbox-app',
    SHOPIFY_API_SECRET: 'sandbox-secret',
    SHOPIFY_APP_URL: url,
    // Nothing listens at this address.
    PRINT_ORDER_URL: 'http://127.0.0.1:1',
    ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
    METRICS_TOKEN,
    LOG_LEVEL: 'info',
  };
  app = await openTestApp({ ...real, DATABASE_URL: 'postgresql://unused' });
  environment = { ...real, PORT: String(port), DATABASE_URL: app.databaseUrl };
});
afterEach(() => app.close());

/** A file system of 1 MiB. */
interface SmallDisk {
  path: string;
  fill(): void;
  makeSpace(): void;
}

/** Mounts a small file system until the test ends. Throws if this user may not mount one: these tests need root. */
function mountSmallDisk(): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), 'platen-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=0777', 'tmpfs', path]);
  onTestFinished(() => {
    execFileSync('umount', ['--lazy', path]);
    rmdirSync(path);
  });
  const filler = join(path, 'filler');
  return {
    path,
    fill() {
      const file = openSync(filler, 'a');
      const bytes = Buffer.alloc(4096);
      try {
        for (;;) writeSync(file, bytes);
      } catch (error) {
        expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
      } finally {
        closeSync(file);
      }
    },
    makeSpace: () => rmSync(filler),
  };
}

async function start(home: string, stdout: 'pipe' | number): Promise<AppProcess> {
  const process = startAppProcess({ ...environment, PLATEN_HOME: home }, stdout);
  onTestFinished(() => process.end());
  await expect.poll(statusOf('/readyz'), { timeout: 30_000 }).toBe(200);
  return process;
}

function statusOf(path: string): () => Promise<number> {
  return () =>
    fetch(`${url}${path}`).then(
      ({ status }) => status,
      () => 0,
    );
}

/** Returns the value of a metric without labels. */
async function readMetric(name: string): Promise<number> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(await response.text())?.[1]);
}

async function openSenders() {
  const shop = await addShop(app.db);
  const { pathname } = new URL(await createPrintWebhookAddress(app, shop));
  const toEvent = (id: string) => JSON.stringify({ id, event: 'order_status_updated', orderReferenceId: 'pl-1' });
  return {
    report: async (id: string) => (await post(`${url}${pathname}`, toEvent(id))).status,
    deliver: async () =>
      (await post(`${url}/webhooks/shopify`, BODY, createWebhookHeaders(BODY, { shop: shop.domain }))).status,
    handled: async () =>
      (await readDeliveriesOfShop(app.db, shop)).flatMap(({ eventId, handledAt }) => (handledAt ? [eventId] : [])),
  };
}

test('a process whose log and home are on a full disk starts, keeps working, and processes all accepted events once there is space', async () => {
  const disk = mountSmallDisk();
  const log = join(disk.path, 'log');
  const stdout = openSync(log, 'a');
  onTestFinished(() => closeSync(stdout));
  disk.fill();
  const { report, deliver, handled } = await openSenders();
  const home = join(disk.path, 'home');
  const process = await start(home, stdout);

  // While the database works, nothing needs the disk.
  expect([await report('first'), await deliver()]).toEqual([200, 200]);
  const lost = async (): Promise<number> => {
    await Promise.all(Array.from({ length: 100 }, () => fetch(`${url}/nothing-here`)));
    return readMetric('platen_log_lines_lost_total');
  };
  await expect.poll(lost, { timeout: 60_000 }).toBeGreaterThan(0);
  expect(await readMetric('platen_spool_free_bytes')).toBe(0);
  const doctor = await runPlaten(['doctor'], { ...environment, PLATEN_HOME: home }, tmpdir());
  expect(doctor.stdout).toContain(`error    disk, PLATEN_HOME: The disk of ${home} is full.`);

  await allowConnections(app.databaseUrl, false);
  expect(await report('refused')).toBe(503);
  expect(await deliver()).toBe(503);
  // Refused events leave no files.
  expect(readdirSync(join(home, 'spool'))).toEqual([]);
  expect(await statusOf('/healthz')()).toBe(200);
  disk.makeSpace();
  expect(await report('spooled')).toBe(200);
  await allowConnections(app.databaseUrl, true);
  await expect.poll(handled, { timeout: 30_000 }).toEqual(expect.arrayContaining(['first', 'spooled']));
  expect(await handled()).not.toContain('refused');
  expect(await readMetric('platen_spool_free_bytes')).toBeGreaterThan(0);
  expect(process.isAlive()).toBe(true);
  // The lines that waited are in the log, and no line is incomplete.
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line) as { msg: string })).toContainEqual(
    expect.objectContaining({ msg: 'Platen is starting' }),
  );
});

test('while the disk of PostgreSQL is full, log, metrics and doctor name it, and all accepted events are processed later', async () => {
  const disk = mountSmallDisk();
  const folder = join(disk.path, 'tables');
  mkdirSync(folder);
  const [server] = await app.db.query<{ folder: string }[]>(`select current_setting('data_directory') as folder`);
  const { uid, gid } = statSync(server?.folder ?? '');
  chownSync(folder, uid, gid);
  // Only these tables fill the disk, because a server without space for its write-ahead log stops.
  await app.db.query(`create tablespace small location '${folder}'`);
  await app.db.query('alter table deliveries set tablespace small');
  await app.db.query(`alter database ${new URL(app.databaseUrl).pathname.slice(1)} set temp_tablespaces = small`);
  const { report, deliver, handled } = await openSenders();
  const home = join(app.config.home, 'process');
  const process = await start(home, 'pipe');
  const doctor = async () => (await runPlaten(['doctor'], { ...environment, PLATEN_HOME: home }, tmpdir())).stdout;
  expect(await doctor()).not.toContain('storage');
  disk.fill();
  // The last page of the table still has space for some deliveries.
  await expect.poll(deliver, { timeout: 60_000, interval: 1 }).toBe(503);
  expect(await report('spooled')).toBe(200);
  expect(await readMetric('platen_database_disk_full_total')).toBeGreaterThan(0);
  expect(process.output()).toContain('the disk of PostgreSQL is full');
  expect(await doctor()).toContain(
    'error    database, storage: The database cannot store data, because the disk of PostgreSQL is full.',
  );

  disk.makeSpace();
  await expect.poll(handled, { timeout: 30_000 }).toContain('spooled');
  expect(await deliver()).toBe(200);
  await app.db.query('alter table deliveries set tablespace pg_default');
  expect(await doctor()).not.toContain('storage');
  await app.db.query(`alter database ${new URL(app.databaseUrl).pathname.slice(1)} reset temp_tablespaces`);
  await app.db.query('drop tablespace small');
});

test('a process whose PLATEN_HOME cannot be created says so, and refuses only the events that it would have to spool', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'platen-no-home-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const obstacle = join(folder, 'file');
  writeFileSync(obstacle, '');
  const { report, handled } = await openSenders();
  const home = join(obstacle, 'home');
  const process = await start(home, 'pipe');
  await expect.poll(() => process.output()).toContain('the spool cannot store events');
  expect(await report('first')).toBe(200);
  expect(await readMetric('platen_spool_free_bytes')).toBe(0);
  const doctor = await runPlaten(['doctor'], { ...environment, PLATEN_HOME: home }, tmpdir());
  expect(doctor.stdout).toContain(`error    disk, PLATEN_HOME: Platen cannot write to ${home}`);

  await allowConnections(app.databaseUrl, false);
  expect(await report('refused')).toBe(503);
  rmSync(obstacle);
  expect(await report('spooled')).toBe(200);
  await allowConnections(app.databaseUrl, true);
  await expect.poll(handled, { timeout: 30_000 }).toEqual(expect.arrayContaining(['first', 'spooled']));
});

test('a process whose standard output accepts nothing starts and keeps working', async () => {
  // Every write to this device fails as on a full disk.
  const stdout = openSync('/dev/full', 'a');
  onTestFinished(() => closeSync(stdout));
  const { report, handled } = await openSenders();
  const process = await start(join(app.config.home, 'process'), stdout);
  expect(await report('first')).toBe(200);
  await expect.poll(handled, { timeout: 30_000 }).toEqual(['first']);
  expect([process.isAlive(), process.output()]).toEqual([true, '']);
});
