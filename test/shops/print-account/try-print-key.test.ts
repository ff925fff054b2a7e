import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { startPrintService } from '../../../sandbox/print/start.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { tryPrintKey } from '../../../src/shops/print-account/try-print-key.ts';
import { addShop, openTestApp, type TestApp } from '../../http/test-app.ts';

let home: string;
let print: Awaited<ReturnType<typeof startPrintService>>;
let app: TestApp;
let shop: Shop;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'platen-print-'));
  print = await startPrintService({ home, port: 0, advanceSeconds: null, extended: true });
  app = await openTestApp({ SANDBOX_PRINT_PORT: String(print.port) });
});

afterAll(async () => {
  await app.close();
  await print.close();
  rmSync(home, { recursive: true });
});

beforeEach(async () => void (shop = await addShop(app.db)));
afterEach(() => fault([]));

async function fault(faults: Record<string, unknown>[]): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${print.url}/_control/faults`, { method: 'POST', headers, body: JSON.stringify(faults) });
  expect(answer.status).toBe(200);
}

async function ordersAtService(): Promise<unknown> {
  return (await fetch(`${print.url}/_control/orders`)).json();
}

describe.each([
  ['the current interface', { printInterface: 'current' }],
  ['the current interface without extended calls', { extendedCalls: false }],
  ['v2', { printInterface: 'v2' }],
  ['v1', { printInterface: 'v1' }],
  ["v1's test host", { printInterface: 'v1', legacyHost: 'test' }],
])('the key test through %s', (_name, settings) => {
  test('a key that the service accepts passes the test, and no order is created', async () => {
    await changeSettings(app, shop, settings);
    await tryPrintKey(app, shop, { printKey: 'sandbox-key-tried' });
    expect(await ordersAtService()).toEqual([]);
  });
});

test.each([
  ['responds with an error', { kind: 'status', status: 500 }, /responds with error 500/],
  ['receives too many requests', { kind: 'status', status: 429 }, /too many requests/],
  ['closes the connection', { kind: 'reset' }, /does not respond/],
  ['hangs', { kind: 'timeout' }, /does not respond/],
])('a service that %s leaves the key untested, which does not count as a refusal', async (name, failure, words) => {
  await fault([{ ...failure, rate: 1, effect: 'none' }]);
  const tried = tryPrintKey(app, shop, { printKey: `sandbox-key-${name.length}` });
  await expect(tried).rejects.toMatchObject({
    code: 'print_service_unavailable',
    message: expect.stringMatching(words),
  });
  await expect(tried).rejects.toThrow(/Nothing was changed\. Try again/);
});

test.each([{ delayMinutes: 1 }, {}])('a change to %j does not call the print service', async (change) => {
  await fault([{ rate: 1, kind: 'status', status: 500, effect: 'none' }]);
  await expect(tryPrintKey(app, shop, change)).resolves.toBeUndefined();
  expect(await (await fetch(`${print.url}/_control/faults`)).json()).toMatchObject({ injected: {} });
});
