import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { PrintAccounts } from '../../../src/database/entities/shops.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { startPlaten, type PlacedOrder, type Platen } from '../../helpers/platen.ts';
import { codesOf, liveOrders, placePoster, untilLastSubmitted } from './earlier-interface.ts';
import {
  backdateWaits,
  injectFaults,
  printOrdersOf,
  runSubmitJobsNow,
  untilNoDueJobs,
  untilPrintOrder,
} from './submit-helpers.ts';

const WAIT = { timeout: 60_000, interval: 200 };
const NO_CREDIT = { kind: 'status', status: 402, rate: 1 };
const CREATE = { method: 'POST', path: '/v3/orders', ...NO_CREDIT };
const CONFIRM = { method: 'PATCH', path: '/v4/orders', ...NO_CREDIT };
const QUOTE = { method: 'POST', path: '/v4/orders:quote', ...NO_CREDIT };
const DELETE = { method: 'DELETE', path: '/v4/orders', ...NO_CREDIT };
const V1_CREATE = { method: 'POST', path: '/v1/order/create', ...NO_CREDIT };
const V2_CREATE = { method: 'POST', path: '/v2/order/create', ...NO_CREDIT };

let platen: Platen;
beforeAll(async () => {
  platen = await startPlaten({ advanceSeconds: null });
}, 120_000);
afterAll(() => platen.stop());
afterEach(async () => {
  await injectFaults(platen, []);
  const id = platen.shop.printAccountId ?? 0;
  await platen.app.db.manager.update(PrintAccounts, { id }, { paymentRefusedAt: null, paymentProbedAt: null });
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
  await expect
    .poll(async () => (await platen.listed(order.id)).waits, WAIT)
    .toMatchObject([{ message: expect.stringContaining('refuses payments'), nextAt: expect.any(String) }]);
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
])('orders whose $request gets 402 wait for credit and resume by themselves', async ({ settings, fault }) => {
  await set(settings);
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
  await expect.poll(isFenced, WAIT).toBe(true);
  expect(await liveOrders(platen, order)).toEqual([]);
});
