import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { PrintOrders } from '../../../src/database/entities/print-orders.ts';
import { performManualAction } from '../../../src/orders/manual-actions/perform-manual-action.ts';
import { hashBody } from '../../../src/orders/quote/hash-body.ts';
import { decryptBody, sealBody } from '../../../src/orders/facts/recipient-column.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { redactCustomer } from '../../../src/orders/privacy/redact-customer.ts';
import { submitPrintOrder } from '../../../src/orders/submit/submit-print-order.ts';
import type { Platen, PlacedOrder } from '../../helpers/platen.ts';
import {
  backdateWaits,
  atService,
  attemptsOf,
  runSubmitJobsNow,
  injectFaults,
  placeUnsubmitted,
  requestReplan,
  printOrdersOf,
  startWithShortTimeouts,
  untilPrintedOnce,
  untilPrintOrder,
  untilNoDueJobs,
} from './submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

let platen: Platen;
beforeAll(async () => void (platen = await startWithShortTimeouts()));
afterAll(() => platen.stop());
afterEach(async () => {
  await injectFaults(platen, []);
  await changeSettings(platen.app, platen.shop, { submit: 'draft' });
});

const CREATE = { method: 'POST', path: '/v3/orders', rate: 1, times: 1 };
const place = (count: number): Promise<PlacedOrder[]> =>
  Promise.all(Array.from({ length: count }, () => platen.placeSkus({ 'POSTER-30X40': 1 })));

test('an order that arrives twice and is found by a poll is printed once, and planning it again prints nothing more', async () => {
  const order = await platen.placeSkus({ 'MUG-11OZ': 2 });
  await platen.control('store', 'POST', '/webhooks', { duplicate: 1 });
  await platen.untilState(order.id, 'printing');
  await platen.app.jobs.enqueue(platen.app.db, 'catch_up_storefront_orders', { shopId: platen.shop.id });
  for (let again = 0; again < 3; again += 1) {
    await requestReplan(platen, order);
    await untilNoDueJobs(platen, order);
  }
  await platen.control('store', 'POST', '/webhooks', { duplicate: 0 });
  const printed = await platen.printedFor(order.name);
  expect(printed.map(({ items }) => items.map(({ quantity }) => quantity))).toEqual([[2]]);
  expect(await printOrdersOf(platen, order)).toHaveLength(1);
});

test('a print order is created as a draft only after its create attempt is recorded', async () => {
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await platen.untilState(order.id, 'printing');
  const [attempt, ...others] = await attemptsOf(platen, order);
  expect(others).toEqual([]);
  const [printed] = await platen.printedFor(order.name);
  expect(attempt).toMatchObject({ orderType: 'draft', outcome: 'done', serviceOrderId: printed?.id });
  expect(await platen.timeline(order.id)).toEqual(
    expect.arrayContaining(['planned', 'quoted', 'submitting', 'submitted']),
  );
});

test('a draft is deleted, not confirmed, if the order’s customer is erased while the draft is being created', async () => {
  const { app, shop } = platen;
  // The trigger makes the transaction that records the draft slow. The erasure waits for the order's lock and commits right after that
  // transaction.
  await app.db.query(`
    create function stand_still() returns trigger language plpgsql as $$ begin perform pg_sleep(1); return new; end $$;
    create trigger stand_still after update of outcome on submit_attempts for each row when (new.outcome = 'done') execute function stand_still()`);
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 });
  const sleepingSessions = () =>
    app.db.query(`select from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`);
  await eventually(sleepingSessions).toHaveLength(1);
  await app.db.query('update storefront_orders set redacted_at = now() where shopify_order_id = $1', [order.id]);
  await eventually(() => attemptsOf(platen, order)).toMatchObject([{ outcome: 'done' }]);
  await untilNoDueJobs(platen, order);
  await app.db.query('drop trigger stand_still on submit_attempts');
  expect((await printOrdersOf(platen, order))[0]?.confirmStartedAt).toBeNull();
  await redactCustomer(app, shop, { resourceIds: { orders: order.id }, receivedAt: app.clock.now() });
  await untilPrintOrder(platen, order, ({ fencedAt }) => fencedAt !== null);
  expect(await platen.printedFor(order.name)).toEqual([]);
  expect(await atService(platen, order)).toMatchObject([{ deleted: true }]);
  const read = () => app.db.manager.findOneByOrFail(StorefrontOrders, { shopifyOrderId: order.id });
  await eventually(read).toMatchObject({ outcomeReason: 'customer_redacted' });
});

test('each order is printed once and no spare draft is confirmed, whatever happens to the responses', async () => {
  await injectFaults(platen, [
    { ...CREATE, kind: 'status', status: 500, effect: 'none' },
    { ...CREATE, kind: 'status', status: 500, effect: 'done' },
    { ...CREATE, kind: 'status', status: 502, effect: 'late', lateMs: 700 },
    { ...CREATE, kind: 'reset', effect: 'done' },
    { ...CREATE, kind: 'timeout', effect: 'done' },
    { ...CREATE, kind: 'truncate', effect: 'done' },
    { ...CREATE, kind: 'status', status: 429, effect: 'none' },
    { ...CREATE, kind: 'status', status: 409, effect: 'none' },
  ]);
  const orders = await place(8);
  await untilPrintedOnce(platen, orders);
  for (const order of orders) {
    const made = await atService(platen, order);
    const attempts = await attemptsOf(platen, order);
    expect(made.filter(({ orderType }) => orderType === 'order')).toHaveLength(1);
    expect(made.length).toBeLessThanOrEqual(attempts.length);
  }
});

