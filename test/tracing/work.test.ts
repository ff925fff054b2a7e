import type { OutgoingCall } from '../../src/outgoing-call.ts';
import { expect, test } from 'vitest';
import { NotPossibleError } from '../../src/errors.ts';
import {
  createTrace,
  markEvents,
  addCallToSpan,
  addEventsToSpan,
  setTracedOrder,
  traceStep,
  type Span,
  type TracedOrder,
  type Work,
} from '../../src/tracing/work.ts';

const ORDER = { shop: 'demo.myshopify.com', orderId: 'gid://shopify/Order/17' };
const JOB = { name: 'plan_order', kind: 'job', attributes: {} } as const;
const CALL: OutgoingCall = {
  operation: 'quote',
  method: 'POST',
  status: 200,
  outcome: 'done',
  durationMs: 5,
  attempt: 1,
};

/** Runs a job and returns what was measured. */
async function measure(run: () => Promise<unknown>): Promise<{ work: Work; order: TracedOrder }[]> {
  const ended: { work: Work; order: TracedOrder }[] = [];
  await createTrace((work, order) => void ended.push({ work, order }))(JOB, run).catch(() => undefined);
  return ended;
}

async function measureSpan(run: () => Promise<unknown>): Promise<Span> {
  const [ended, ...more] = await measure(async () => {
    setTracedOrder(ORDER);
    await run();
  });
  expect(more).toEqual([]);
  if (!ended) throw new Error('nothing was measured');
  return ended.work.span;
}

test('work that concerns no order, or several orders, is not exported', async () => {
  expect(await measure(async () => undefined)).toEqual([]);
  const ended = await measure(async () => {
    for (const orderId of ['17', '18', '17']) setTracedOrder({ ...ORDER, orderId });
  });
  expect(ended).toEqual([]);
});

test('a failure is recorded by its code, never by its message', async () => {
  const secret = 'Zebedee Quillfeather';
  const spans = [
    await measureSpan(async () => Promise.reject(new NotPossibleError('shop_changed', secret))),
    await measureSpan(async () => Promise.reject(new Error(secret))),
  ];
  expect(spans.map(({ error }) => error)).toEqual(['shop_changed', 'fault']);
  expect(JSON.stringify(spans)).not.toContain(secret);
});

test('events are recorded with their codes, and text that is not a code is omitted', async () => {
  const span = await measureSpan(async () =>
    addEventsToSpan([
      { kind: 'held', code: 'address_missing_field' },
      { kind: 'held', code: 'Zebedee Quillfeather' },
      { kind: 'submitted', code: undefined },
    ]),
  );
  expect(span.events.map(({ name, code }) => [name, code])).toEqual([
    ['held', 'address_missing_field'],
    ['held', null],
    ['submitted', null],
  ]);
});

test('events of a change that was rolled back are removed', async () => {
  const span = await measureSpan(async () => {
    addEventsToSpan([{ kind: 'quoted', code: null }]);
    const forgetEvents = markEvents();
    addEventsToSpan([{ kind: 'submitted', code: null }]);
    forgetEvents();
  });
  expect(span.events.map(({ name }) => name)).toEqual(['quoted']);
});

test('a job that makes thousands of calls records only the first ones', async () => {
  const [ended] = await measure(async () => {
    setTracedOrder(ORDER);
    for (let call = 0; call < 10_000; call += 1) addCallToSpan('print', CALL);
    await traceStep('late', async () => undefined);
  });
  expect(ended?.work.span.children).toHaveLength(500);
  expect(ended?.work.room).toBe(-9_501);
});
