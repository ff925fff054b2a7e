import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ChildProcess } from 'node:child_process';
import pg from 'pg';
import { request } from 'undici';
import type { App } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { createLog } from '../src/log.ts';
import { openApp } from '../src/open-app.ts';
import { findFreePorts } from '../sandbox/find-free-ports.ts';
import { killProcess, spawnProgram } from '../test/chaos/stage/child-process.ts';
import { endLeftovers } from '../test/chaos/stage/end-leftovers.ts';
import { startPostgres } from '../test/chaos/stage/postgres.ts';
import { untilResponds } from '../test/chaos/stage/until-responds.ts';
import type { StandInArguments } from './processes/stand-in.ts';
import type { Work } from './processes/report-work.ts';

/** PostgreSQL and stand-ins for the print service and a store, in separate processes, for one measurement. */
export interface Stage {
  home: string;
  databaseUrl: string;
  /** The address for the stand-ins' webhooks. The first process that serves requests listens there. */
  appUrl: string;
  printUrl: string;
  print: ChildProcess;
  store: ChildProcess;
  /** Calls a control endpoint of a stand-in. Throws if the response is not a 2xx. */
  control(of: 'print' | 'store', method: 'GET' | 'POST', path: string, body?: unknown): Promise<unknown>;
  /** Starts a process of Platen as shipped and waits until the process is ready. `readyMs` is the duration of the start. */
  startApp(role: 'all' | 'web' | 'worker', environment?: Record<string, string>): Promise<AppProcess>;
  /** Opens an app in this process to set up shops, and closes it after `act`. */
  withApp<T>(act: (app: App) => Promise<T>): Promise<T>;
  /** Runs a query on the benchmark's own connection. `looks` returns the number of these queries, because each one adds a commit. */
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  looks(): number;
  /** Like `query`, but in another database, so that the app's counts do not include it. */
  queryAside<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

export interface AppProcess {
  child: ChildProcess;
  readyMs: number;
  stop(): Promise<void>;
}

export const APP = { apiKey: 'sandbox-app', apiSecret: 'sandbox-secret' };
const REPORT_WORK = fileURLToPath(new URL('./processes/report-work.ts', import.meta.url));
const FOLDER_PREFIX = 'platen-bench-';
const MAX_CONTROL_MS = 120_000;
const MAX_REPORT_MS = 120_000;
/** A signal that never aborts, because `untilResponds` has its own time limit. */
const NEVER = new AbortController().signal;

interface StageOptions {
  /** How long the print stand-in waits between two steps of an order, or null if orders do not advance. */
  advanceSeconds?: number | null;
}

/** Starts PostgreSQL and the stand-ins on free loopback ports, in a new folder. If a step fails, everything that was started is stopped. */
export async function openStage({ advanceSeconds = 1 }: StageOptions = {}): Promise<Stage> {
  await endLeftovers(FOLDER_PREFIX);
  const home = await mkdtemp(join(tmpdir(), `${FOLDER_PREFIX}${process.pid}-`));
  await using started = new AsyncDisposableStack();
  started.defer(() => rm(home, { recursive: true, force: true }));
  const postgres = await startPostgres(home);
  started.defer(() => postgres.remove());
  started.defer(() => postgres.stop('immediate'));
  const aside = await connectDatabase(postgres.url.replace('/platen?', '/postgres?'));
  started.defer(() => aside.end());
  const own = await connectDatabase(postgres.url);
  started.defer(() => own.end());

  const [port = 0, printPort = 0, storePort = 0] = await findFreePorts(3);
  const appUrl = `http://127.0.0.1:${port}`;
  const urls = { print: `http://127.0.0.1:${printPort}`, store: `http://127.0.0.1:${storePort}` };
  const startStandIn = async (given: StandInArguments): Promise<ChildProcess> => {
    await mkdir(given.options.home);
    const child = spawnMeasured(
      'bench/processes/stand-in.ts',
      [JSON.stringify(given)],
      {},
      join(home, `${given.of}.log`),
    );
    started.defer(() => killProcess(child));
    await untilResponds(`${urls[given.of]}/_control/faults`, NEVER);
    return child;
  };
  const printHome = join(home, 'print');
  const print = await startStandIn({
    of: 'print',
    options: { home: printHome, port: printPort, advanceSeconds, extended: true },
  });
  const store = await startStandIn({
    of: 'store',
    options: { home: join(home, 'store'), port: storePort, appUrl, ...APP },
  });

  const environment = {
    DATABASE_URL: postgres.url,
    PLATEN_HOME: join(home, 'app'),
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    SHOPIFY_API_KEY: APP.apiKey,
    SHOPIFY_API_SECRET: APP.apiSecret,
    SHOPIFY_APP_URL: appUrl,
    SHOPIFY_ADMIN_ORIGIN: `${urls.store}/{shop}`,
    PRINT_ORDER_URL: urls.print,
    // The addresses of the products' print files do not exist, so the files are not checked.
    PRINT_FILE_CHECK: 'off',
  };
  let looks = 0;
  let apps = 0;
  const kept = started.move();
  return {
    home,
    databaseUrl: postgres.url,
    appUrl,
    printUrl: urls.print,
    print,
    store,
    control: (of, method, path, body) => callControl(urls[of], method, path, body),
    async startApp(role, more = {}) {
      // Processes that serve requests use the port that the stand-ins know. A worker uses another port for /readyz.
      const own = role === 'worker' ? (await findFreePorts(1))[0] : port;
      apps += 1;
      const startedAt = performance.now();
      const all = { ...environment, ROLE: role, PORT: String(own), ...more };
      const child = spawnMeasured('src/main.ts', [], all, join(home, `app-${apps}.log`));
      const stop = (): Promise<void> => endProcess(child);
      kept.defer(stop);
      await untilResponds(`http://127.0.0.1:${own}/readyz`, NEVER);
      return { child, readyMs: performance.now() - startedAt, stop };
    },
    async withApp(act) {
      const log = createLog('warn', 2);
      const opened = await openApp(readConfig(environment), log, { poolSize: 4, applicationName: 'bench' });
      try {
        return await act(opened.app);
      } finally {
        await opened.close();
      }
    },
    async query(sql, values) {
      looks += 1;
      return (await own.query(sql, values)).rows as never;
    },
    looks: () => looks,
    queryAside: async (sql, values) => (await aside.query(sql, values)).rows as never,
    close: () => kept.disposeAsync(),
  };
}

/** Returns the work of one of the stage's processes since it started. */
export async function readWork(child: ChildProcess): Promise<Work> {
  const answer = once(child, 'message', { signal: AbortSignal.timeout(MAX_REPORT_MS) });
  child.send('work');
  const [work] = (await answer) as [Work];
  return work;
}

/** Starts a program that responds to `readWork`. */
export function spawnMeasured(
  script: string,
  args: string[],
  environment: Record<string, string>,
  logFile: string,
): ChildProcess {
  return spawnProgram({ script, args, environment, logFile, imports: [REPORT_WORK] });
}

/** Runs a program that reports its result and ends. Rejects if it ends without a result. */
export async function runProcess<Result>(script: string, given: object, logFile: string): Promise<Result> {
  const child = spawnMeasured(script, [JSON.stringify(given)], {}, logFile);
  const exited = once(child, 'exit');
  // The channel closes after the last message, which may come after the exit.
  const closed = once(child, 'disconnect');
  const [result] = (await Promise.race([once(child, 'message'), closed.then(() => [])])) as [Result?];
  if (result === undefined) throw new Error(`${script} failed: ${(await readFile(logFile, 'utf8')).slice(-1_000)}`);
  await exited;
  return result;
}

/** Stops a process with SIGTERM, as an operator would, and waits until it has ended. */
async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

async function connectDatabase(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, application_name: 'bench' });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function callControl(url: string, method: string, path: string, body: unknown): Promise<unknown> {
  const answer = await request(`${url}/_control${path}`, {
    method: method as 'GET' | 'POST',
    signal: AbortSignal.timeout(MAX_CONTROL_MS),
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${method} ${path} returned ${answer.statusCode}: ${text}`);
  return JSON.parse(text);
}
