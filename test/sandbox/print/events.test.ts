import { describe, expect, test } from 'vitest';
import { eventually } from '../../helpers/eventually.ts';
import { createBody, startReceiver, startService } from './service.ts';

async function startWithEvents(address: Record<string, unknown> = {}) {
  const receiver = await startReceiver();
  const client = await startService();
  const addresses = [{ key: 'sandbox-key', url: receiver.url, ...address }];
  await client.ok('POST', '/_control/webhooks', { addresses });
  return { client, receiver };
}

test("every event has the configured header, and another account's orders send no events to this address", async () => {
  const { client, receiver } = await startWithEvents({ headers: { 'x-secret': 'hush' } });
  const foreign = await client.create(createBody('ref-1'), { key: 'sandbox-key-other' });
  const order = await client.create(createBody('ref-2'));
  await client.advance(foreign.id, { to: 'passed' });
  await client.advance(order.id, { to: 'passed' });
  await eventually(() => receiver.received).toHaveLength(2);
  expect(receiver.received.map(({ headers }) => headers['x-secret'])).toEqual(['hush', 'hush']);
  expect(receiver.received.map(({ body }) => body.orderReferenceId)).toEqual(['ref-2', 'ref-2']);
});

describe('an order that is advanced through the control endpoint', () => {
  test.each([
    ['draft', 'passed'],
    ['created', 'created'],
    ['printed', 'canceled'],
    ['canceled', 'passed'],
    ['created', 'no_such_status'],
  ])('the order cannot move from %s to %s', async (from, to) => {
    const client = await startService();
    const order = await client.create(createBody('ref-1', from === 'draft' ? { orderType: 'draft' } : {}));
    if (!['draft', 'created'].includes(from)) await client.advance(order.id, { to: from });
    const refusal = await client.refused('POST', `/_control/orders/${order.id}/advance`, { to });
    expect(refusal).toMatchObject({ status: 409, message: `An order that is ${from} cannot become ${to}.` });
    expect((await client.get(order.id)).fulfillmentStatus).toBe(from);
  });
});
