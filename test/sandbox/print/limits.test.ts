import { expect, test } from 'vitest';
import { startService, type Client } from './service.ts';

/** Sends a request, and returns the raw status, `Retry-After` header and body of the response. */
async function send(client: Client, method: string, path: string, key = 'sandbox-key') {
  const headers = { 'content-type': 'application/json', 'x-api-key': key };
  const response = await fetch(client.url + path, { method, headers, ...(method === 'POST' ? { body: '{}' } : {}) });
  const body: unknown = await response.json();
  return { status: response.status, retryAfter: response.headers.get('retry-after'), body };
}

const limit = (client: Client, value: unknown) => client.ok('POST', '/_control/limits', value);

test('beyond the limit, every request with the key gets a 429 response with the time until the period ends', async () => {
  const client = await startService();
  await limit(client, { requests: 2, perSeconds: 1 });
  expect((await send(client, 'POST', '/v4/orders:search')).status).toBe(200);
  expect((await send(client, 'GET', '/v4/orders/unknown')).status).toBe(404);
  const refused = await send(client, 'POST', '/v4/orders:search');
  expect(refused).toEqual({
    status: 429,
    retryAfter: '1',
    body: { code: 'too_many_requests', message: expect.any(String), details: [] },
  });
  expect((await send(client, 'POST', '/v3/orders')).status).toBe(429);
  await client.clock.pass(1_000);
  expect((await send(client, 'POST', '/v4/orders:search')).status).toBe(200);
});
