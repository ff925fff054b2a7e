import { expect, test } from 'vitest';
import { connect, failureOf } from '../../print/servers.ts';
import { createBody, startService, type Client } from './service.ts';

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

test('each key has its own count, and a refused request has no effect', async () => {
  const client = await startService();
  await limit(client, { requests: 1, perSeconds: 60 });
  await client.create(createBody('ref-1'));
  expect((await client.call('POST', '/v3/orders', createBody('ref-2'))).status).toBe(429);
  expect((await client.call('POST', '/v3/orders', createBody('ref-3'), { key: 'sandbox-key-b' })).status).toBe(200);
  expect((await client.booked()).map(({ orderReferenceId }) => orderReferenceId)).toEqual(['ref-1', 'ref-3']);
});

test('the app respects the limit: after a 429, it pauses for the requested time and then resumes', async () => {
  const client = await startService();
  await limit(client, { requests: 3, perSeconds: 2 });
  const print = connect(client.url, { clock: client.clock }, 'sandbox-key');
  const calls = await Promise.all(Array.from({ length: 5 }, () => failureOf(print.getOrder('unknown'))));
  expect(calls.filter(({ status }) => status === 404)).toHaveLength(3);
  expect(calls.filter(({ status }) => status === 429)).toHaveLength(2);
  const paused = await failureOf(print.getOrder('unknown'));
  expect(paused).toMatchObject({ status: null, outcome: 'unavailable', problem: 'too_many_requests' });
  expect(paused.retryAfterSeconds).toBeGreaterThan(1);
  await client.clock.pass((paused.retryAfterSeconds ?? 0) * 1000 + 10);
  expect(await failureOf(print.getOrder('unknown'))).toMatchObject({ status: 404 });
});
