import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { list, openTestStore, type TestStore } from './open-store.ts';

const SEND = `mutation SendFlowTrigger($handle: String, $payload: JSON) {
  flowTriggerReceive(handle: $handle, payload: $payload) { userErrors { field message } }
}`;
const SENT = { order_id: 5_001, 'Print order reference': 'pl-1' };

let store: TestStore;
beforeAll(async () => void (store = await openTestStore()));
afterAll(() => store.close());
beforeEach(async () => {
  await store.post('/_control/reset');
  store.received.length = 0;
});

async function send(handle: string | null, payload: unknown): Promise<string | null> {
  const { data } = await store.graphql(SEND, { handle, payload });
  const [problem] = list<{ message: string }>(data['flowTriggerReceive']?.['userErrors']);
  return problem?.message ?? null;
}

test.each([
  ['an unknown trigger', 'print-order-lost', SENT, "Invalid handle 'print-order-lost'."],
  ['a missing field', 'print-order-sent', { order_id: 1 }, "Required field missing: 'Print order reference'."],
  ['a missing order', 'print-order-sent', { 'Print order reference': 'a' }, "Required field missing: 'order_id'."],
  ['an unknown field', 'print-order-sent', { ...SENT, Reference: 'a' }, "Invalid field: 'Reference'."],
  ['a number as text', 'print-order-sent', { ...SENT, 'Print order reference': 7 }, 'Print order reference'],
  ['two lines', 'print-order-sent', { ...SENT, 'Print order reference': 'a\nb' }, 'Print order reference'],
  ['a GID', 'print-order-sent', { ...SENT, order_id: 'gid://shopify/Order/1' }, 'order_id'],
  ['a large payload', 'print-order-sent', { ...SENT, 'Print order reference': 'x'.repeat(50_000) }, '50000 bytes'],
  ['no handle', null, SENT, '`handle` and `payload` arguments are required'],
])('a trigger with %s is refused with Shopify’s error', async (_title, handle, payload, problem) => {
  expect(await send(handle, payload)).toContain(problem);
  expect((await store.get('/_control/flow/triggers')).body).toEqual([]);
});