test('a spare draft left by a lost response is deleted after the quiet time, but the order is kept', async () => {
  await injectFaults(platen, [{ ...CREATE, kind: 'status', status: 502, effect: 'late', lateMs: 1200 }]);
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await untilPrintedOnce(platen, [order]);
  const spares = async () => (await atService(platen, order)).filter(({ orderType }) => orderType === 'draft');
  await eventually(spares).toHaveLength(1);
  await eventually(spares).toMatchObject([{ deleted: true }]);
  expect(await platen.printedFor(order.name)).toHaveLength(1);
});

test('each order is printed once, whatever happens to the responses to the confirm requests', async () => {
  const PATCH = { method: 'PATCH', path: '/v4/orders', rate: 1, times: 1 };
  await injectFaults(platen, [
    { ...PATCH, kind: 'status', status: 500, effect: 'done' },
    { ...PATCH, kind: 'status', status: 500, effect: 'none' },
    { ...PATCH, kind: 'timeout', effect: 'done' },
    { ...PATCH, kind: 'reset', effect: 'late', lateMs: 400 },
    { ...PATCH, kind: 'status', status: 429, effect: 'none' },
    { method: 'GET', path: '/v4/orders', rate: 1, times: 3, kind: 'status', status: 500 },
  ]);
  await untilPrintedOnce(platen, await place(6));
});

test('a search that fails or lags does not cause a second order', async () => {
  await injectFaults(platen, [
    { searchLagMs: 1500 },
    { method: 'POST', path: '/v4/orders:search', rate: 1, times: 5, kind: 'status', status: 500 },
    { ...CREATE, kind: 'reset', effect: 'done' },
    { method: 'PATCH', path: '/v4/orders', rate: 1, times: 1, kind: 'reset', effect: 'done' },
  ]);
  await untilPrintedOnce(platen, await place(3));
});

test('an order whose create request is refused is held and resumes once the problem is fixed', async () => {
  await injectFaults(platen, [{ ...CREATE, kind: 'status', status: 400 }]);
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 });
  const held = await platen.untilState(order.id, 'held');
  expect(held.holds.map(({ code }) => code)).toEqual(['create_refused']);
  expect(await platen.printedFor(order.name)).toEqual([]);
  await platen.app.jobs.enqueue(platen.app.db, 'resume_shop', { shopId: platen.shop.id });
  await untilPrintedOnce(platen, [order]);
  expect((await platen.listed(order.id)).holds).toEqual([]);
});

test('an order whose confirm request is refused is held, and nothing else is created', async () => {
  await injectFaults(platen, [{ method: 'PATCH', path: '/v4/orders', rate: 1, times: 1, kind: 'status', status: 422 }]);
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 });
  const held = await platen.untilState(order.id, 'held');
  expect(held.holds.map(({ code }) => code)).toEqual(['confirm_refused']);
  await requestReplan(platen, order);
  await untilNoDueJobs(platen, order);
  expect(await atService(platen, order)).toMatchObject([{ orderType: 'draft' }]);
  expect(await printOrdersOf(platen, order)).toHaveLength(1);
});

test('if the service refuses a key, the orders of its account are held, and they resume once the key works', async () => {
  await injectFaults(platen, [{ path: '/v3/orders', rate: 1, kind: 'status', status: 401 }]);
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 });
  const held = await platen.untilState(order.id, 'held');
  expect(held.holds).toMatchObject([{ code: 'print_account_refused', field: 'printKey' }]);
  expect(await platen.printedFor(order.name)).toEqual([]);
  const waiting = await platen.placeSkus({ 'POSTER-30X40': 1 });
  expect((await platen.untilState(waiting.id, 'held')).holds.map(({ code }) => code)).toEqual([
    'print_account_refused',
  ]);
  expect(await attemptsOf(platen, waiting)).toEqual([]);
  await injectFaults(platen, []);
  await platen.app.db.query(`update print_accounts set refused_at = now() - interval '2 minutes'`);
  await runSubmitJobsNow(platen, order);
  await untilPrintedOnce(platen, [order, waiting]);
  await platen.untilState(order.id, 'printing');
  await platen.untilState(waiting.id, 'printing');
});

test('three workers that process the same print order create one order and delete their spare drafts', async () => {
  const { order, printOrder } = await placeUnsubmitted(platen);
  await untilNoDueJobs(platen, order);
  await injectFaults(platen, []);
  await Promise.all([1, 2, 3].map(() => submitPrintOrder(platen.app, { printOrderId: printOrder.id })));
  await untilPrintedOnce(platen, [order]);
  const made = await atService(platen, order);
  expect(made.filter(({ orderType, deleted }) => orderType === 'draft' && deleted !== true)).toEqual([]);
  expect(made.length).toBeLessThanOrEqual((await attemptsOf(platen, order)).length);
});

