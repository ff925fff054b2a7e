import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { listen } from '../../src/http/server.ts';
import {
  addShop,
  allowConnections,
  createTestApp,
  readDeliveriesOfShop,
  openTestEndpoints,
  post,
  type TestEndpoints,
  createWebhookHeaders,
} from './test-app.ts';

let endpoints: TestEndpoints;
let missing: string[] = [];

beforeAll(async () => void (endpoints = await openTestEndpoints({}, { check: async () => missing })));

afterAll(() => endpoints.close());

/** Sends these bytes and returns everything that the server sends before it closes the connection. */
async function sendRaw(text: string): Promise<string> {
  const socket = connect(endpoints.port, '127.0.0.1');
  socket.on('error', () => undefined);
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk.toString()));
  socket.write(text);
  await once(socket, 'close');
  return answer;
}

describe('all responses of the server', () => {
  test('every response is logged with its request ID and route template, but never with the path', async () => {
    const answer = await fetch(`${endpoints.url}/some/secret/path?token=in-the-query`, {
      headers: { 'X-Request-Id': 'forged' },
    });
    const requestId = answer.headers.get('X-Request-Id')!;
    const line = endpoints.app
      .logged()
      .split('\n')
      .find((text) => text.includes(requestId))!;
    expect(JSON.parse(line)).toMatchObject({ requestId, method: 'GET', route: 'none', status: 404 });
    expect(endpoints.app.logged()).not.toMatch(/secret\/path|in-the-query|forged/);
  });
});

describe('the readiness endpoint', () => {
  test('readiness is 200 with a database and queue, and otherwise 503 with the names of the missing parts', async () => {
    const ready = await fetch(`${endpoints.url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([200, { ready: true, missing: [] }]);
    missing = ['demo shop'];
    const waiting = await fetch(`${endpoints.url}/readyz`);
    expect([waiting.status, await waiting.json()]).toEqual([503, { ready: false, missing: ['demo shop'] }]);
    missing = [];
  });

  test('readiness is 503 if a part is missing or a check fails, but the process stays alive', async () => {
    const own = await openTestEndpoints({}, { check: () => Promise.reject(new Error('no')) });
    const ask = async (path: string) => {
      const answer = await fetch(`${own.url}${path}`);
      return [answer.status, ((await answer.json()) as { missing?: string[] }).missing];
    };
    expect(await ask('/readyz')).toEqual([503, ['start']]);
    await own.app.db.query('drop schema graphile_worker cascade');
    expect(await ask('/readyz')).toEqual([503, ['queue', 'start']]);
    await allowConnections(own.app.databaseUrl, false);
    expect(await ask('/readyz')).toEqual([503, ['database', 'queue', 'start']]);
    expect(await ask('/healthz')).toEqual([200, undefined]);
    await allowConnections(own.app.databaseUrl, true);
    await own.close();
  });
});

describe('the metrics endpoint', () => {
  test('the metrics count deliveries and requests with only a few labels', async () => {
    const shop = await addShop(endpoints.app.db);
    for (const topic of ['orders/paid', 'made-up/topic', 'another-made-up']) {
      await post(
        `${endpoints.url}/webhooks/shopify`,
        '{"id":1}',
        createWebhookHeaders('{"id":1}', { shop: shop.domain, topic }),
      );
    }
    const text = await (await fetch(`${endpoints.url}/metrics`)).text();
    expect(text).toContain('platen_deliveries_total{source="shopify",topic="orders",result="stored"} 1');
    expect(text).toContain('platen_deliveries_total{source="shopify",topic="other",result="stored"} 2');
    expect(text).toMatch(
      /platen_http_request_seconds_count\{method="POST",route="\/webhooks\/shopify",status="200"\} 3/,
    );
    expect(text).toContain('platen_spool_bytes 0');
    expect(text).not.toMatch(/made-up|myshopify/);
  });

  test('the metrics are served within seconds even if the poll passes cannot be read', async () => {
    await endpoints.app.db.transaction(async (manager) => {
      await manager.query('lock table poll_passes');
      const asked = performance.now();
      const text = await (await fetch(`${endpoints.url}/metrics`)).text();
      expect(performance.now() - asked).toBeLessThan(8_000);
      expect(text).toContain('platen_jobs_failed 0');
      expect(text).not.toContain('platen_poll_last_success_seconds{');
    });
  });
});

describe('the server', () => {
  test('the server rejects headers over 16 KiB with 431', async () => {
    const answer = await sendRaw(`GET /healthz HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(17 * 1024)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 431 /);
  });

  test('the server responds with 400 to bytes that are not HTTP, and keeps running', async () => {
    expect(await sendRaw('\0\x01\x02 nonsense\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
    expect((await fetch(`${endpoints.url}/healthz`)).status).toBe(200);
  });

  test('a body that is not valid HTTP gets 400 and is not logged as an error', async () => {
    const head = 'POST /webhooks/shopify HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
    const before = endpoints.app.logged().length;
    expect(await sendRaw(`${head}no length\r\n`)).toMatch(/^HTTP\/1.1 400 /);
    await vi.waitUntil(() => endpoints.app.logged().includes('HPE_INVALID_CHUNK_SIZE'));
    expect(endpoints.app.logged().slice(before)).not.toContain('"level":50');
  });

  test('the server survives a sender that disconnects mid-body and stores nothing from the request', async () => {
    const shop = await addShop(endpoints.app.db);
    const headers = Object.entries({
      ...createWebhookHeaders('{"id":1}', { shop: shop.domain }),
      Host: 'a',
      'Content-Length': '8',
    });
    const socket = connect(endpoints.port, '127.0.0.1');
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    socket.write(`POST /webhooks/shopify HTTP/1.1\r\n${lines}\r\n{"id"`, () => socket.destroy());
    await vi.waitUntil(() => endpoints.app.logged().includes('"route":"/webhooks/shopify","status":400'));
    expect(await readDeliveriesOfShop(endpoints.app.db, shop)).toEqual([]);
  });

  test('the server finishes requests in flight when it closes and accepts no new requests', async () => {
    const own = createTestApp(endpoints.app.db);
    let release = (): void => undefined;
    let isAsked = false;
    const ownEndpoints = await listen(own, {
      check() {
        isAsked = true;
        return new Promise((resolve) => (release = () => resolve([])));
      },
    });
    const inFlight = fetch(`${ownEndpoints.url}/readyz`);
    await vi.waitUntil(() => isAsked);
    const closing = ownEndpoints.close();
    await expect(fetch(`${ownEndpoints.url}/healthz`)).rejects.toThrow();
    release();
    expect((await inFlight).status).toBe(200);
    const startedAt = performance.now();
    await closing;
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    await own.close();
  });
});
