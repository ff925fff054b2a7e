import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfig, withEnvironment } from '../../config.ts';
import { requireSandbox } from '../../demo/require-sandbox.ts';
import type { DemoOrder } from '../../../sandbox/demo.ts';
import { writeLine, writeJson } from '../../terminal.ts';
import { systemClock } from '../../clock.ts';

const MAX_SECONDS = 90;
const POLL_MS = 300;
const DEMO_ORDER_COUNT = 3;

/**
 * `platen demo`: runs the three demo orders as `npm start` does, but on free ports and in a new temporary PLATEN_HOME. Succeeds when every
 * printed line has a fulfillment with tracking, and fails after 90 seconds.
 */
export async function demo({ json }: { json: boolean }): Promise<void> {
  requireSandbox('platen demo cannot run');
  const home = await mkdtemp(join(tmpdir(), 'platen-demo-'));
  const environment = await toEnvironment(home);
  const server = startServer(environment, json);
  try {
    const storeUrl = `http://127.0.0.1:${environment.SANDBOX_STORE_PORT}`;
    const orders = await waitForOrders(storeUrl, server);
    const config = readConfig(withEnvironment({ ...environment, ...SANDBOX_ENVIRONMENT }));
    const { DEMO_SHOP } = await import('../../../sandbox/demo.ts');
    const { describeDemo } = await import('./describe-demo.ts');
    const document = await describeDemo(config, DEMO_SHOP, orders);
    if (json) writeJson(document);
    else writeLine(`All ${orders.length} orders are fulfilled in the store, with tracking.`);
  } finally {
    await stopServer(server);
    await rm(home, { recursive: true, force: true });
  }
}

/** Keeps the demo separate from a real app that the environment may configure. */
const SANDBOX_ENVIRONMENT = { DATABASE_URL: '', SHOPIFY_API_KEY: '', SHOPIFY_API_SECRET: '' };

type DemoEnvironment = Record<'PLATEN_HOME' | 'PORT' | 'SANDBOX_PRINT_PORT' | 'SANDBOX_STORE_PORT', string>;

async function toEnvironment(home: string): Promise<DemoEnvironment> {
  const { findFreePorts } = await import('../../../sandbox/find-free-ports.ts');
  const [port, printPort, storePort] = await findFreePorts(3);
  return {
    PLATEN_HOME: home,
    PORT: String(port),
    SANDBOX_PRINT_PORT: String(printPort),
    SANDBOX_STORE_PORT: String(storePort),
  };
}

/** With --json, standard output is reserved for the JSON document, so the server's output is written to standard error. */
function startServer(environment: DemoEnvironment, isJson: boolean): ChildProcess {
  const main = fileURLToPath(new URL('../../main.ts', import.meta.url));
  const env = withEnvironment({ ...environment, ...SANDBOX_ENVIRONMENT });
  return spawn(process.execPath, [main], { env, stdio: ['ignore', isJson ? 2 : 'inherit', 'inherit'] });
}

async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  await ended;
}

async function waitForOrders(storeUrl: string, server: ChildProcess): Promise<DemoOrder[]> {
  const { isTracked, readDemoVariants, readStoreOrders } = await import('../../../sandbox/demo.ts');
  const end = systemClock.ticks() + MAX_SECONDS * 1000;
  let orders: DemoOrder[] = [];
  while (systemClock.ticks() < end) {
    if (server.exitCode !== null) throw new Error('The server stopped before the demo orders were fulfilled.');
    await systemClock.sleep(POLL_MS);
    // A failed read is retried: the store stand-in may not have started yet, or may be stopping.
    orders = await readStoreOrders(storeUrl).catch(() => orders);
    if (orders.length < DEMO_ORDER_COUNT) continue;
    const printed = new Set((await readDemoVariants(storeUrl)).map(({ sku }) => sku));
    if (orders.every((order) => isTracked(order, printed))) return orders;
  }
  const names = orders.map(({ name, fulfillments }) => `${name} (fulfillments: ${fulfillments.length})`).join(', ');
  throw new Error(
    `After ${MAX_SECONDS} seconds, not all demo orders are fulfilled with tracking codes. Orders in the store: ${names || 'none'}.`,
  );
}
