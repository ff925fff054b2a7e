import { expect, vi } from 'vitest';
import { startAppProcess, type AppProcess } from '../faults/worker.ts';
import type { Platen } from '../helpers/platen.ts';
import { findFreePorts } from '../../sandbox/find-free-ports.ts';

/** A busy machine may take minutes to start a process. */
const READY = { timeout: 240_000, interval: 100 };

/** Starts a worker of this installation in a separate process, as an operator would start it, and waits until it is ready. */
export async function startTracedWorker(
  { app, url, printUrl, storeUrl }: Platen,
  environment: Record<string, string>,
): Promise<AppProcess> {
  const { config } = app;
  const [port = 0] = await findFreePorts(1);
  const worker = startAppProcess({
    ROLE: 'worker',
    PORT: String(port),
    DATABASE_URL: config.databaseUrl ?? '',
    SHOPIFY_API_KEY: config.shopify.apiKey,
    SHOPIFY_API_SECRET: config.shopify.apiSecret,
    SHOPIFY_APP_URL: url,
    SHOPIFY_ADMIN_ORIGIN: `${storeUrl}/{shop}`,
    PRINT_ORDER_URL: printUrl,
    PRINT_FILE_CHECK: 'off',
    ENCRYPTION_KEY: config.encryptionKeys[0]?.key.toString('base64') ?? '',
    ...environment,
  });
  const isReady = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await vi.waitFor(async () => expect(await isReady()).toBe(true), READY);
  return worker;
}
