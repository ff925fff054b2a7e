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

async function endSessions(): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'platen ended'");
  await client.end();
}