/** Replaces the shipping method in a print order's body with a method that the service no longer offers. */
async function withdrawMethod(order: PlacedOrder, part: number): Promise<void> {
  const printOrder = await untilPrintOrder(platen, order, (one) => one.part === part && one.state === 'quoted');
  await untilNoDueJobs(platen, order);
  const body = { ...decryptBody(platen.app, printOrder), shipmentMethodUid: 'gone_method' };
  const bodyEncrypted = sealBody(platen.app, printOrder.reference, body);
  await platen.app.db.manager.update(PrintOrders, { id: printOrder.id }, { bodyEncrypted, bodySha256: hashBody(body) });
}

test.each(['draft', 'direct'] as const)(
  'an order whose shipping method is no longer offered is quoted again once, then held, and quoted again on request (%s)',
  async (submit) => {
    await changeSettings(platen.app, platen.shop, { submit });
    const { order } = await placeUnsubmitted(platen);
    await withdrawMethod(order, 1);
    // The service refuses the create request of the first print order. Its successor is created.
    await injectFaults(platen, []);
    await runSubmitJobsNow(platen, order);
    await untilPrintOrder(platen, order, ({ part, closedReason }) => part === 1 && closedReason === 'method_gone');
    await untilPrintOrder(platen, order, ({ part, confirmedAt }) => part === 2 && confirmedAt !== null);
    expect(await platen.printedFor(order.name)).toHaveLength(1);

    const { order: twice } = await placeUnsubmitted(platen);
    await withdrawMethod(twice, 1);
    const before = await printOrdersOf(platen, twice);
    await platen.app.db.query(
      `insert into print_orders (shop_id, storefront_order_id, print_account_id, shopify_fulfillment_order_id, part, reference, state, submit_way, plan_sha256, closed_at, fenced_at, closed_reason)
       select shop_id, storefront_order_id, print_account_id, shopify_fulfillment_order_id, 9, 'before-' || id, 'canceled', submit_way, 'plan', now(), now(), 'method_gone' from print_orders where id = $1`,
      [before[0]?.id],
    );
    await injectFaults(platen, []);
    await runSubmitJobsNow(platen, twice);
    const held = await platen.untilState(twice.id, 'held');
    expect(held.holds).toMatchObject([
      { code: 'create_refused', field: 'shipmentMethodUid', message: expect.stringContaining('Shipping method: ') },
    ]);
    await performManualAction(platen.app, platen.shop, {
      order: twice.id,
      action: 'retry',
      printOrder: null,
      by: 'merchant',
    });
    await untilPrintOrder(platen, twice, ({ part, confirmedAt }) => part === 2 && confirmedAt !== null);
    expect(await platen.printedFor(twice.name)).toHaveLength(1);
  },
);

test('a confirm request that gets 404 although the draft exists holds the order until "continue"', async () => {
  await injectFaults(platen, [{ method: 'PATCH', path: '/v4/orders', rate: 1, kind: 'status', status: 404 }]);
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 });
  const held = await platen.untilState(order.id, 'held');
  expect(held.holds).toMatchObject([{ code: 'confirm_refused' }]);
  await injectFaults(platen, []);
  await performManualAction(platen.app, platen.shop, {
    order: order.id,
    action: 'continue',
    printOrder: null,
    by: 'merchant',
  });
  await untilPrintedOnce(platen, [order]);
});

test('an order whose confirm request keeps failing shows the service’s message, is held and is retried with backoff until it succeeds', async () => {
  await injectFaults(platen, [{ method: 'PATCH', path: '/v4/orders', rate: 1, kind: 'status', status: 500 }]);
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 });
  const { id: printOrderId } = await untilPrintOrder(
    platen,
    order,
    ({ confirmStartedAt }) => confirmStartedAt !== null,
  );
  const waits = async () => (await platen.listed(order.id)).waits;
  await eventually(async () => (await waits())[0]?.tries ?? 0).toBeGreaterThan(0);
  expect((await waits())[0]).toMatchObject({
    message: expect.stringContaining('It says: '),
    nextAt: expect.any(String),
  });
  await backdateWaits(platen, printOrderId);
  for (let tries = 1; tries <= 5; tries += 1) await submitPrintOrder(platen.app, { printOrderId });
  expect((await platen.listed(order.id)).holds).toMatchObject([{ code: 'step_failing' }]);
  // After 15 minutes of failures, the next retry is minutes away. An attempt that the circuit breaker did not start is retried sooner.
  const retryAndReadPause = async () => {
    await submitPrintOrder(platen.app, { printOrderId });
    const [{ nextAt } = { nextAt: null }] = await waits();
    return Date.parse(nextAt ?? '') - Date.now();
  };
  await eventually(retryAndReadPause).toBeGreaterThan(100_000);
  await injectFaults(platen, []);
  await runSubmitJobsNow(platen, order);
  await untilPrintedOnce(platen, [order]);
  await eventually(async () => (await platen.listed(order.id)).holds).toEqual([]);
});
