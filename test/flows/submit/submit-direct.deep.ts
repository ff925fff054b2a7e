import { afterEach, expect, test } from 'vitest';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { eventually } from '../../helpers/eventually.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { act, untilCodes } from '../changes/manual-actions.ts';
import { atService, attemptsOf, injectFaults, printOrdersOf, untilPrintedOnce } from './submit-helpers.ts';

testPlaten({ advanceSeconds: null, settings: { submit: 'direct' } });
afterEach(() => injectFaults(platen, []));

const CREATE = { method: 'POST', path: '/v3/orders', rate: 1, times: 1 };
const place = () => platen.placeSkus({ 'POSTER-30X40': 1 });

test('an order whose create request got no response is held, and not sent again, if no other order can serve as a control', async () => {
  await injectFaults(platen, [{ ...CREATE, kind: 'reset', effect: 'none' }]);
  const order = await place();
  await untilCodes(platen, order, ['outcome_unknown']);
  expect(await atService(platen, order)).toEqual([]);
  expect(await attemptsOf(platen, order)).toHaveLength(1);
  await untilPrintedOnce(platen, [await place()]);
  await platen.pass(3_600_000);
  // Even a later order that could serve as a control does not make Platen send the held order again.
  expect(await attemptsOf(platen, order)).toHaveLength(1);
  await act(platen, order, 'print-again');
  await untilCodes(platen, order, []);
  await untilPrintedOnce(platen, [order]);
});

test('each order is printed once, whatever happens to the response to a direct create request', async () => {
  await injectFaults(platen, [
    { ...CREATE, kind: 'status', status: 500, effect: 'none' },
    { ...CREATE, kind: 'status', status: 500, effect: 'done' },
    { ...CREATE, kind: 'status', status: 503, effect: 'late', lateMs: 800 },
    { ...CREATE, kind: 'reset', effect: 'done' },
    { ...CREATE, kind: 'timeout', effect: 'done' },
    { ...CREATE, kind: 'truncate', effect: 'done' },
    { ...CREATE, kind: 'status', status: 429, effect: 'none' },
  ]);
  const orders = await Promise.all(Array.from({ length: 7 }, place));
  await untilPrintedOnce(platen, orders);
  const all = await Promise.all(orders.map((order) => attemptsOf(platen, order)));
  expect(all.flat().some(({ outcome }) => outcome === 'nothing_made')).toBe(true);
  // Except after a 429 response, an order is sent again only after the quiet time and after at least three searches have shown that it is
  // absent.
  const attempts = all.map((ofOrder) => ofOrder.filter(({ outcome }) => outcome !== 'nothing_made'));
  const quietMs = platen.app.config.print.submitQuietSeconds * 1000;
  for (const [first, second] of attempts) {
    if (!first || !second) continue;
    expect(first.outcome).toBe('absent');
    expect(first.absentSearches).toBeGreaterThanOrEqual(3);
    expect(second.begunAt.getTime() - first.begunAt.getTime()).toBeGreaterThanOrEqual(quietMs);
  }
  expect(attempts.filter(({ length }) => length === 2)).toHaveLength(1);
});

test('an order whose searches keep failing shows the service’s message immediately, and is held later', async () => {
  await injectFaults(platen, [{ method: 'POST', path: '/v4/orders:search', rate: 1, kind: 'status', status: 400 }]);
  const order = await place();
  const waits = async () => (await platen.listed(order.id)).waits;
  const wait = { message: expect.stringContaining('It says: '), nextAt: expect.any(String) };
  await eventually(() => waits().catch(() => [])).toMatchObject([wait]);
  expect((await platen.listed(order.id)).holds).toEqual([]);
  const since = platen.app.clock.now().getTime();
  await untilCodes(platen, order, ['step_failing']);
  expect(platen.app.clock.now().getTime() - since).toBeGreaterThan(600_000);
  expect(await printOrdersOf(platen, order)).toMatchObject([{ state: 'quoted' }]);
  expect((await platen.timeline(order.id)).filter((kind) => kind === 'waits')).toHaveLength(1);
  // The hold does not stop the retries and ends once the service accepts the order.
  await injectFaults(platen, []);
  await untilPrintedOnce(platen, [order]);
  await untilCodes(platen, order, []);
});

test('while extendedCalls is off, orders are created directly, regardless of the submit setting', async () => {
  await changeSettings(platen.app, platen.shop, { extendedCalls: true, submit: 'draft' });
  await changeSettings(platen.app, platen.shop, { extendedCalls: false });
  const order = await place();
  await untilPrintedOnce(platen, [order]);
  expect(await printOrdersOf(platen, order)).toMatchObject([{ submitWay: 'direct' }]);
  expect(await atService(platen, order)).toHaveLength(1);
});
