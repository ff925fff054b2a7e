import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { findFreePorts } from '../../../sandbox/find-free-ports.ts';
import { eventually } from '../../helpers/eventually.ts';
import type { Platen } from '../../helpers/platen.ts';

const MAIN = join(import.meta.dirname, '../../../src/main.ts');

/** The variables of a process in production with the database and the stand-ins of a running Platen. */
export function productionVariables({ app: { config }, url, printUrl, storeUrl }: Platen): Record<string, string> {
  return {
    PLATEN_HOME: config.home,
    DATABASE_URL: config.databaseUrl ?? '',
    SHOPIFY_API_KEY: config.shopify.apiKey,
    SHOPIFY_API_SECRET: config.shopify.apiSecret,
    SHOPIFY_APP_URL: url,
    SHOPIFY_ADMIN_ORIGIN: `${storeUrl}/{shop}`,
    PRINT_ORDER_URL: printUrl,
    ENCRYPTION_KEY: config.encryptionKeys[0]?.key.toString('base64') ?? '',
    LOG_LEVEL: 'silent',
  };
}

/** Starts a process as in production. Resolves when it is ready. A process that still runs at the end of the test is killed. */
export async function startProcess(platen: Platen, more: Record<string, string> = {}): Promise<ChildProcess> {
  const [port = 0] = await findFreePorts(1);
  const env = { PATH: process.env['PATH'], ...productionVariables(platen), PORT: String(port), ...more };
  const child = spawn(process.execPath, [MAIN], { stdio: ['ignore', 'ignore', 'inherit'], env });
  onTestFinished(() => void child.kill('SIGKILL'));
  const isReady = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await eventually(isReady).toBe(true);
  return child;
}

/** Sends a process two stop signals, as npm does, and waits until the process exits. */
export async function stopProcess(child: ChildProcess): Promise<{ code: number | null; ms: number }> {
  const asked = performance.now();
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  child.kill('SIGTERM');
  const [code] = (await exited) as [number | null];
  return { code, ms: performance.now() - asked };
}
