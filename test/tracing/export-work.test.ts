import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import type { Log } from '../../src/log.ts';
import { startTracing, type Tracing } from '../../src/tracing/start-tracing.ts';
import type { TracingOptions } from '../../src/tracing/tracing-options.ts';
import { toTraceIds } from '../../src/tracing/to-trace-ids.ts';
import { addEventsToSpan, setTracedOrder, traceStep } from '../../src/tracing/work.ts';
import { startTraceReceiver, type TraceReceiver } from './trace-receiver.ts';

const SHOP = 'demo.myshopify.com';
const JOB = { name: 'plan_order', kind: 'job', attributes: {} } as const;

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

async function receive(): Promise<TraceReceiver> {
  const receiver = await startTraceReceiver();
  open.push(() => receiver.close());
  return receiver;
}

async function start(endpoint: string, more: Partial<TracingOptions> = {}): Promise<Tracing & { lines: string[] }> {
  const lines: string[] = [];
  const log: Log = pino({ level: 'info', base: null }, { write: (line: string) => void lines.push(line) });
  const resource = { 'service.name': 'platen' };
  const tracing = await startTracing(
    { endpoint, headers: {}, resource, sampling: 'always_on', app: 'app', ...more },
    log,
  );
  open.push(() => tracing.close());
  return { ...tracing, lines };
}

/** Runs a job about an order, with one step. */
async function work({ trace }: Tracing, orderId: string, event?: string): Promise<void> {
  await trace(JOB, async () => {
    setTracedOrder({ shop: SHOP, orderId });
    await traceStep('quote_order', async () =>
      addEventsToSpan(event === undefined ? [] : [{ kind: event, code: null }]),
    );
  });
}

test('processes that never communicate export the same trace for an order, and one of them exports the order’s own span', async () => {
  const receiver = await receive();
  const [web, worker] = [await start(receiver.url), await start(receiver.url)];
  await work(web, '17');
  await work(worker, '17', 'received');
  await work(worker, '18', 'received');
  await Promise.all([web.close(), worker.close()]);
  const { traceId, spanId } = toTraceIds('app', { shop: SHOP, orderId: '17' });
  const spans = receiver.spans().filter((span) => span.traceId === traceId);
  expect(spans.map(({ name }) => name).toSorted()).toEqual([
    'order',
    'plan_order',
    'plan_order',
    'quote_order',
    'quote_order',
  ]);
  expect(spans.find(({ name }) => name === 'order')).toMatchObject({ spanId, parentSpanId: '' });
  const jobs = spans.filter(({ name }) => name === 'plan_order');
  expect(jobs.map(({ parentSpanId }) => parentSpanId)).toEqual([spanId, spanId]);
  expect(receiver.spans()).toHaveLength(8);
});

test('a trace depends on the app, the shop and the order', () => {
  const of = (app: string, shop: string, orderId: string) => toTraceIds(app, { shop, orderId }).traceId;
  const ids = [
    of('app', SHOP, '17'),
    of('copy', SHOP, '17'),
    of('app', 'other.myshopify.com', '17'),
    of('app', SHOP, '18'),
  ];
  expect(new Set(ids).size).toBe(4);
  expect(of('app', SHOP, '17')).toBe(ids[0]);
  expect(ids.every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true);
});

test('with a sampling ratio, every process exports all work for the same share of the orders', async () => {
  const receivers = [await receive(), await receive()];
  const exported = await Promise.all(
    receivers.map(async (receiver) => {
      const tracing = await start(receiver.url, { sampling: { ratio: 0.5 } });
      for (let order = 1; order <= 200; order += 1) await work(tracing, String(order), 'received');
      await tracing.close();
      return receiver.spans();
    }),
  );
  const [first = [], second = []] = exported.map((spans) => new Set(spans.map(({ traceId }) => traceId)));
  expect(first).toEqual(second);
  const traces = new Set(first).size;
  expect(traces).toBeGreaterThan(60);
  expect(traces).toBeLessThan(140);
  expect(exported.map((spans) => spans.length)).toEqual([traces * 3, traces * 3]);
});

test('always_off exports nothing', async () => {
  const receiver = await receive();
  const tracing = await start(receiver.url, { sampling: 'always_off' });
  await work(tracing, '17', 'received');
  await tracing.close();
  expect(receiver.requests).toEqual([]);
});

test('while the receiver does not respond, only a limited number of spans wait, and one line is logged', async () => {
  const receiver = await receive();
  receiver.answer('never');
  const tracing = await start(receiver.url);
  for (let order = 0; order < 5_000; order += 1) {
    await work(tracing, String(order));
    if (order % 500 === 0) await nextTurn();
  }
  const warnings = () => tracing.lines.filter((line) => line.includes('cannot be exported'));
  expect(warnings()).toHaveLength(1);
  expect(warnings()[0]).toContain('"reason":"queue_full"');
  const startedAt = performance.now();
  await tracing.close();
  expect(performance.now() - startedAt).toBeLessThan(4_000);
  // The jobs had 10,000 spans. The limit covers both the sent and the waiting spans.
  const sent = receiver.sent().length;
  expect(sent).toBeGreaterThan(0);
  expect(sent).toBeLessThan(4_100);
});
