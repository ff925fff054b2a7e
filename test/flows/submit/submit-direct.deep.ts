import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { submitPrintOrder } from '../../../src/orders/submit/submit-print-order.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { startPlaten, type Platen } from '../../helpers/platen.ts';
import {
  backdateWaits,
  atService,
  attemptsOf,
  runSubmitJobsNow,
  injectFaults,
  printOrdersOf,
  untilPrintedOnce,
  untilNoDueJobs,
  untilPrintOrder,
} from './submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

let platen: Platen;

beforeAll(async () => {
  const environment = { PRINT_TIMEOUT_SECONDS: '1', SUBMIT_DEADLINE_SECONDS: '0.5', SUBMIT_QUIET_SECONDS: '2' };
  platen = await startPlaten({ advanceSeconds: null, environment, settings: { submit: 'direct' } });
});
afterAll(() => platen.stop());
afterEach(() => injectFaults(platen, []));

const CREATE = { method: 'POST', path: '/v3/orders', rate: 1, times: 1 };
const place = () => platen.placeSkus({ 'POSTER-30X40': 1 });

test('an order whose create request got no response is held, and not sent again, if no other order can serve as a control', async () => {
  await injectFaults(platen, [{ ...CREATE, kind: 'reset', effect: 'none' }]);
  const order = await place();
  const states = async () => {
    await runSubmitJobsNow(platen, order);
    return (await platen.listed(order.id)).holds.map(({ code }) => code);
  };
  await eventually(states).toEqual(['outcome_unknown']);
  expect(await atService(platen, order)).toEqual([]);
  expect(await attemptsOf(platen, order)).toHaveLength(1);

  const control = await place();
  await untilPrintedOnce(platen, [control]);
  await runSubmitJobsNow(platen, order);
  await untilNoDueJobs(platen, order);
  // Even a later order that could serve as a control does not make Platen send the held order again.
  expect(await attemptsOf(platen, order)).toHaveLength(1);
});

test('a direct order is sent once as an order, not as a draft', async () => {
  const order = await place();
  await untilPrintedOnce(platen, [order]);
  expect(await attemptsOf(platen, order)).toMatchObject([{ orderType: 'order', outcome: 'done' }]);
  expect(await atService(platen, order)).toHaveLength(1);
});

test('a search that takes longer than the send deadline does not prevent sending the order', async () => {
  const withKey = platen.app.print.withKey.bind(platen.app.print);
  const slowed = vi.spyOn(platen.app.print, 'withKey').mockImplementation((...of) => {
    const service = withKey(...of);
    async function* searchOrders(...filters: Parameters<typeof service.searchOrders>) {
      await delay(700);
      yield* service.searchOrders(...filters);
    }
    return { ...service, searchOrders };
  });
  try {
    await untilPrintedOnce(platen, [await place()]);
  } finally {
    slowed.mockRestore();
  }
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
  for (const [first, second] of attempts) {
    if (!first || !second) continue;
    expect(first.outcome).toBe('absent');
    expect(first.absentSearches).toBeGreaterThanOrEqual(3);
    expect(second.begunAt.getTime() - first.begunAt.getTime()).toBeGreaterThanOrEqual(2000);
  }
  expect(attempts.filter(({ length }) => length === 2)).toHaveLength(1);
});

test('an order counts as submitted as soon as its create request succeeds, before Platen reads the order', async () => {
  await injectFaults(platen, [{ method: 'GET', path: '/v4/orders', rate: 1, kind: 'status', status: 500 }]);
  const order = await place();
  await untilPrintedOnce(platen, [order]);
  expect(await printOrdersOf(platen, order)).toMatchObject([{ state: 'submitted', confirmedAt: expect.any(Date) }]);
  expect(await attemptsOf(platen, order)).toMatchObject([{ outcome: 'done' }]);
});

test('a create request that is known to have had no effect does not count as sent, and the next request’s lost response is resolved', async () => {
  await untilPrintedOnce(platen, [await place()]);
  await injectFaults(platen, [{ ...CREATE, kind: 'status', status: 429 }]);
  const order = await place();
  const outcomes = async () => (await attemptsOf(platen, order)).map(({ outcome }) => outcome);
  await eventually(outcomes).toContain('nothing_made');
  await injectFaults(platen, [{ ...CREATE, kind: 'reset', effect: 'none' }]);
  await untilPrintedOnce(platen, [order]);
  expect((await outcomes()).filter((outcome) => outcome !== 'nothing_made')).toEqual(['absent', 'done']);
});

