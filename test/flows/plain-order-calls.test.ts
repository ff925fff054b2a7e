import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { receiveOrder } from '../../src/orders/intake/receive-order.ts';
import { changeSettings } from '../../src/shops/settings/settings.ts';
import { countAdminCalls } from '../helpers/count-admin-calls.ts';
import { countStatements } from '../helpers/count-statements.ts';
import { eventually } from '../helpers/eventually.ts';
import { startPlaten, type Platen } from '../helpers/platen.ts';
import { startTraceReceiver, type TraceReceiver } from '../tracing/trace-receiver.ts';

const POSTER = 'POSTER-30X40';
const REQUEST = 'undici:request:create';
/** All jobs of a plain order, including the gathering of its events, are done within this time. */
const DONE_MS = 60_000;

let platen: Platen;
let receiver: TraceReceiver;
const counted = countStatements();

// Traces are on, because they must need no statement.
beforeAll(async () => {
  receiver = await startTraceReceiver();
  platen = await startPlaten({
    advanceSeconds: null,
    settings: { gatherSeconds: 5 },
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url },
  });
  // A shop's first order triggers a one-time check for another app that prints the shop's orders, so the first order is not counted.
  await fulfillPlainOrder();
});
afterAll(async () => {
  await platen.stop();
  await receiver.close();
});
afterEach(() => dropWebhooks(0));

const dropWebhooks = (drop: number) => platen.control('store', 'POST', '/webhooks', { drop });

/**
 * Places a paid order with one line and one package, waits until it is fulfilled in the store, and returns what Platen used for it. Calls
 * only the stand-ins, so that the test itself runs no statements.
 */
async function fulfillPlainOrder(receive: (id: string) => Promise<unknown> = async () => undefined) {
  const [countCalls, before, print] = [await countAdminCalls(platen), { ...counted }, [] as string[]];
  const record = (message: unknown): void => {
    const { request } = message as { request: { origin: string; method: string; path: string } };
    if (request.origin === platen.printUrl && /^\/v\d\/orders/.test(request.path))
      print.push(`${request.method} ${request.path.replace(/^\/v4\/orders\/.+/, '/v4/orders/{id}')}`);
  };
  subscribe(REQUEST, record);
  const order = await platen.placeSkus({ [POSTER]: 1 });
  await eventually(async () => (await platen.storeOrder(order.id)).fulfillmentOrders.length).toBe(1);
  await receive(order.id);
  await eventually(async () => (await platen.printedFor(order.name)).length).toBe(1);
  await platen.pass(1_000);
  // The order reaches passed, printed and shipped, with events for the order, each item and the tracking code.
  const [printed] = await platen.printedFor(order.name);
  await platen.control('print', 'POST', `/orders/${printed?.id}/advance`, { to: 'shipped' });
  await eventually(async () => (await platen.storeOrder(order.id)).fulfillments.length).toBe(1);
  await platen.pass(DONE_MS);
  unsubscribe(REQUEST, record);
  const { byName, cost } = await countCalls();
  const { statements, commits, jobs } = counted;
  const used = {
    statements: statements - before.statements,
    commits: commits - before.commits,
    jobs: jobs - before.jobs,
  };
  return { store: byName, cost, print, used };
}

const CHANGES = { RequestFulfillment: 1, OrderForPlanAndSale: 1, CreateFulfillment: 1 };
const QUOTE_AND_SEARCH = ['POST /v4/orders:quote', 'POST /v4/orders:search'];
const READ = 'GET /v4/orders/{id}';

test.each([
  { submit: 'draft', sent: [...QUOTE_AND_SEARCH, 'POST /v3/orders', 'PATCH /v4/orders/{id}'] },
  { submit: 'direct', sent: [...QUOTE_AND_SEARCH, 'POST /v3/orders'] },
])(
  'a simple order is sent without a reading ($submit), is read once when it ships, and needs few statements, commits and jobs',
  async ({ submit, sent }) => {
    await changeSettings(platen.app, platen.shop, { submit });
    await platen.pass(DONE_MS);
    const { store, print, used } = await fulfillPlainOrder();
    expect(print).toEqual([...sent, READ]);
    const { OrderForPlan: reads = 0, AssignedFulfillmentOrders: requests = 0, ...changes } = store;
    // Webhooks about Platen's own changes cause no changes, only readings.
    expect(changes).toEqual(CHANGES);
    expect(reads).toBeLessThanOrEqual(6);
    expect(requests).toBeLessThanOrEqual(2);
    // Many simultaneous orders share statements of the inbox and the queue, so each of them needs fewer.
    expect(used.statements).toBeLessThanOrEqual(75);
    expect(used.commits).toBeLessThanOrEqual(73);
    expect(used.jobs).toBeLessThanOrEqual(8);
  },
);

test('a simple order is read from the store only three times, and each change in the store needs one request', async () => {
  // Drops the webhooks about Platen's own changes.
  await dropWebhooks(1);
  const { store, cost } = await fulfillPlainOrder((id) => receiveOrder(platen.app, platen.shop, id));
  expect(store).toEqual({ OrderForPlan: 2, ...CHANGES });
  expect(cost).toBeLessThanOrEqual(440);
});
