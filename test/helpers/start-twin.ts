import { onTestFinished } from 'vitest';
import type { DataSource } from 'typeorm';
import type { App } from '../../src/app.ts';
import { runApp } from '../../src/run-app.ts';
import { findFreePorts } from '../../sandbox/find-free-ports.ts';
import { createApp, RARELY_MS } from './boot-app.ts';
import { createClockedDatabase } from './clocked-database.ts';
import { currentClock } from './eventually.ts';
import { BACKED_UP_TABLES } from './open-snapshots.ts';
import type { Platen } from './platen.ts';

/**
 * Copies the database of an app with virtual time, and starts a second app with the copy, the same store and the same print account. Webhooks
 * and events reach only the original.
 */
export async function startTwin({ app }: Platen): Promise<App> {
  const clock = currentClock();
  if (clock === null) throw new Error('A twin needs virtual time.');
  const database = await createClockedDatabase();
  onTestFinished(() => database.drop());
  await copyRows(app.db, database.db);
  const unfollow = await clock.follow(database.url);
  onTestFinished(unfollow);
  const [port = 0] = await findFreePorts(1);
  const config = { ...app.config, port, databaseUrl: database.url };
  const twin = await createApp({ clock, config, url: database.url, destination: 2 });
  onTestFinished(twin.close);
  const options = { polls: false, pollIntervalMs: RARELY_MS, replayMs: RARELY_MS, flushMs: RARELY_MS };
  const running = await runApp(twin.app, { ...options, databaseUrl: database.url });
  onTestFinished(async () => {
    await clock.during(running.stop());
  });
  return twin.app;
}

/** Copies the rows of one moment. Both databases have the same tables. */
async function copyRows(from: DataSource, to: DataSource): Promise<void> {
  const rows = await from.transaction('REPEATABLE READ', async (manager) => {
    const read: { table: string; columns: string; rows: string }[] = [];
    const tables: { table: string; columns: string }[] = await manager.query(
      `select format('%I.%I', schema, name) as "table", columns from (${BACKED_UP_TABLES}) t`,
    );
    for (const { table, columns } of tables) {
      const [found] = (await manager.query(`select coalesce(json_agg(t), '[]')::text as rows from ${table} t`)) as {
        rows: string;
      }[];
      read.push({ table, columns, rows: found?.rows ?? '[]' });
    }
    return read;
  });
  const sequences: { name: string; last: string }[] = await from.query(
    `select format('%I.%I', schemaname, sequencename) as name, last_value::text as last from pg_sequences where last_value is not null`,
  );
  await to.transaction(async (manager) => {
    await manager.query('set local session_replication_role = replica');
    for (const { table, columns, rows: copied } of rows) {
      await manager.query(`delete from ${table}`);
      await manager.query(
        `insert into ${table} (${columns}) overriding system value select ${columns} from json_populate_recordset(null::${table}, $1)`,
        [copied],
      );
    }
    for (const { name, last } of sequences) await manager.query('select setval($1, $2)', [name, last]);
  });
}
