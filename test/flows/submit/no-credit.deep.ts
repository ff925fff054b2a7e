import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { PrintAccounts } from '../../../src/database/entities/shops.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { startPlaten, type PlacedOrder, type Platen } from '../../helpers/platen.ts';
import { codesOf, liveOrders, placePoster, untilLastSubmitted } from './earlier-interface.ts';
import {
  attemptsOf,
  backdateWaits,
  injectFaults,
  printOrdersOf,
  runSubmitJobsNow,
  untilNoDueJobs,
  untilPrintOrder,
} from './submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

const WAIT = { timeout: 60_000, interval: 200 };
const NO_CREDIT = { kind: 'status', status: 402, rate: 1 };
const CREATE = { method: 'POST', path: '/v3/orders', ...NO_CREDIT };
const CONFIRM = { method: 'PATCH', path: '/v4/orders', ...NO_CREDIT };
const QUOTE = { method: 'POST', path: '/v4/orders:quote', ...NO_CREDIT };
const DELETE = { method: 'DELETE', path: '/v4/orders', ...NO_CREDIT };
const V1_CREATE = { method: 'POST', path: '/v1/order/create', ...NO_CREDIT };
const V2_CREATE = { method: 'POST', path: '/v2/order/create', ...NO_CREDIT };

/** A short quiet time, because only a search after it proves that an order whose payment was refused does not exist. */
const QUICK = { PRINT_TIMEOUT_SECONDS: '2', SUBMIT_DEADLINE_SECONDS: '1', SUBMIT_QUIET_SECONDS: '5' };

let platen: Platen;
beforeAll(async () => {
  platen = await startPlaten({ advanceSeconds: null, environment: QUICK });
}, 120_000);
afterAll(() => platen.stop());
afterEach(async () => {
  await injectFaults(platen, []);
  const id = platen.shop.printAccountId ?? 0;
  const accepted = { paymentRefusedAt: null, paymentProbedAt: null, chargeRefused: false };
  await platen.app.db.manager.update(PrintAccounts, { id }, accepted);
  await set({ printInterface: 'current', submit: 'draft' });
});

const set = (change: object) => changeSettings(platen.app, platen.shop, change);
const readAccount = () => platen.app.db.manager.findOneByOrFail(PrintAccounts, { id: platen.shop.printAccountId ?? 0 });

/** Backdates the refusal and the last probe, so that the next order may be sent as a probe. */
async function allowProbe(): Promise<void> {
  await platen.app.db.query(
    `update print_accounts set payment_refused_at = now() - interval '2 hours', payment_probed_at = now() - interval '1 hour' where payment_refused_at is not null`,
  );
}

/** Waits until an order waits for credit, and checks that it is not held, however long it waits. */
async function expectToWait(order: PlacedOrder): Promise<void> {
  await eventually(async () => (await platen.listed(order.id)).waits).toMatchObject([
    { message: expect.stringContaining('refuses payments'), nextAt: expect.any(String) },
  ]);
  await untilNoDueJobs(platen, order);
  for (const { id } of await printOrdersOf(platen, order)) {
    await backdateWaits(platen, id);
    await platen.app.db.query('update step_waits set tries = 9 where print_order_id = $1', [id]);
  }
  await runSubmitJobsNow(platen, order);
  await untilNoDueJobs(platen, order);
  expect(await codesOf(platen, order)).toEqual([]);
  expect(await liveOrders(platen, order)).toEqual([]);
}

test.each([
  { request: 'create', settings: { submit: 'draft' }, fault: CREATE },
  { request: 'confirm', settings: { submit: 'draft' }, fault: CONFIRM },
  { request: 'quote', settings: { submit: 'draft' }, fault: QUOTE },
  { request: 'direct create', settings: { submit: 'direct' }, fault: CREATE },
  { request: 'v2 create', settings: { printInterface: 'v2' }, fault: V2_CREATE },
  { request: 'v1 create', settings: { printInterface: 'v1' }, fault: V1_CREATE },
])('orders whose $request gets 402 wait for credit and resume automatically', async ({ settings, fault }) => {
  await set(settings);
  // A known order of the account, with which Platen proves that an unpaid order does not exist.
  await untilLastSubmitted(platen, await placePoster(platen), 1);
  await injectFaults(platen, [fault]);
  const orders = [await placePoster(platen), await placePoster(platen)];
  for (const order of orders) await expectToWait(order);
  // The account has one notice, and the orders are counted in it.
  expect((await readAccount()).paymentRefusedAt).toBeInstanceOf(Date);
  await injectFaults(platen, []);
  const resume = async () => {
    await allowProbe();
    for (const order of orders) await runSubmitJobsNow(platen, order);
    if ((await readAccount()).paymentRefusedAt !== null) throw new Error('The account is still paused.');
  };
  await vi.waitFor(resume, WAIT);
  for (const order of orders) {
    await untilLastSubmitted(platen, order, 1);
    expect(await liveOrders(platen, order)).toHaveLength(1);
    expect(await codesOf(platen, order)).toEqual([]);
  }
});

