import { join } from 'node:path';
import { createMetrics } from '../../src/http/ops/metrics.ts';
import { countCallbacks } from '../../src/shops/callbacks/count-callbacks.ts';
import { createRouter } from '../../src/http/server.ts';
import { openPrintAddresses } from '../../src/inbox/open-print-addresses.ts';
import { openSpool } from '../../src/inbox/spool.ts';
import type { TestApp } from './test-app.ts';

/** Lists all routes of the app's router, such as `GET /api/orders/:id`. */
export async function listRoutes(app: TestApp): Promise<string[]> {
  const spool = openSpool({
    clock: app.clock,
    directory: join(app.config.home, 'spool'),
    log: app.log,
    store: async () => undefined,
  });
  const { stack } = createRouter(
    app,
    { spool, addresses: await openPrintAddresses(app) },
    { metrics: createMetrics(app), counts: countCallbacks(app) },
    {},
  );
  await spool.close();
  return stack.flatMap(({ methods, path }) =>
    methods.filter((one) => one !== 'HEAD').map((one) => `${one} ${String(path)}`),
  );
}
