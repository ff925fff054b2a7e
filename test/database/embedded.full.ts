import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { chooseDatabaseUser } from '../../src/database/embedded/database-user.ts';
import { locateCluster } from '../../src/database/embedded/locate-cluster.ts';
import { findPostmaster } from '../../src/database/embedded/find-postmaster.ts';
import { openEmbeddedDatabase } from '../../src/database/embedded.ts';

const SCRIPT = fileURLToPath(new URL('./database-process.ts', import.meta.url));
const IS_ROOT = process.getuid?.() === 0;
const quiet = { info: () => undefined };

/** The home that all tests share, because creating a cluster takes a second. Every test leaves the database stopped. */
let home: string;

beforeAll(async () => {
  home = await createHome();
  const first = await openEmbeddedDatabase(home, quiet);
  await first.close();
});

afterEach(async () => {
  await stopServer(await findDataDirectory());
});

afterAll(async () => {
  await rm(home, { recursive: true, force: true });
});

test('the embedded database has its own password, uses UTF-8 and keeps its data after a restart', async () => {
  const first = await openEmbeddedDatabase(home, quiet);
  await query(first.url, 'create table kept (word text)');
  await query(first.url, "insert into kept values ('Grüße')");
  await first.close();
  expect(await findServerPid()).toBeNull();

  const begun = performance.now();
  const second = await openEmbeddedDatabase(home, quiet);
  expect(performance.now() - begun).toBeLessThan(5_000);
  expect(await query(second.url, 'select word, upper(word) as upper from kept')).toEqual([
    { word: 'Grüße', upper: 'GRÜßE' },
  ]);
  expect(await query(second.url, 'show server_encoding')).toEqual([{ server_encoding: 'UTF8' }]);
  expect(await query(second.url, 'show fsync')).toEqual([{ fsync: 'on' }]);
  expect(new URL(second.url).pathname).toBe('/platen');
  await second.close();
  expect((await stat(join(home, 'postgres.json'))).mode & 0o777).toBe(0o600);
});

test('the embedded database accepts only loopback connections with the password', async () => {
  const database = await openEmbeddedDatabase(home, quiet);
  expect(await query(database.url, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
  expect(await query(database.url, 'show unix_socket_directories')).toEqual([{ unix_socket_directories: '' }]);
  const wrong = new URL(database.url);
  wrong.password = 'password';
  await expect(query(wrong.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
  await database.close();
});

test('a second process shares the server, and the last process to close the database stops it', async () => {
  const ours = await openEmbeddedDatabase(home, quiet);
  const other = await startProcess(home);
  expect(other.url).toBe(ours.url);
  const pid = await findServerPid();

  await ours.close();
  expect(await query(other.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(await findServerPid()).toBe(pid);

  other.child.stdin?.end();
  await once(other.child, 'exit');
  expect(await findServerPid()).toBeNull();
  await ours.close();
});

test('the server of a killed process continues to run, and the next process to start uses it', async () => {
  const killed = await startProcess(home);
  const pid = await findServerPid();
  killed.child.kill('SIGKILL');
  await once(killed.child, 'exit');
  expect(await findServerPid()).toBe(pid);

  const database = await openEmbeddedDatabase(home, quiet);
  expect(database.url).toBe(killed.url);
  await database.close();
  expect(await findServerPid()).toBeNull();
});

test.each([
  ['an unused pid', '4194303'],
  ['the pid of another program', String(process.pid)],
])('the server starts despite a dead server’s pid file that contains %s', async (_case, pid) => {
  const first = await openEmbeddedDatabase(home, quiet);
  const data = await findDataDirectory();
  const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n');
  await first.close();
  await writeFile(join(data, 'postmaster.pid'), [pid, ...lines.slice(1)].join('\n'));

  const second = await openEmbeddedDatabase(home, quiet);
  expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await second.close();
});

test('processes that start simultaneously with a new home share one database', async () => {
  const fresh = await createHome();
  const data = await findDataDirectory(fresh);
  onTestFinished(async () => {
    await stopServer(data);
    await rm(fresh, { recursive: true, force: true });
  });
  const processes = await Promise.all([startProcess(fresh), startProcess(fresh), startProcess(fresh)]);
  const urls = new Set(processes.map(({ url }) => url));
  expect(urls.size).toBe(1);
  for (const { child } of processes) child.stdin?.end();
  for (const { child } of processes) await vi.waitFor(() => expect(child.exitCode).toBe(0), { timeout: 10_000 });
  expect(await findPostmaster(data)).toBeNull();
  expect(await readdir(dirname(data))).toEqual(['data', 'postgres.log']);
});

test('a killed server is restarted at the same address', async () => {
  const database = await openEmbeddedDatabase(home, quiet);
  const pid = Number(await findServerPid());
  process.kill(pid, 'SIGKILL');
  await vi.waitFor(() => query(database.url, 'select 1'), { timeout: 15_000, interval: 100 });
  expect(await findServerPid()).not.toBe(pid);
  await database.close();
  expect(await findServerPid()).toBeNull();
});

test.runIf(IS_ROOT)(
  'data is stored elsewhere, and found again later, if the database user cannot access the home',
  async () => {
    const closed = await createHome();
    const inner = join(closed, 'home');
    const folder = dirname(await findDataDirectory(inner));
    onTestFinished(async () => {
      await stopServer(join(folder, 'data'));
      await rm(folder, { recursive: true, force: true });
      await rm(closed, { recursive: true, force: true });
    });
    expect(folder.startsWith(closed)).toBe(false);
    const first = await openEmbeddedDatabase(inner, quiet);
    await query(first.url, 'create table kept ()');
    await first.close();

    const second = await openEmbeddedDatabase(inner, quiet);
    expect(await query(second.url, 'select from kept')).toEqual([]);
    await second.close();
    expect((await stat(closed)).mode & 0o777).toBe(0o700);
  },
);

/** Creates a temporary folder that only its owner can access. */
function createHome(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'platen-home-'));
}

interface Started {
  child: ChildProcess;
  url: string;
}

async function startProcess(folder: string, options: { detached?: boolean; script?: string } = {}): Promise<Started> {
  const child = spawn(process.execPath, [options.script ?? SCRIPT, folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: options.detached ?? false,
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  for await (const url of createInterface({ input: child.stdout })) return { child, url };
  throw new Error('The process ended before it opened the database.');
}

async function findDataDirectory(folder = home): Promise<string> {
  const cluster = await locateCluster(folder, await chooseDatabaseUser());
  return join(cluster.folder, 'data');
}

async function findServerPid(): Promise<number | null> {
  const running = await findPostmaster(await findDataDirectory());
  return running?.pid ?? null;
}

async function stopServer(data: string): Promise<void> {
  const running = await findPostmaster(data);
  if (running === null) return;
  process.kill(running.pid, 'SIGQUIT');
  await vi.waitFor(async () => expect(await findPostmaster(data)).toBeNull(), { timeout: 10_000 });
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return rows;
  } finally {
    await client.end();
  }
}
