import type { App } from './app.ts';
import type { Config } from './config.ts';
import { startDatabaseClock } from './database/start-database-clock.ts';
import { connectDatabase, connectIntake } from './database/connect.ts';
import { openEmbeddedDatabase } from './database/embedded.ts';
import { migrate } from './database/migrate.ts';
import { enqueue } from './jobs/enqueue.ts';
import { migrateQueue } from './jobs/migrate-queue.ts';
import type { DataSource } from 'typeorm';
import { logOutage, type Log } from './log.ts';
import { createPrintClient } from './print/client.ts';
import { createShopify } from './shopify/client.ts';
import { addCallToSpan } from './tracing/work.ts';
import { systemClock, withinTime } from './clock.ts';

const CLOSE_MS = 1_000;

export interface OpenedApp {
  app: App;
  databaseUrl: string;
  /** The migrations that ran during this start. */
  migrations: string[];
  close(): Promise<void>;
}

/**
 * Opens the database, migrates it under a lock (unless `migrates` is false) and builds this process's App. The database is the one at
 * DATABASE_URL or the embedded one. If another Platen process already runs the embedded database, this process joins it. If a step fails,
 * closes everything that is open.
 */
export async function openApp(
  config: Config,
  log: Log,
  { migrates = true, ...options }: { poolSize: number; applicationName: string; migrates?: boolean },
): Promise<OpenedApp> {
  await using opened = new AsyncDisposableStack();
  let databaseUrl = config.databaseUrl;
  if (databaseUrl === null) {
    const embedded = await openEmbeddedDatabase(config.home, log);
    opened.defer(() => embedded.close());
    databaseUrl = embedded.url;
  }
  const db = await connectDatabase({ url: databaseUrl, ...options });
  opened.defer(() => closeInTime(db));
  const migrations = migrates ? await migrate(db) : [];
  if (migrates) await migrateQueue(databaseUrl);
  const intake = await connectIntake(databaseUrl);
  opened.defer(() => closeInTime(intake));
  const shopify = createShopify({
    ...config.shopify,
    clock: systemClock,
    log,
    onCall: (call) => addCallToSpan('shopify', call),
  });
  opened.defer(() => shopify.close());
  const print = createPrintClient({
    clock: systemClock,
    urls: config.print.urls,
    timeoutMs: config.print.timeoutSeconds * 1000,
    onCall: (call) => addCallToSpan('print', call),
    onOutage: (what, seconds) => logOutage(log, { api: 'print', seconds }, what),
  });
  opened.defer(() => print.close());
  // Platen decides by age whether to send something again, so all processes must use the same clock: the database's.
  const { clock, stop } = await startDatabaseClock(db);
  opened.defer(stop);
  const app: App = { clock, config, db, intake, print, shopify, jobs: { enqueue }, log };
  const kept = opened.move();
  return { app, databaseUrl, migrations, close: () => kept.disposeAsync() };
}

/**
 * Closes the database connections, but does not wait long for connections in use or for an unresponsive server. Such connections end with
 * the process.
 */
async function closeInTime(db: DataSource): Promise<void> {
  await withinTime(systemClock, { work: db.destroy(), milliseconds: CLOSE_MS, late: () => undefined });
}
