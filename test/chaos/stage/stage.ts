import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePorts } from '../../../sandbox/find-free-ports.ts';
import { killProcess, runPlatenCommand, spawnProgram } from './child-process.ts';
import { endLeftovers } from './end-leftovers.ts';
import { openIngress } from './ingress.ts';
import { startPostgres, type Postgres } from './postgres.ts';
import { checkOutVersion } from './previous-version.ts';
import { createReplica, type Replica } from './replica.ts';
import { say } from '../say.ts';
import { untilResponds } from './until-responds.ts';

/** The environment of a run's replicas. Everything except the disturbances accesses the replicas from outside, through this interface. */
export interface Stage {
  /** The folder of the run, which contains books, logs and the database. */
  home: string;
  databaseUrl: string;
  /** The URL of the ingress in front of the replicas. */
  appUrl: string;
  printUrl: string;
  storeUrl: string;
  /** The environment of the `platen` command. Each replica adds its own PORT and replaces PLATEN_HOME. */
  environment: Record<string, string>;
  /** Calls a control endpoint of a stand-in. Faults do not affect these requests. Throws if the response is not a 2xx. */
  control(of: 'print' | 'store', method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<unknown>;
  /**
   * Runs the `platen` command as an operator would and returns its standard output. If the command fails, rejects with its error output.
   */
  platen(args: string[]): Promise<string>;
}

/** A stage with the parts that the disturbances need. */
export interface OpenStage extends Stage {
  postgres: Postgres;
  replicas: readonly Replica[];
  /** Stops every process that the run started. */
  close(): Promise<void>;
  /** Removes the folder and the database's files. Must be called after `close`. */
  remove(): Promise<void>;
}

/** The name of a run's folder starts with this prefix, followed by the run's process ID. */
const FOLDER_PREFIX = 'platen-chaos-';
const APP = { apiKey: 'sandbox-app', apiSecret: 'sandbox-secret' };

/**
 * Short intervals and time limits, so that work that takes minutes in production takes seconds in a run. Effects are up to 2 s late, and
 * searches lag up to 1 s.
 */
const PACE = {
  POLL_SECONDS: '2',
  PRINT_TIMEOUT_SECONDS: '2',
  SUBMIT_DEADLINE_SECONDS: '1',
  SUBMIT_QUIET_SECONDS: '10',
};

interface StageOptions {
  replicas: number;
  /** Every other replica runs the code of this git revision, which migrates the database first. */
  upgradeFrom: string | null;
  signal: AbortSignal;
}

/**
 * Starts PostgreSQL, both stand-ins and the replicas as separate processes, in a new folder and on free loopback ports, and waits until
 * all of them respond. If one of them does not respond, or if `signal` is aborted, ends the processes that were started.
 */
export async function openStage({ replicas: count, upgradeFrom, signal }: StageOptions): Promise<OpenStage> {
  await endLeftovers(FOLDER_PREFIX);
  const home = await mkdtemp(join(tmpdir(), `${FOLDER_PREFIX}${process.pid}-`));
  await using started = new AsyncDisposableStack();
  started.defer(() => rm(home, { recursive: true, force: true }));
  const postgres = await startPostgres(home);
  started.defer(() => postgres.remove());
  const running = started.use(new AsyncDisposableStack());
  running.defer(() => postgres.stop('immediate'));

  // Processes start many times in a run, and half of the startup cost is compiling the same files again.
  const shared = { NODE_COMPILE_CACHE: await createHome(home, 'compile-cache') };
  const [printPort = 0, storePort = 0, ...ports] = await findFreePorts(2 + count);
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
    PLATEN_HOME: await createHome(home, 'operator'),
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    SHOPIFY_API_KEY: APP.apiKey,
    SHOPIFY_API_SECRET: APP.apiSecret,
    SHOPIFY_APP_URL: ingress.url,
    SHOPIFY_ADMIN_ORIGIN: `${storeUrl}/{shop}`,
    PRINT_ORDER_URL: printUrl,
    LOG_LEVEL: 'warn',
  };
  const earlier = upgradeFrom === null ? undefined : await checkOutVersion(home, upgradeFrom);
  const replicas: Replica[] = [];
  for (const [index, port] of ports.entries()) {
    const name = `replica-${index + 1}`;
    const own = { PLATEN_HOME: await createHome(home, name) };
    const logFile = join(home, `${name}.log`);
    const root = index % 2 === 0 ? earlier : undefined;
    replicas.push(createReplica({ name, port, environment: { ...environment, ...own }, logFile, root }));
  }
  running.defer(async () => void (await Promise.all(replicas.map((replica) => replica.stop()))));
  // The command also fills the compile cache. Otherwise, all replicas would compile simultaneously on a busy machine.
  await runPlatenCommand(['migrate'], environment, earlier);
  if (earlier !== undefined) {
    say(`every other replica runs the code of ${upgradeFrom}`);
    replicas[0]?.start();
    await untilResponds(`http://127.0.0.1:${ports[0]}/readyz`, signal);
  }
  for (const replica of replicas) replica.start();

  const controls = [printUrl, storeUrl].map((url) => `${url}/_control/faults`);
  const ready = ports.map((port) => `http://127.0.0.1:${port}/readyz`);
  await Promise.all([...controls, ...ready].map((url) => untilResponds(url, signal)));
  say(`${count} replicas are running behind ${ingress.url}; their files are in ${home}`);

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

async function createHome(home: string, name: string): Promise<string> {
  const folder = join(home, name);
  await mkdir(folder);
  return folder;
}

/** Starts both stand-ins in one process that is not disturbed. Returns a function that ends the process. */
async function startStandIns(
  home: string,
  options: { printPort: number; storePort: number; appUrl: string; shared: Record<string, string> },
): Promise<() => Promise<void>> {
  const folder = await createHome(home, 'sandbox');
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
    // If the stand-ins end, requests to them fail, and so does the run.
    if (signal !== 'SIGKILL') say(`the stand-ins ended unexpectedly (${signal ?? code})`);
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
  if (!answer.ok) throw new Error(`${method} ${path} returned ${answer.status}: ${text}`);
  return text === '' ? null : JSON.parse(text);
}
