import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { connectDatabase, connectIntake } from '../../src/database/connect.ts';
import { createTestDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

test('every test database is migrated, empty and separate', async () => {
  const other = await createTestDatabase();
  await database.db.query('create table mine ()');
  expect(await other.db.query("select to_regclass('public.mine') as mine")).toEqual([{ mine: null }]);
  expect(await other.db.query("select to_regclass('graphile_worker.jobs') is not null as queue")).toEqual([
    { queue: true },
  ]);
  await other.drop();
});

test('a session names its application and times out on long statements and locks', async () => {
  const db = await connectDatabase({ url: database.url, poolSize: 1, applicationName: 'platen test' });
  expect(await db.query('show application_name')).toEqual([{ application_name: 'platen test' }]);
  expect(await db.query('show statement_timeout')).toEqual([{ statement_timeout: '30s' }]);
  expect(await db.query('show lock_timeout')).toEqual([{ lock_timeout: '10s' }]);
  await db.destroy();
});

test('connections ended by the server crash neither the process nor the pool', async () => {
  const db = await connectDatabase({ url: database.url, poolSize: 4, applicationName: 'platen ended' });
  const busy = db.transaction(async (manager) => {
    await manager.query('select 1');
    await endSessions();
    await manager.query('select 1');
  });
  await expect(busy).rejects.toThrow(/connection|terminat/i);
  await Promise.all([db.query('select 1'), db.query('select 1')]);
  await endSessions();
  await vi.waitFor(() => db.query('select 1'), { timeout: 5_000 });
  await db.destroy();
});

test('connecting to an address without a database fails immediately', async () => {
  const url = new URL(database.url);
  url.port = '1';
  await expect(connectDatabase({ url: url.href })).rejects.toThrow(/ECONNREFUSED/);
  await expect(connectIntake(url.href)).rejects.toThrow(/ECONNREFUSED/);
});

test('connecting, including by the intake, is retried while the database does not respond', async () => {
  const url = new URL(database.url);
  const [host, port] = [url.hostname, Number(url.port)];
  let tries = 0;
  const server = createServer((client) => {
    client.on('error', () => undefined);
    tries += 1;
    if (tries <= 2) return;
    const upstream = connect(port, host);
    upstream.on('error', () => undefined);
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const db = await connectIntake(url.href);
  expect(tries).toBe(3);
  expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
  await db.destroy();
});

test.each([
  ['the jobs', connectDatabase],
  ['the intake', ({ url }: { url: string }) => connectIntake(url)],
])('the process survives a server that shuts down while completing a connection for %s', async (_, open) => {
  const uncaught: unknown[] = [];
  const keep = (error: unknown): void => void uncaught.push(error);
  process.on('uncaughtException', keep);
  onTestFinished(() => void process.off('uncaughtException', keep));
  const server = await startProxy();
  const db = await open({ url: server.url });
  server.shutDownNext();
  // The first query uses the open connection, so the second query needs a new one.
  const [first, second] = await Promise.allSettled([db.query('select pg_sleep(0.2)'), db.query('select 1')]);
  expect([first.status, second.status]).toEqual(['fulfilled', 'rejected']);
  expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
  await db.destroy();
  expect(uncaught).toEqual([]);
});

/**
 * Starts a proxy in front of the database. After `shutDownNext`, the proxy ends the next connection in the same way as a server that
 * shuts down: the packet that reports that the connection is ready also contains the shutdown error.
 */
async function startProxy(): Promise<{ url: string; shutDownNext: () => void }> {
  const fields = ['SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection due to administrator command', ''];
  const body = Buffer.from(fields.map((field) => `${field}\0`).join(''));
  const farewell = Buffer.concat([Buffer.from('E'), Buffer.alloc(4), body]);
  farewell.writeInt32BE(body.length + 4, 1);
  const ready = Buffer.from('Z\0\0\0\u0005I', 'latin1');
  const to = new URL(database.url);
  let isShuttingDown = false;
  const server = createServer((client) => {
    const upstream = connect(Number(to.port), to.hostname);
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    const endsAtLogin = isShuttingDown;
    isShuttingDown = false;
    client.pipe(upstream);
    upstream.on('end', () => client.end());
    upstream.on('data', (data) => {
      if (!endsAtLogin || !data.subarray(-ready.length).equals(ready)) return void client.write(data);
      client.end(Buffer.concat([data, farewell]));
      upstream.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = new URL(to);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: url.href, shutDownNext: () => void (isShuttingDown = true) };
}

async function endSessions(): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'platen ended'");
  await client.end();
}
