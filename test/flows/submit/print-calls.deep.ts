import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { startPlaten, type Platen } from '../../helpers/platen.ts';
import { untilIdle } from '../../helpers/until-idle.ts';
import { untilNoDueJobs } from './submit-helpers.ts';

let platen: Platen;
beforeAll(async () => {
  // This time is long enough for all events of one status change to arrive, and short enough for the test.
  platen = await startPlaten({ advanceSeconds: null, settings: { gatherSeconds: 5 } });
}, 60_000);
afterAll(() => platen.stop());

const REQUEST = 'undici:request:create';

/** Records all later order requests to the print service, except requests about one known order. */
function recordCalls(known = ''): string[] {
  const calls: string[] = [];
  const record = (message: unknown): void => {
    const { request } = message as { request: { origin: string; method: string; path: string } };
    if (request.origin !== platen.printUrl || !/^\/v\d\/orders/.test(request.path)) return;
    if (request.path.endsWith(`/${known}`)) return;
    calls.push(`${request.method} ${request.path.replace(/^\/v4\/orders\/.+/, '/v4/orders/{id}')}`);
  };
  subscribe(REQUEST, record);
  onTestFinished(() => void unsubscribe(REQUEST, record));
  return calls;
}

const QUOTE_AND_SEARCH = ['POST /v4/orders:quote', 'POST /v4/orders:search'];
const READ = 'GET /v4/orders/{id}';

test.each([
  { submit: 'draft', sent: [...QUOTE_AND_SEARCH, 'POST /v3/orders', 'PATCH /v4/orders/{id}'] },
  { submit: 'direct', sent: [...QUOTE_AND_SEARCH, 'POST /v3/orders'] },
])('a simple order is sent without a reading ($submit) and is read once when it ships', async ({ submit, sent }) => {
  await changeSettings(platen.app, platen.shop, { submit });
  // A shop's first order triggers a one-time check for another app that prints its orders.
  const first = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await platen.untilState(first.id, 'printing');
  await untilIdle(platen.app);
  // Events about the first order's confirmation may still be waiting to be gathered, so requests about that order are not recorded.
  const [known] = await platen.printedFor(first.name);
  const calls = recordCalls(known?.id);
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await platen.untilState(order.id, 'printing');
  await untilNoDueJobs(platen, order);
  expect(calls).toEqual(sent);
  const [printed] = await platen.printedFor(order.name);
  // The order reaches passed, printed and shipped, with events for the order, each item and the tracking code.
  await platen.control('print', 'POST', `/orders/${printed?.id}/advance`, { to: 'shipped' });
  await platen.untilState(order.id, 'fulfilled');
  await untilIdle(platen.app);
  expect(calls).toEqual([...sent, READ]);
});
