import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registerPrintAddress } from '../../src/demo/register-print-address.ts';
import { createPrintWebhookAddress } from '../../src/shops/print-account/print-webhook-address.ts';
import { findShop } from '../../src/shops/find-shop.ts';
import type { AppProcess } from '../faults/worker.ts';
import type { ExportedSpan } from './decode-traces.ts';
import { startPlaten, type PlacedOrder, type Platen } from '../helpers/platen.ts';
import { startTraceReceiver, type TraceReceiver } from './trace-receiver.ts';
import { startTracedWorker } from './start-traced-worker.ts';

const POSTER = 'POSTER-30X40';
const LONG = { timeout: 60_000, interval: 50 };
const NAMES = { 1: 'internal', 2: 'request', 3: 'call', 5: 'job' } as Record<number, string>;
const HEADERS = 'authorization=Bearer%20of-the-receiver';

let receiver: TraceReceiver;
let platen: Platen;
let worker: AppProcess;

/** This process serves the requests. The jobs run in a second process, which is started like an operator's. */
beforeAll(async () => {
  receiver = await startTraceReceiver();
  const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_EXPORTER_OTLP_HEADERS: HEADERS };
  platen = await startPlaten({ time: 'real', advanceSeconds: null, environment: { ...tracing, ROLE: 'web' } });
  const printAddress = await createPrintWebhookAddress(platen.app, platen.shop);
  await registerPrintAddress(platen.app, await findShop(platen.app, platen.shop.id), printAddress);
  worker = await startTracedWorker(platen, tracing);
}, 300_000);
afterAll(async () => {
  await worker?.end();
  await platen?.stop();
  await receiver?.close();
});

async function fulfill(order: PlacedOrder): Promise<void> {
  await expect.poll(async () => (await platen.printedFor(order.name)).length, LONG).toBe(1);
  const [printed] = await platen.printedFor(order.name);
  await platen.control('print', 'POST', `/orders/${printed?.id}/advance`, { to: 'shipped' });
  await platen.untilState(order.id, 'fulfilled');
}

const spansOf = ({ id }: PlacedOrder): ExportedSpan[] => {
  const about = receiver.spans().filter(({ attributes }) => attributes['platen.order.id'] === id.split('/').at(-1));
  const traces = new Set(about.map(({ traceId }) => traceId));
  return receiver.spans().filter(({ traceId }) => traces.has(traceId));
};
const namesOf = (spans: readonly ExportedSpan[]): string[] => spans.map(({ name }) => name);
const eventsOf = (spans: readonly ExportedSpan[]) => spans.flatMap(({ events }) => events);

test('each order has one trace, from its webhook in one process to its fulfillment in another', async () => {
  // The first quote fails, so its request is sent a second time.
  await platen.control('print', 'POST', '/faults', [
    { path: '/v4/orders:quote', kind: 'status', status: 502, times: 1 },
  ]);
  const first = await platen.placeSkus({ [POSTER]: 1 });
  await fulfill(first);
  const held = await platen.placeSkus({ [POSTER]: 1 }, { shippingAddress: { countryCode: 'DE' } });
  await platen.untilState(held.id, 'held');
  await expect.poll(() => eventsOf(spansOf(first)).map(({ name }) => name), LONG).toContain('fulfilled');
  // When the worker is stopped, it exports its remaining spans.
  const exited = once(worker.child, 'exit');
  worker.child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  await expect.poll(() => eventsOf(spansOf(held)).map(({ name }) => name), LONG).toContain('held');
  await expect.poll(() => namesOf(spansOf(held)), LONG).toContain('POST /webhooks/shopify');

  const spans = spansOf(first);
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  expect(new Set(spansOf(held).map(({ traceId }) => traceId)).size).toBe(1);
  expect(spansOf(held)[0]?.traceId).not.toBe(spans[0]?.traceId);
  expect(eventsOf(spansOf(held))).toContainEqual({
    name: 'held',
    attributes: { 'platen.code': 'address_missing_field' },
  });

  // Every span belongs to the order's own span, which exists once, although two processes exported the trace.
  const roots = spans.filter(({ parentSpanId }) => parentSpanId === '');
  expect(namesOf(roots)).toEqual(['order']);
  const ids = new Set(spans.map(({ spanId }) => spanId));
  expect(ids.size).toBe(spans.length);
  expect(spans.filter(({ parentSpanId }) => parentSpanId !== '' && !ids.has(parentSpanId))).toEqual([]);
  const roleOf = (kind: string) =>
    new Set(spans.filter((span) => NAMES[span.kind] === kind).map(({ resource }) => resource['platen.role']));
  expect([roleOf('request'), roleOf('job')]).toEqual([new Set(['web']), new Set(['worker'])]);
  expect(spans[0]?.resource).toMatchObject({ 'service.name': 'platen' });

  const path = [
    'POST /webhooks/shopify',
    'plan_order',
    'shopify OrderForPlan',
    'quote_order',
    'print quote',
    'submit_print_order',
    'print createOrder',
    'POST /webhooks/print/:token',
    'follow_print_order',
    'push_fulfillments',
    'shopify CreateFulfillment',
  ];
  const places = path.map((name) => namesOf(spans).indexOf(name));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  const happened = eventsOf(spans).map(({ name }) => name);
  for (const event of ['received', 'planned', 'quoted', 'submitted', 'shipped', 'fulfilled'])
    expect(happened.filter((name) => name === event)).toHaveLength(1);

  const [failed, repeated] = spans.filter(({ name }) => name === 'print quote');
  expect(failed).toMatchObject({
    status: 2,
    statusMessage: '',
    attributes: { 'http.response.status_code': 502, 'platen.outcome': 'unavailable', 'error.type': 'unavailable' },
  });
  expect(repeated).toMatchObject({ status: 0, attributes: { 'http.request.resend_count': 1 } });
  const quote = spans.find(({ name }) => name === 'quote_order');
  expect([failed?.parentSpanId, repeated?.parentSpanId]).toEqual([quote?.spanId, quote?.spanId]);

  expect(receiver.requests.map(({ path: requested }) => requested)).toEqual(receiver.requests.map(() => '/v1/traces'));
  expect(new Set(receiver.requests.map(({ headers }) => headers.authorization))).toEqual(
    new Set(['Bearer of-the-receiver']),
  );
}, 240_000);
