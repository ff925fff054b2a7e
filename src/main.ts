import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig, type Config } from './config.ts';
import { installDemoShop } from './demo/install-demo-shop.ts';
import { PlatenError } from './errors.ts';
import { toEmbeddedUrl } from './http/sign-in/authorize.ts';
import { registerPrintAddress } from './demo/register-print-address.ts';
import { createLog, type Log } from './log.ts';
import { narrate } from './demo/narrate.ts';
import { openApp, type OpenedApp } from './open-app.ts';
import { toProcessName } from './database/process-name.ts';
import { readVersion } from './read-version.ts';
import { requireSandbox } from './demo/require-sandbox.ts';
import { runApp } from './run-app.ts';
import { describeQuietTime, readQuietUntil } from './shops/print-account/read-quiet-until.ts';
import { writeLine, writeErrorLine } from './terminal.ts';
import { startTracing } from './tracing/start-tracing.ts';
import { placeDemo, watchDemo } from './demo/watch-demo.ts';
import { systemClock } from './clock.ts';

const POOL_SIZE = 20;
/**
 * The poll interval if the sandbox receives no events from its print service. Without frequent polls, the demo orders would not progress
 * while someone watches.
 */
const SANDBOX_POLL_SECONDS = 5;
/** Time limit for shutdown. Process managers may kill the process after 25 s. */
const MAX_STOP_MS = 23_000;

async function main(): Promise<void> {
  // The disk of the output may be full, which must not end the process.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const config = withSandboxPolls(readConfig());
  refuseMissingSandbox(config);
  const isSandbox = config.sandbox.runsStore;
  const log = isSandbox ? createSandboxLog(config) : createLog(config.logLevel);
  await using running = new AsyncDisposableStack();
  const stopped = waitForSignal();
  if (isSandbox) writeLine(`Platen is starting with its sandbox; logs are in ${join(config.home, 'platen.log')}.`);
  const storeUrl = await startStandIns(config, running);
  const opened = await openApp(config, log, {
    poolSize: POOL_SIZE,
    applicationName: toProcessName({ version: readVersion(), keyId: config.encryptionKeys[0]?.id ?? '' }),
  });
  running.defer(() => opened.close());
  const { app, databaseUrl } = opened;
  const tracing = config.tracing && (await startTracing(config.tracing, log));
  running.defer(() => tracing?.close());
  await logStart(opened);
  let isInstalled = storeUrl === null;
  const check = async (): Promise<string[]> => (isInstalled ? [] : ['demo shop']);
  const runningApp = await runApp(app, {
    databaseUrl,
    check,
    ...(tracing && { trace: tracing.trace }),
    // A real print service cannot register the address, so the merchant enters the address in the service's dashboard.
    ...(config.sandbox.runsPrint ? { registerAddress: (shop, url) => registerPrintAddress(app, shop, url) } : {}),
  });
  running.defer(() => runningApp.stop());
  writeLine(`Platen listens on ${runningApp.url}.`);
  if (storeUrl !== null) {
    const { domain } = await installDemoShop(app, storeUrl);
    if (config.role !== 'worker') writeLine(`Platen in the demo store's admin: ${toEmbeddedUrl(app, domain)}`);
    void narrate(app, writeLine, stopped.signal);
    // The process is ready only after this step. The demo orders are not placed if the store already has an order.
    await placeDemo(storeUrl, writeLine);
    isInstalled = true;
    void watchDemo(app, storeUrl, writeLine, stopped.signal);
  }
  await stopped.promise;
  log.info('stopping');
  await running
    .disposeAsync()
    .catch((error: unknown) => log.warn({ error }, 'some components did not shut down cleanly'));
}

/** Logs the facts that an operator needs to know about a process that is starting. The database address is logged without its password. */
async function logStart({ app, databaseUrl, migrations }: OpenedApp): Promise<void> {
  const { host, pathname } = new URL(databaseUrl);
  const quietUntil = await readQuietUntil(app);
  app.log.info(
    {
      version: readVersion(),
      role: app.config.role,
      database: `${host}${pathname}`,
      migrations,
      ...(quietUntil && { quietUntil }),
    },
    'Platen is starting',
  );
  if (quietUntil) app.log.warn({ quietUntil }, describeQuietTime(quietUntil));
}

/** The Docker image does not contain the stand-ins, so a process in a container needs the addresses of real services. */
function refuseMissingSandbox({ sandbox }: Config): void {
  if (sandbox.runsStore) requireSandbox('SHOPIFY_API_KEY is missing');
}

/** Starts a stand-in for each service that is not configured. Returns the address of the store's stand-in. */
async function startStandIns(config: Config, running: AsyncDisposableStack): Promise<string | null> {
  const { sandbox, shopify, home } = config;
  if (!sandbox.runsStore) return null;
  const { startSandbox } = await import('../sandbox/start.ts');
  const { advanceSeconds, extended } = sandbox;
  const started = await startSandbox({
    home,
    print: sandbox.runsPrint ? { port: sandbox.printPort, advanceSeconds, extended } : null,
    store: {
      port: sandbox.storePort,
      appUrl: sandbox.appUrl,
      apiKey: shopify.apiKey,
      apiSecret: shopify.apiSecret,
    },
  });
  running.defer(() => started.close());
  if (started.print) writeLine(`The print service's stand-in listens on ${started.print.url}.`);
  if (started.store) writeLine(`The store's stand-in listens on ${started.store.url}.`);
  return started.store?.url ?? null;
}

/**
 * Polls often if the print service is not the stand-in. The service's events do not reach this app yet, so only polls advance the demo
 * orders.
 */
function withSandboxPolls(config: Config): Config {
  const { runsStore, runsPrint } = config.sandbox;
  return runsStore && !runsPrint && config.pollSeconds === null
    ? { ...config, pollSeconds: SANDBOX_POLL_SECONDS }
    : config;
}

/** In the sandbox, standard output shows the demo orders, and the log is written to a file. */
function createSandboxLog(config: Config): Log {
  mkdirSync(config.home, { recursive: true });
  return createLog(config.logLevel, join(config.home, 'platen.log'));
}

function waitForSignal(): { promise: Promise<void>; signal: AbortSignal } {
  const controller = new AbortController();
  const promise = new Promise<void>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) {
      // Only the first signal starts the timer, because npm repeats a signal that the whole process group has already received.
      process.on(name, () => {
        // The timer also ends a startup that is still in progress.
        if (!controller.signal.aborted) systemClock.after(MAX_STOP_MS, () => process.exit(0));
        controller.abort();
        resolve();
      });
    }
  });
  return { promise, signal: controller.signal };
}

/** Describes a startup error to the operator in one sentence, which names the variable to change if there is one. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return `Platen could not start: ${String(error)}`;
  if (error instanceof PlatenError) return error.message;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return `${error.message}: stop the process that is using this port, or set PORT to a free port.`;
  if (syscall === 'getaddrinfo' || syscall === 'connect')
    return `Platen could not start: ${error.message}. Check HOST and DATABASE_URL.`;
  return `Platen could not start: ${error.message}`;
}

try {
  await main();
  // Exits even if abandoned work is still pending.
  process.exit(0);
} catch (error) {
  writeErrorLine(describeError(error));
  process.exitCode = 1;
}
