import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  addShop,
  createTestSessionToken,
  createWebhookHeaders,
  openTestEndpoints,
  post,
  type TestEndpoints,
} from '../test-app.ts';
import { addLinks } from './add-links.ts';

const BYTES_PER_MIB = 1024 * 1024;
const PAID = '{"id":1001,"admin_graphql_api_id":"gid://shopify/Order/1001"}';

let endpoints: TestEndpoints;
let sockets: Socket[];

beforeEach(async () => {
  endpoints = await openTestEndpoints();
  sockets = [];
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await endpoints.close();
});

function open(): { socket: Socket; received: () => string } {
  const socket = connect(endpoints.port, '127.0.0.1');
  socket.on('error', () => undefined);
  sockets.push(socket);
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  return { socket, received: () => text };
}

test('all slow uploads together stay within their memory budget, and a delivery is still accepted', async () => {
  const shop = await addShop(endpoints.app.db);
  const almost = Buffer.alloc(2 * BYTES_PER_MIB - 1, 'x');
  const slow = Array.from({ length: 45 }, () => {
    const { socket, received } = open();
    socket.write(`POST /webhooks/shopify HTTP/1.1\r\nHost: a\r\nContent-Length: ${2 * BYTES_PER_MIB}\r\n\r\n`);
    socket.write(almost);
    return received;
  });
  // Only 64 of the 90 MiB fit into the budget, so the oldest uploads are dropped.
  const isRefused = (received: () => string) => received().startsWith('HTTP/1.1 503 ');
  await expect.poll(() => slow.filter(isRefused).length).toBeGreaterThanOrEqual(13);
  const headers = createWebhookHeaders(PAID, { shop: shop.domain });
  expect((await post(`${endpoints.url}/webhooks/shopify`, PAID, headers)).status).toBe(200);
  const large = PAID.replace('}', `,"note":"${'x'.repeat(BYTES_PER_MIB)}"}`);
  const largeHeaders = createWebhookHeaders(large, { shop: shop.domain });
  expect((await post(`${endpoints.url}/webhooks/shopify`, large, largeHeaders)).status).toBe(200);
  expect(slow.find(isRefused)?.()).toMatch(/retry-after: 1\r\n/i);
  expect(endpoints.app.logged()).not.toContain('a request failed');
});

test('idle connections make room for new connections, but busy connections over the limit are refused', async () => {
  const ask = () =>
    fetch(`${endpoints.url}/healthz`, { headers: { Connection: 'close' } }).then(
      ({ status }) => status,
      () => 'refused',
    );
  const idle = Array.from({ length: 1_000 }, () => open());
  for (const { socket } of idle) socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
  await expect.poll(() => idle.filter(({ received }) => received().includes('200 OK')).length).toBe(1_000);
  await expect.poll(ask).toBe(200);
  await expect.poll(() => idle.filter(({ socket }) => socket.destroyed).length).toBe(1_000);

  const busy = Array.from({ length: 1_000 }, () => open());
  for (const { socket } of busy) socket.write('GET /healthz HTTP/1.1\r\n');
  await expect.poll(ask).toBe('refused');
  for (const { socket } of busy) socket.destroy();
  await expect.poll(ask).toBe(200);
});

test('the server closes a connection whose headers do not end', async () => {
  const { socket, received } = open();
  socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\nX-Slow: ');
  await once(socket, 'close');
  expect(received()).toMatch(/^HTTP\/1.1 408 /);
});

test('a shop can download again once an unread download is dropped', async () => {
  await endpoints.close();
  endpoints = await openTestEndpoints(
    {},
    { writeMs: 3_000, rules: { bulk: { atOnce: 1, burst: 1_000, perSecond: 100 } } },
  );
  const shop = await addShop(endpoints.app.db);
  await addLinks(endpoints.app.db, shop, 8_000);
  const Authorization = `Bearer ${createTestSessionToken(shop.domain)}`;
  const unread = connect(endpoints.port, '127.0.0.1').pause();
  sockets.push(unread);
  unread.write(`GET /api/print-links/export HTTP/1.1\r\nHost: a\r\nAuthorization: ${Authorization}\r\n\r\n`);
  // The unread download occupies the only slot before another download starts.
  await once(unread, 'readable');
  const tryDownload = async () => {
    const answer = await fetch(`${endpoints.url}/api/print-links/export`, { headers: { Authorization } });
    await answer.body?.cancel();
    return answer.status;
  };
  await expect.poll(tryDownload).toBe(429);
  await expect.poll(tryDownload).toBe(200);
});
