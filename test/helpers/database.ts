import { randomBytes } from 'node:crypto';
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
  await runAsAdmin(serverUrl, `create database ${name} template platen_template`);
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
        await runAsAdmin(serverUrl, `drop database ${name} with (force)`);
      }
    },
  };
}

async function runAsAdmin(serverUrl: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
