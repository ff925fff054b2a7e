import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { startPrintService } from '../../../sandbox/print/start.ts';
import {
  addShop,
  readDeliveriesOfShop,
  openTestEndpoints,
  post,
  createTestSessionToken,
  type TestEndpoints,
} from '../test-app.ts';

let home: string;
let print: Awaited<ReturnType<typeof startPrintService>>;
let endpoints: TestEndpoints;
const registered: { shop: string; url: string }[] = [];

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'platen-print-'));
  print = await startPrintService({ home, port: 0, advanceSeconds: null, extended: true });
  endpoints = await openTestEndpoints(
    { SANDBOX_PRINT_PORT: String(print.port) },
    {
      async registerAddress(shop, url) {
        registered.push({ shop: shop.domain, url });
      },
    },
  );
});

afterAll(async () => {
  await endpoints.close();
  await print.close();
  rmSync(home, { recursive: true });
});

function ask(shop: Pick<Shop, 'domain'>, method: string, path: string, body?: string): Promise<Response> {
  const headers = { Authorization: `Bearer ${createTestSessionToken(shop.domain)}` };
  return fetch(`${endpoints.url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
}

describe('the settings endpoint', () => {
  test('settings are shown without secrets, can be changed individually and belong to one shop', async () => {
    const [shop, other] = [await addShop(endpoints.app.db), await addShop(endpoints.app.db)];
    const before = (await (await ask(shop, 'GET', '/api/settings')).json()) as Record<string, unknown>;
    const change = JSON.stringify({ delayMinutes: 7, printKey: 'sandbox-key-of-the-account-9876' });
    const answer = await ask(shop, 'PUT', '/api/settings', change);
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect(text).not.toContain('key-of-the-account');
    expect(JSON.parse(text)).toEqual({ ...before, delayMinutes: 7, printKey: { last4: '9876' } });
    expect(await (await ask(shop, 'GET', '/api/settings')).text()).toBe(text);
    expect(await (await ask(other, 'GET', '/api/settings')).json()).toMatchObject({ printKey: null });
  });

  describe('the print key', () => {
    async function injectServiceFault(status: number | null): Promise<void> {
      const body = JSON.stringify(status === null ? [] : [{ rate: 1, kind: 'status', status, effect: 'none' }]);
      await post(`${print.url}/_control/faults`, body, { 'content-type': 'application/json' });
    }

    async function putKey(shop: Shop, printKey: string | null): Promise<{ status: number; error?: unknown }> {
      const answer = await ask(shop, 'PUT', '/api/settings', JSON.stringify({ printKey, delayMinutes: 3 }));
      return { status: answer.status, ...((await answer.json()) as object) };
    }

    async function fetchSettings(shop: Shop): Promise<unknown> {
      return (await ask(shop, 'GET', '/api/settings')).json();
    }

    test('a print key that the service refuses is not saved, and neither is the rest of the change', async () => {
      const shop = await addShop(endpoints.app.db);
      await putKey(shop, 'sandbox-key-1111');
      const before = await fetchSettings(shop);
      expect(await putKey(shop, 'of-another-service-2222')).toMatchObject({
        status: 400,
        error: {
          code: 'invalid_input',
          field: 'printKey',
          message: expect.stringContaining('does not accept this key'),
        },
      });
      expect(await fetchSettings(shop)).toEqual(before);
      expect(endpoints.app.logged()).not.toContain('of-another-service');
    });

    test('a print key that cannot be tested gets 503 with a message, and nothing changes', async () => {
      const shop = await addShop(endpoints.app.db);
      const before = await fetchSettings(shop);
      await injectServiceFault(500);
      try {
        const error = { code: 'print_service_unavailable', message: expect.stringContaining('Nothing was changed') };
        expect(await putKey(shop, 'sandbox-key-3333')).toMatchObject({ status: 503, error });
        expect(await fetchSettings(shop)).toEqual(before);
      } finally {
        await injectServiceFault(null);
      }
    });

    test('entering spaces does not remove a print key, but disconnecting the account does, even while the service is down', async () => {
      const shop = await addShop(endpoints.app.db);
      await putKey(shop, 'sandbox-key-4444');
      await injectServiceFault(500);
      const disconnect = async () => (await ask(shop, 'POST', '/api/settings/disconnect-print-account')).json();
      try {
        expect(await putKey(shop, '   ')).toMatchObject({ status: 400, error: { field: 'printKey' } });
        expect(await fetchSettings(shop)).toMatchObject({ printKey: { last4: '4444' } });
        expect(await disconnect()).toEqual({ disconnected: true });
        expect(await fetchSettings(shop)).toMatchObject({ printKey: null });
        expect(await disconnect()).toEqual({ disconnected: false });
      } finally {
        await injectServiceFault(null);
      }
    });
  });

  test('a body over 64 KiB gets 413', async () => {
    const body = JSON.stringify({ fallbackEmail: 'x'.repeat(64 * 1024) });
    expect((await ask(await addShop(endpoints.app.db), 'PUT', '/api/settings', body)).status).toBe(413);
  });

  test('a new address for print events is returned once, is registered at the sandbox and accepts events', async () => {
    const shop = await addShop(endpoints.app.db);
    const answer = await ask(shop, 'POST', '/api/settings/print-webhook');
    expect(answer.status).toBe(200);
    const { url } = (await answer.json()) as { url: string };
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:3000\/webhooks\/print\/[\w-]{43}$/);
    expect(registered).toContainEqual({ shop: shop.domain, url });
    const path = new URL(url).pathname;
    expect((await post(`${endpoints.url}${path}`, '{"event":"order_status_updated"}')).status).toBe(200);
    expect(await readDeliveriesOfShop(endpoints.app.db, shop)).toHaveLength(1);
    expect(await (await ask(shop, 'GET', '/api/settings')).text()).not.toContain(path.split('/').at(-1)!);
  });
});
