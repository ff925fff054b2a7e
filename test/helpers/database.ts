import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { inject } from 'vitest';
import { connectDatabase } from '../../src/database/connect.ts';
import { checkStoredTexts } from './find-untranslated.ts';
import { setReadyJobs } from '../../src/jobs/backlogs.ts';

export interface TestDatabase {
  url: string;
  db: DataSource;
  drop(): Promise<void>;
}

/** Creates a migrated, empty database for the caller. Call `drop` in afterAll or afterEach. Outside a test, pass the server URL. */
export async function createTestDatabase(serverUrl: string = inject('databaseUrl')): Promise<TestDatabase> {
  // Shop IDs repeat in every database, so the job counts of earlier shops are cleared.
  setReadyJobs([]);
  const name = `test_${randomBytes(8).toString('hex')}`;
  await asAdmin(serverUrl, (client) => client.query(`create database ${name} template platen_template`));
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const db = await connectDatabase({ url: url.href });
  return {
    url: url.href,
    db,
    async drop() {
      try {
        if (db.isInitialized) await checkStoredTexts(db);
      } finally {
        if (db.isInitialized) await db.destroy();
        await dropDatabase(serverUrl, name);
      }
    },
  };
}

const MAX_CHECKS = 20;
const CHECK_MS = 25;

/**
 * Drops a database, even if it still has connections. First waits briefly for connections that are being closed: if the server terminates
 * such a connection, its client throws an error that no test can catch.
 */
async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  await asAdmin(serverUrl, async (client) => {
    for (let check = 0; check < MAX_CHECKS; check += 1) {
      const { rowCount } = await client.query('select from pg_stat_activity where datname = $1', [name]);
      if (rowCount === 0) break;
      await delay(CHECK_MS);
    }
    await client.query(`drop database ${name} with (force)`);
  });
}

async function asAdmin(serverUrl: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