test('an order whose searches keep failing shows the service’s message immediately, and is held later', async () => {
  const search = { method: 'POST', path: '/v4/orders:search', rate: 1 };
  await injectFaults(platen, [{ ...search, kind: 'status', status: 400 }]);
  const order = await place();
  const { id: printOrderId } = await untilPrintOrder(platen, order, ({ state }) => state === 'quoted');
  await untilNoDueJobs(platen, order);
  for (let tries = 1; tries <= 4; tries += 1) await submitPrintOrder(platen.app, { printOrderId });
  expect((await platen.listed(order.id)).holds).toEqual([]);
  const [wait] = (await platen.listed(order.id)).waits;
  expect(wait).toMatchObject({ message: expect.stringContaining('It says: '), nextAt: expect.any(String) });
  await backdateWaits(platen, printOrderId);
  await submitPrintOrder(platen.app, { printOrderId });
  expect((await platen.listed(order.id)).holds).toMatchObject([{ code: 'step_failing' }]);
  expect(await printOrdersOf(platen, order)).toMatchObject([{ state: 'quoted' }]);
  expect((await platen.timeline(order.id)).filter((kind) => kind === 'waits')).toHaveLength(1);
  // The hold does not stop the retries and ends once the service accepts the order.
  await injectFaults(platen, []);
  await untilPrintedOnce(platen, [order]);
  await eventually(async () => (await platen.listed(order.id)).holds).toEqual([]);
});

test('a failed search proves nothing, and the order is found once searches work again', async () => {
  await injectFaults(platen, [{ ...CREATE, kind: 'reset', effect: 'done' }]);
  const order = await place();
  await eventually(async () => (await attemptsOf(platen, order))[0]?.outcome).toBe('unclear');
  await injectFaults(platen, [{ method: 'POST', path: '/v4/orders:search', rate: 1, kind: 'status', status: 500 }]);
  await runSubmitJobsNow(platen, order);
  await untilNoDueJobs(platen, order);
  expect(await attemptsOf(platen, order)).toMatchObject([{ absentSearches: 0 }]);
  await injectFaults(platen, []);
  await untilPrintedOnce(platen, [order]);
  expect(await attemptsOf(platen, order)).toHaveLength(1);
});

test('a direct order that the service refuses is held and counts as not printed', async () => {
  await injectFaults(platen, [{ ...CREATE, kind: 'status', status: 422 }]);
  const order = await place();
  const held = await platen.untilState(order.id, 'held');
  expect(held.holds.map(({ code }) => code)).toEqual(['create_refused']);
  expect(await printOrdersOf(platen, order)).toMatchObject([{ confirmStartedAt: null, state: 'held' }]);
});

test('an order whose worker dies after a 429 response is still sent', async () => {
  await injectFaults(platen, [{ ...CREATE, kind: 'status', status: 429 }]);
  const order = await place();
  await eventually(async () => (await attemptsOf(platen, order))[0]?.outcome).toBe('nothing_made');
  await eventually(() => platen.timeline(order.id)).toContain('not_made');
  await platen.app.db.query(`update print_orders set state = 'submitting', confirm_started_at = now() where id = $1`, [
    (await printOrdersOf(platen, order))[0]?.id,
  ]);
  await platen.app.jobs.enqueue(platen.app.db, 'catch_up_uncertain', {});
  await untilPrintedOnce(platen, [order]);
});

test('three workers that process the same print order send it once', async () => {
  await injectFaults(platen, [{ method: 'POST', path: '/v4/orders:search', rate: 1, kind: 'status', status: 500 }]);
  const order = await place();
  const { id: printOrderId } = await untilPrintOrder(platen, order, ({ state }) => state === 'quoted');
  await untilNoDueJobs(platen, order);
  await injectFaults(platen, []);
  await Promise.all([1, 2, 3].map(() => submitPrintOrder(platen.app, { printOrderId })));
  await untilPrintedOnce(platen, [order]);
  expect(await attemptsOf(platen, order)).toHaveLength(1);
});

test('while extendedCalls is off, orders are created directly, regardless of the submit setting', async () => {
  await changeSettings(platen.app, platen.shop, { extendedCalls: true, submit: 'draft' });
  await changeSettings(platen.app, platen.shop, { extendedCalls: false });
  const order = await place();
  await untilPrintedOnce(platen, [order]);
  expect(await printOrdersOf(platen, order)).toMatchObject([{ submitWay: 'direct' }]);
  expect(await atService(platen, order)).toHaveLength(1);
});
