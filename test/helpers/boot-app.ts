import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from '../../src/app.ts';
import { systemClock, type Clock } from '../../src/clock.ts';
import { readConfig, type Config } from '../../src/config.ts';
import { connectDatabase, connectIntake } from '../../src/database/connect.ts';
import { setReadyJobs } from '../../src/jobs/backlogs.ts';
import { enqueue } from '../../src/jobs/enqueue.ts';
import { createLog, logOutage } from '../../src/log.ts';
import { createPrintClient } from '../../src/print/client.ts';
import { runApp } from '../../src/run-app.ts';
import { findFreePorts } from '../../sandbox/find-free-ports.ts';
import { createShopify } from '../../src/shopify/client.ts';
import { startTracing } from '../../src/tracing/start-tracing.ts';
import { addCallToSpan } from '../../src/tracing/work.ts';
import { createClockedDatabase } from './clocked-database.ts';
import { createTestDatabase, emptyTables, type TestDatabase } from './database.ts';
import { checkStoredTexts } from './find-untranslated.ts';
import { openVirtualClock, type VirtualClock } from './virtual-clock.ts';

/** What a test changes about the app itself. Such a test gets an app of its own. */
export interface AppOptions {
  /** How often the counts of calls are stored, in milliseconds. */
  flushMs?: number;
  /** If false, only the documented interface is served. */
  extended?: boolean;
  environment?: NodeJS.ProcessEnv;
  /** The destination of the log. The default is standard error. */
  logFile?: string;
  /** An empty, migrated database that is dropped at the end. By default, a new database is created. */
  database?: TestDatabase;
  /** If `real`, time passes as usual, for tests whose browser or child process waits for the app. */
  time?: 'real' | 'virtual';
}

/** A running app without stand-ins. */
export interface BootedApp {
  app: App;
  clock: Clock;
  /** Null if time passes as usual. */
  virtual: VirtualClock | null;
  url: string;
  /** The ports at which the app expects the stand-ins. */
  ports: { print: number; store: number };
  /** Ends the app's work. The stand-ins close next, and then `close` frees everything. */
  stop: () => Promise<void>;
  close: () => Promise<void>;
}

/** How often virtual time wakes what looks for work without a notice. */
export const RARELY_MS = 43_200_000;

/** Starts the app's endpoints and jobs in this process. */
export async function bootApp(options: AppOptions = {}): Promise<BootedApp> {
  const { extended = true, environment = {}, logFile } = options;
  await using started = new AsyncDisposableStack();
  const home = mkdtempSync(join(tmpdir(), 'platen-app-'));
  started.defer(() => rmSync(home, { recursive: true, force: true }));
  const isVirtual = options.time !== 'real' && options.database === undefined;
  const database = options.database ?? (await (isVirtual ? createClockedDatabase() : createTestDatabase()));
  started.defer(() => database.drop());
  const virtual = isVirtual ? await openVirtualClock(database.url) : null;
  started.defer(async () => virtual?.close());
  const clock = virtual ?? systemClock;
  const [port = 0, print = 0, store = 0] = await findFreePorts(3);
  const config = readConfig({
    PLATEN_HOME: home,
    PORT: String(port),
    DATABASE_URL: database.url,
    SANDBOX_PRINT_PORT: String(print),
    SANDBOX_STORE_PORT: String(store),
    SANDBOX_EXTENDED: extended ? 'on' : 'off',
    LOG_LEVEL: 'silent',
    ...environment,
  });
  const { app, close: closeApp } = await createApp({ clock, config, url: database.url, destination: logFile ?? 2 });
  started.defer(closeApp);
  const tracing = config.tracing && (await startTracing(config.tracing, app.log));
  started.defer(() => tracing?.close());
  // A scheduled poll could run at any moment of a test, so a poll runs only if the test sets its interval.
  const running = await runApp(app, {
    databaseUrl: database.url,
    polls: config.pollSeconds !== null,
    ...(tracing && { trace: tracing.trace }),
    ...(isVirtual && { pollIntervalMs: RARELY_MS, replayMs: RARELY_MS }),
    flushMs: options.flushMs ?? (isVirtual ? RARELY_MS : 60_000),
  });
  const kept = started.move();
  const url = `http://127.0.0.1:${port}`;
  const close = (): Promise<void> => kept.disposeAsync();
  return { app, clock, virtual, url, ports: { print, store }, stop: () => running.stop(), close };
}

/** Tables that belong to a running app. */
const APP_TABLES = ['installation', 'job_runners'];

/** Removes every shop and job from an app, as if it had just started. */
export async function clearApp({ app, virtual }: BootedApp): Promise<void> {
  await virtual?.settle();
  await checkStoredTexts(app.db);
  await emptyTables(app.db, APP_TABLES);
  setReadyJobs([]);
  // The limits of requests and the pauses after outages end.
  await virtual?.pass(300_000);
}

export async function createApp({
  clock,
  config,
  url,
  destination,
  poolSize = 10,
}: {
  clock: Clock;
  config: Config;
  url: string;
  destination: 2 | string;
  poolSize?: number;
}): Promise<{ app: App; close: () => Promise<void> }> {
  const log = createLog(config.logLevel, destination);
  const db = await connectDatabase({ url, poolSize });
  const intake = await connectIntake(url);
  const shopify = createShopify({
    ...config.shopify,
    clock,
    log,
    onCall: (call) => addCallToSpan('shopify', call),
  });
  const print = createPrintClient({
    clock,
    urls: config.print.urls,
    timeoutMs: config.print.timeoutSeconds * 1000,
    onCall: (call) => addCallToSpan('print', call),
    onOutage: (what, seconds) => logOutage(log, { api: 'print', seconds }, what),
  });
  return {
    app: { config, db, intake, print, shopify, jobs: { enqueue }, log, clock },
    async close() {
      await Promise.all([shopify.close(), print.close()]);
      await Promise.all([db.destroy(), intake.destroy()]);
    },
  };
}
