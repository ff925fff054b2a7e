import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { app, demo, list, openTestStore, type TestStore } from './open-store.ts';

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
  store.answers.status = () => 200;
});

async function send(handle: string | null, payload: unknown): Promise<string | null> {
  const { data } = await store.graphql(SEND, { handle, payload });
  const [problem] = list<{ message: string }>(data['flowTriggerReceive']?.['userErrors']);
  return problem?.message ?? null;
}

const enable = (change: object = {}) =>
  store.post('/_control/flow/workflows', { trigger: 'print-order-sent', enabled: true, ...change });

test('a trigger is received, and starts a workflow only if one is enabled', async () => {
  expect(await send('print-order-sent', SENT)).toBeNull();
  expect((await enable()).status).toBe(200);
  expect(await send('print-order-sent', SENT)).toBeNull();
  const received = await store.get(`/_control/flow/triggers?shop=${demo}`);
  expect(received.body).toMatchObject([
    { shop: demo, handle: 'print-order-sent', payload: SENT, started: false },
    { shop: demo, handle: 'print-order-sent', payload: SENT, started: true },
  ]);
});

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

test('the app learns that a workflow is enabled, and can refuse it', async () => {
  expect((await enable()).status).toBe(200);
  const [{ path, headers, body } = { path: '', headers: {}, body: Buffer.from('') }] = store.received;
  expect(path).toBe('/flow/trigger-use');
  expect(headers['x-shopify-hmac-sha256']).toBe(createHmac('sha256', app.apiSecret).update(body).digest('base64'));
  expect(JSON.parse(body.toString())).toMatchObject({
    flow_trigger_definition_id: 'Print order sent',
    has_enabled_flow: true,
    shopify_domain: demo,
    timestamp: expect.any(String),
  });
  store.answers.status = () => 404;
  expect((await enable({ enabled: false })).status).toBe(409);
  await send('print-order-sent', SENT);
  expect((await store.get('/_control/flow/triggers')).body).toMatchObject([{ started: true }]);
  expect((await enable({ trigger: 'print-order-lost' })).status).toBe(404);
});

test('an action reaches the app with a signed body, and its response is returned', async () => {
  store.answers.status = () => 409;
  const asked = { action: 'hold-print-order', properties: { order_id: '5001' }, runId: 'run-1' };
  const { status, body } = await store.post('/_control/flow/actions', asked);
  expect([status, body]).toMatchObject([200, { runId: 'run-1', status: 409 }]);
  const [request] = store.received;
  expect(request?.path).toBe('/flow/hold');
  expect(JSON.parse(String(request?.body))).toMatchObject({
    shopify_domain: demo,
    action_run_id: 'run-1',
    handle: 'hold-print-order',
    properties: { order_id: '5001' },
  });
});
