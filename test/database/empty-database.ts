import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';

/** Creates a database without tables on the test server and returns its address. The test drops it at its end. */
export async function createEmptyDatabase(): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await runAsAdmin(`create database ${name}`);
  onTestFinished(() => runAsAdmin(`drop database ${name} with (force)`));
  const url = new URL(inject('databaseUrl'));
  url.pathname = `/${name}`;
  return url.href;
}

async function runAsAdmin(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('databaseUrl') });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
