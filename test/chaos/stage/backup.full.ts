import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { backUp, restore } from './backup.ts';
import { startPostgres, type Postgres } from './postgres.ts';

async function query(postgres: Postgres, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  try {
    return (await client.query<{ value: unknown }>(text)).rows.map(({ value }) => value);
  } finally {
    await client.end();
  }
}

test('the database of a run survives a stop and a crash, and a restore drops rows added after the backup', async () => {
  const home = await mkdtemp(join(tmpdir(), 'platen-chaos-test-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const postgres = await startPostgres(home);
  onTestFinished(async () => {
    await postgres.stop('immediate');
    await postgres.remove();
  });
  const readKept = (): Promise<unknown[]> => query(postgres, 'select value from kept order by value');
  await query(postgres, 'create table kept (value int)');
  for (const [value, mode] of [
    [1, 'fast'],
    [2, 'immediate'],
  ] as const) {
    await query(postgres, `insert into kept values (${value})`);
    await postgres.stop(mode);
    await expect(readKept()).rejects.toThrow('ECONNREFUSED');
    await postgres.start();
  }
  expect(await readKept()).toEqual([1, 2]);
  expect(
    await query(postgres, `select current_setting('fsync') || current_setting('synchronous_commit') as value`),
  ).toEqual(['onon']);

  // The backup closes open connections. After that, the server accepts new ones.
  const open = new pg.Client({ connectionString: postgres.url });
  open.on('error', () => undefined);
  await open.connect();
  await backUp(postgres);
  await expect(open.query('select 1')).rejects.toThrow();
  await query(postgres, 'insert into kept values (3)');
  expect(await readKept()).toEqual([1, 2, 3]);
  await restore(postgres);
  expect(await readKept()).toEqual([1, 2]);
});
