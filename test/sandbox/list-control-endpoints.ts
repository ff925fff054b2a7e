import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Router from '@koa/router';
import { openBooks } from '../../sandbox/books.ts';
import { createDeliveries } from '../../sandbox/deliveries.ts';
import { createFaults } from '../../sandbox/faults.ts';
import { createIds } from '../../sandbox/ids.ts';
import { createControlEndpoints as createPrintEndpoints } from '../../sandbox/print/control-endpoints.ts';
import { ownAppToml, readAppToml } from '../../sandbox/store/access/app-toml.ts';
import { createCalls } from '../../sandbox/store/graphql/calls.ts';
import { createControlEndpoints as createStoreEndpoints } from '../../sandbox/store/control-endpoints.ts';
import { openStore } from '../../sandbox/store/store.ts';
import { createThrottle } from '../../sandbox/store/graphql/throttle.ts';
import { systemClock } from '../../src/clock.ts';

/** Returns every control endpoint of both stand-ins as `METHOD /path`, without parameter names. */
export async function listControlEndpoints(): Promise<string[]> {
  const home = mkdtempSync(join(tmpdir(), 'platen-endpoints-'));
  const books = openBooks(join(home, 'print.jsonl'));
  const ids = createIds(systemClock, books);
  const faults = createFaults(systemClock, books);
  const deliveries = createDeliveries(systemClock, books, ids, faults, []);
  const store = openStore({
    clock: systemClock,
    home,
    appUrl: 'http://127.0.0.1:9',
    apiKey: 'key',
    apiSecret: 'secret',
    previousApiSecret: null,
    app: readAppToml(ownAppToml),
    webhookRetryMs: [],
    routingMs: 30,
  });
  const routers = [
    createPrintEndpoints({ clock: systemClock, books, ids, faults, deliveries, extended: true }),
    createStoreEndpoints(store, createThrottle(systemClock), createCalls()),
  ];
  const endpoints = routers.flatMap(listRoutes);
  await store.close();
  await deliveries.close();
  books.close();
  rmSync(home, { recursive: true });
  return endpoints;
}

function listRoutes({ stack }: Router): string[] {
  return stack.flatMap(({ methods, path }) => {
    const endpoint = String(path).replace('/_control', '').replaceAll(/:\w+/g, ':');
    return methods.filter((method) => method !== 'HEAD').map((method) => `${method} ${endpoint}`);
  });
}
