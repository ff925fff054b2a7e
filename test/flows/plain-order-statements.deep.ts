import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { countStatements } from '../helpers/count-statements.ts';
import { startPlaten, type PlacedOrder, type Platen } from '../helpers/platen.ts';
import { startTraceReceiver, type TraceReceiver } from '../tracing/trace-receiver.ts';
import { untilIdle } from '../helpers/until-idle.ts';
import { eventually } from '../helpers/eventually.ts';

const POSTER = 'POSTER-30X40';

let platen: Platen;
let receiver: TraceReceiver;
const counted = countStatements();
beforeAll(async () => {
  receiver = await startTraceReceiver();
});
afterEach(() => platen.stop());
afterAll(() => receiver.close());

/**
 * Places a paid order and waits until it is fulfilled in the store. Calls only the stand-ins, so that the test itself runs no statements.
 */
async function fulfillPlainOrder(): Promise<PlacedOrder> {
  const order = await platen.placeSkus({ [POSTER]: 1 });
  await eventually(async () => (await platen.printedFor(order.name)).length).toBe(1);
  const [printed] = await platen.printedFor(order.name);
  await platen.control('print', 'POST', `/orders/${printed?.id}/advance`, { to: 'shipped' });
  await eventually(async () => (await platen.storeOrder(order.id)).fulfillments.length).toBe(1);
  return order;
}

/** Waits until two seconds pass without a statement. */
async function untilNoStatements(): Promise<void> {
  let [before, since] = [counted.statements, Date.now()];
  const isStill = (): boolean => {
    if (counted.statements !== before) [before, since] = [counted.statements, Date.now()];
    return Date.now() - since > 2_000;
  };
  await eventually(isStill).toBe(true);
}

test.each([
  ['without traces', () => ({})],
  ['with traces, which need no statement', () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url })],
])(
  'a simple order stays within the limits for statements, commits and jobs %s',
  async (_how, toEnvironment) => {
    const settings = { submit: 'draft', gatherSeconds: 1 };
    platen = await startPlaten({ time: 'real', advanceSeconds: null, settings, environment: toEnvironment() });
    // A shop's first order triggers a one-time check for another app that prints the shop's orders, so the first order is not counted.
    await fulfillPlainOrder();
    await untilIdle(platen.app);
    await untilNoStatements();
    const before = { ...counted };
    const order = await fulfillPlainOrder();
    await untilNoStatements();
    const after = { ...counted };
    // The limits are for a single order. Many simultaneous orders share statements of the inbox and the queue, so each of them needs fewer.
    // The limits allow for one more poll on a busy machine.
    expect(after.statements - before.statements).toBeLessThanOrEqual(75);
    expect(after.commits - before.commits).toBeLessThanOrEqual(73);
    expect(after.jobs - before.jobs).toBeLessThanOrEqual(8);
    // The order is complete, so the count includes all of its statements.
    expect(await platen.listed(order.id)).toMatchObject({ state: 'fulfilled' });
  },
  150_000,
);
