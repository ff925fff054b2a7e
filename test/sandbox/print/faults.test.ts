import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../../helpers/eventually.ts';
import { createBody, quoteBody, startService, type Client, type Service } from './service.ts';

const faultStateSchema = z.object({ faults: z.array(z.unknown()), injected: z.record(z.string(), z.number()) });

async function setFaults(client: Client, faults: unknown) {
  return faultStateSchema.parse(await client.ok('POST', '/_control/faults', faults));
}

async function injected(client: Client) {
  return faultStateSchema.parse(await client.ok('GET', '/_control/faults')).injected;
}

/** Sends a create request and returns its outcome as the client sees it: the status, or how the response was lost. */
async function outcomeOf(client: Service): Promise<string> {
  try {
    const signal = client.clock.timeout(300);
    const asked = client.call('POST', '/v3/orders', createBody('ref-1'), { signal });
    return String((await client.clock.during(asked)).status);
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'lost';
  }
}

describe.each([
  ['status', '500'],
  ['reset', 'lost'],
  ['timeout', 'timeout'],
  ['truncate', 'lost'],
])('a create request with a fault of the kind %s', (kind, outcome) => {
  const fault = { path: '/v3/orders', kind, status: 500, rate: 1, times: 1 };

  test('a fault with the effect "none" creates nothing, and the next create request succeeds', async () => {
    const client = await startService();
    await setFaults(client, [{ ...fault, effect: 'none' }]);
    expect(await outcomeOf(client)).toBe(outcome);
    expect(await client.booked()).toEqual([]);
    expect(await outcomeOf(client)).toBe('200');
    expect(await client.booked()).toHaveLength(1);
    expect(await injected(client)).toEqual({ [kind]: 1 });
  });

  test('a fault with the effect "done" creates the order before the fault occurs', async () => {
    const client = await startService();
    await setFaults(client, [{ ...fault, effect: 'done' }]);
    expect(await outcomeOf(client)).toBe(outcome);
    expect(await client.booked()).toHaveLength(1);
  });

  test('a fault with the effect "late" creates the order after the fault occurs', async () => {
    const client = await startService();
    await setFaults(client, [{ ...fault, effect: 'late', lateMs: 1000 }]);
    expect(await outcomeOf(client)).toBe(outcome);
    expect(await client.booked()).toEqual([]);
    await eventually(() => client.booked()).toHaveLength(1);
  });
});

test('a fault matches the method and path of a request, but never a control endpoint', async () => {
  const client = await startService();
  await setFaults(client, [
    { method: 'delete', path: '/v4/orders', kind: 'status', status: 429, rate: 1, effect: 'none' },
    { path: '/v4/orders:quote', kind: 'status', status: 502, rate: 1, effect: 'none' },
  ]);
  const draft = await client.create(createBody('ref-1', { orderType: 'draft' }));
  expect(await client.refused('DELETE', `/v4/orders/${draft.id}`)).toMatchObject({
    status: 429,
    code: 'too_many_requests',
  });
  expect((await client.get(draft.id)).id).toBe(draft.id);
  expect(await client.refused('POST', '/v4/orders:quote', quoteBody())).toMatchObject({ status: 502 });
  await setFaults(client, [{ kind: 'reset', rate: 1, effect: 'none' }]);
  expect(await client.booked()).toHaveLength(1);
  await expect(client.get(draft.id)).rejects.toThrow('fetch failed');
});

test('a fault with a rate of one half affects only some requests, and a fault with `times` affects only that many', async () => {
  const client = await startService();
  await setFaults(client, [{ kind: 'status', status: 503, rate: 0.5, effect: 'none' }]);
  const statuses = await Promise.all(
    Array.from({ length: 60 }, async () => (await client.call('POST', '/v4/orders:search', {})).status),
  );
  const struck = statuses.filter((status) => status === 503).length;
  expect(struck).toBeGreaterThan(5);
  expect(struck).toBeLessThan(55);
  expect(await injected(client)).toEqual({ status: struck });
  await setFaults(client, [{ kind: 'status', status: 503, rate: 1, effect: 'none', times: 3 }]);
  const counted = [];
  for (let n = 0; n < 5; n += 1) counted.push((await client.call('POST', '/v4/orders:search', {})).status);
  expect(counted).toEqual([503, 503, 503, 200, 200]);
});