const MADE_NEVERTHELESS = [
  { request: 'confirm', settings: { submit: 'draft' }, fault: CONFIRM },
  { request: 'direct create', settings: { submit: 'direct' }, fault: CREATE },
  { request: 'v2 create', settings: { printInterface: 'v2' }, fault: V2_CREATE },
  { request: 'v1 create', settings: { printInterface: 'v1' }, fault: V1_CREATE },
].flatMap((one) => [
  { ...one, effect: 'done' },
  { ...one, effect: 'late' },
]);

test.each(MADE_NEVERTHELESS)(
  'an order is printed once and not held if its $request gets 402 although the service makes the order ($effect)',
  async ({ settings, fault, effect }) => {
    await set(settings);
    await injectFaults(platen, [{ ...fault, effect, lateMs: 1500, times: 1 }]);
    const order = await placePoster(platen);
    const isConfirmed = async () => {
      await allowProbe();
      await runSubmitJobsNow(platen, order);
      return (await printOrdersOf(platen, order)).some(({ confirmedAt }) => confirmedAt !== null);
    };
    await eventually(isConfirmed).toBe(true);
    await untilNoDueJobs(platen, order);
    expect(await liveOrders(platen, order)).toHaveLength(1);
    expect(await codesOf(platen, order)).toEqual([]);
  },
);

test('an order whose direct create request gets 402 again and again is sent once the account has credit', async () => {
  await untilLastSubmitted(platen, await placePoster(platen), 1);
  await set({ submit: 'direct' });
  await injectFaults(platen, [CREATE]);
  const order = await placePoster(platen);
  const countAttempts = async () => {
    await allowProbe();
    await runSubmitJobsNow(platen, order);
    return (await attemptsOf(platen, order)).length;
  };
  await eventually(countAttempts).toBeGreaterThan(2);
  expect(await codesOf(platen, order)).toEqual([]);
  await injectFaults(platen, []);
  const isConfirmed = async () =>
    (await countAttempts()) > 0 &&
    (await printOrdersOf(platen, order)).every(({ confirmedAt }) => confirmedAt !== null);
  await eventually(isConfirmed).toBe(true);
  expect(await liveOrders(platen, order)).toHaveLength(1);
  expect(await codesOf(platen, order)).toEqual([]);
});

test('an order that waits for credit after its confirm request follows a change in the store and can be canceled', async () => {
  await injectFaults(platen, [CONFIRM]);
  const order = await placePoster(platen);
  await expectToWait(order);
  expect(await printOrdersOf(platen, order)).toMatchObject([{ state: 'submitting', confirmStartedAt: null }]);
  // A deletion that gets 402 proves neither that the draft is gone nor that it has become an order.
  await injectFaults(platen, [CONFIRM, DELETE]);
  await platen.control('store', 'POST', `/orders/${encodeURIComponent(order.id)}/cancel`, {});
  await untilPrintOrder(platen, order, ({ closedAt }) => closedAt !== null);
  await runSubmitJobsNow(platen, order);
  await untilNoDueJobs(platen, order);
  expect(await codesOf(platen, order)).toEqual([]);
  await injectFaults(platen, [CONFIRM]);
  const isFenced = async () => {
    await runSubmitJobsNow(platen, order);
    return (await printOrdersOf(platen, order)).every(({ fencedAt }) => fencedAt !== null);
  };
  await eventually(isFenced).toBe(true);
  expect(await liveOrders(platen, order)).toEqual([]);
});
