import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeFreePorts } from '../../sandbox/take-free-ports.ts';
import { killProcess, runPlatenCommand, spawnProgram } from './child-process.ts';
import { endLeftovers } from './end-leftovers.ts';
import { openIngress } from './ingress.ts';
import { startPostgres, type Postgres } from './postgres.ts';
import { createReplica, type Replica } from './replica.ts';
import { say } from './say.ts';
import { untilAnswers } from './until-answers.ts';

/** What surrounds the replicas of a run. Everything that is not a disturbance looks at them from outside, through this. */
export interface Stage {
  /** The folder of the run: books, logs, database. */
  home: string;
  databaseUrl: string;
  /** The ingress in front of the replicas. */
  appUrl: string;
  printUrl: string;
  storeUrl: string;
  /** The environment of the `platen` command, and of the replicas but for their PORT and PLATEN_HOME. */
  environment: Record<string, string>;
  /** Calls a control door of a stand-in, which no fault reaches; throws when it does not answer 2xx. */
  control(of: 'print' | 'store', method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<unknown>;
  /** Runs the `platen` command as an operator would; its standard output. Rejects with what it said when it fails. */
  platen(args: string[]): Promise<string>;
}

/** The stage with what disturbances reach for. */
export interface OpenStage extends Stage {
  postgres: Postgres;
  replicas: readonly Replica[];
  /** Ends every process that the run started. */
  close(): Promise<void>;
  /** Removes the folder and the database's files, once it is closed. */
  remove(): Promise<void>;
}

/** What the folder of a run begins with, before the id of its process. */
const FOLDER_PREFIX = 'platen-chaos-';
const APP = { apiKey: 'sandbox-app', apiSecret: 'sandbox-secret' };

/** Times that let a run see in seconds what takes minutes in production; effects come up to 2 s late, searches lag up to 1 s. */
const PACE = {
  POLL_SECONDS: '2',
  PRINT_TIMEOUT_SECONDS: '2',
  SUBMIT_DEADLINE_SECONDS: '1',
  SUBMIT_QUIET_SECONDS: '10',
};

/**
 * Starts PostgreSQL, both stand-ins and the replicas as processes of their own, in a new folder and on free ports of loopback, and
 * waits until all of them answer. What was started is ended again when one of them does not, or when `signal` is aborted.
 */
export async function openStage({
  replicas: count,
  signal,
}: {
  replicas: number;
  signal: AbortSignal;
}): Promise<OpenStage> {
  await endLeftovers(FOLDER_PREFIX);
  const home = await mkdtemp(join(tmpdir(), `${FOLDER_PREFIX}${process.pid}-`));
  await using started = new AsyncDisposableStack();
  started.defer(() => rm(home, { recursive: true, force: true }));
  const postgres = await startPostgres(home);
  started.defer(() => postgres.remove());
  const running = started.use(new AsyncDisposableStack());
  running.defer(() => postgres.stop('immediate'));

  // Processes start many times in a run: half of what that costs is to compile the same files again.
  const shared = { NODE_COMPILE_CACHE: await makeHome(home, 'compile-cache') };
  const [printPort = 0, storePort = 0, ...ports] = await takeFreePorts(2 + count);
  const ingress = await openIngress(ports);
  running.defer(() => ingress.close());
  const printUrl = `http://127.0.0.1:${printPort}`;
  const storeUrl = `http://127.0.0.1:${storePort}`;
  const standIns = await startStandIns(home, { printPort, storePort, appUrl: ingress.url, shared });
  running.defer(standIns);

  const environment = {
    ...PACE,
    ...shared,
    DATABASE_URL: postgres.url,
    PLATEN_HOME: await makeHome(home, 'operator'),
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    SHOPIFY_API_KEY: APP.apiKey,
    SHOPIFY_API_SECRET: APP.apiSecret,
    SHOPIFY_APP_URL: ingress.url,
    SHOPIFY_ADMIN_ORIGIN: `${storeUrl}/{shop}`,
    PRINT_ORDER_URL: printUrl,
    LOG_LEVEL: 'warn',
  };
  const replicas: Replica[] = [];
  for (const [index, port] of ports.entries()) {
    const name = `replica-${index + 1}`;
    const own = { PLATEN_HOME: await makeHome(home, name) };
    const logFile = join(home, `${name}.log`);
    replicas.push(createReplica({ name, port, environment: { ...environment, ...own }, logFile }));
  }
  running.defer(async () => void (await Promise.all(replicas.map((replica) => replica.stop()))));
  // Their files are compiled by then, so that a busy machine is not asked to do it for each at once.
  await runPlatenCommand(['migrate'], environment);
  for (const replica of replicas) replica.start();

  const doors = [printUrl, storeUrl].map((url) => `${url}/_control/faults`);
  const ready = ports.map((port) => `http://127.0.0.1:${port}/readyz`);
  await Promise.all([...doors, ...ready].map((url) => untilAnswers(url, signal)));
  say(`${count} replicas run behind ${ingress.url}, everything of them is in ${home}`);

  const kept = started.move();
  return {
    home,
    databaseUrl: postgres.url,
    appUrl: ingress.url,
    printUrl,
    storeUrl,
    environment,
    postgres,
    replicas,
    control: (of, method, path, body) => callControl(of === 'print' ? printUrl : storeUrl, method, path, body),
    platen: (args) => runPlatenCommand(args, environment),
    close: () => running.disposeAsync(),
    remove: () => kept.disposeAsync(),
  };
}

async function makeHome(home: string, name: string): Promise<string> {
  const folder = join(home, name);
  await mkdir(folder);
  return folder;
}

/** Both in one process, that nothing disturbs. Returns what ends it. */
async function startStandIns(
  home: string,
  options: { printPort: number; storePort: number; appUrl: string; shared: Record<string, string> },
): Promise<() => Promise<void>> {
  const folder = await makeHome(home, 'sandbox');
  const child = spawnProgram({
    script: 'src/cli/main.ts',
    args: ['sandbox'],
    environment: {
      ...options.shared,
      PLATEN_HOME: folder,
      SANDBOX_PRINT_PORT: String(options.printPort),
      SANDBOX_STORE_PORT: String(options.storePort),
      SANDBOX_APP_URL: options.appUrl,
    },
    logFile: join(home, 'sandbox.log'),
  });
  child.once('exit', (code, signal) => {
    // The calls to them fail from now on, and the run with them.
    if (signal !== 'SIGKILL') say(`the stand-ins ended by themselves (${signal ?? code})`);
  });
  return () => killProcess(child);
}

async function callControl(url: string, method: string, path: string, body: unknown): Promise<unknown> {
  const answer = await fetch(`${url}/_control${path}`, {
    method,
    signal: AbortSignal.timeout(60_000),
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
  return text === '' ? null : JSON.parse(text);
}
