import { afterEach, expect, test } from 'vitest';
import { PrintAccounts } from '../../../src/database/entities/shops.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { eventually } from '../../helpers/eventually.ts';
import type { PlacedOrder } from '../../helpers/platen.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { codesOf } from '../changes/manual-actions.ts';
import { liveOrders, placePoster, untilLastSubmitted } from './earlier-interface.ts';
import { injectFaults, inStore, printOrdersOf, untilNoDueJobs, untilPrintOrder } from './submit-helpers.ts';

const NO_CREDIT = { kind: 'status', status: 402, rate: 1 };
const CREATE = { method: 'POST', path: '/v3/orders', ...NO_CREDIT };
const CONFIRM = { method: 'PATCH', path: '/v4/orders', ...NO_CREDIT };
const QUOTE = { method: 'POST', path: '/v4/orders:quote', ...NO_CREDIT };
const DELETE = { method: 'DELETE', path: '/v4/orders', ...NO_CREDIT };
const V1_CREATE = { method: 'POST', path: '/v1/order/create', ...NO_CREDIT };

testPlaten({ advanceSeconds: null });
afterEach(async () => {
  await injectFaults(platen, []);
  const accepted = { paymentRefusedAt: null, paymentProbedAt: null, chargeRefused: false };
  await platen.app.db.manager.update(PrintAccounts, { id: platen.shop.printAccountId ?? 0 }, accepted);
  await set({ printInterface: 'current', submit: 'draft' });
});

const set = (change: object) => changeSettings(platen.app, platen.shop, change);
const readAccount = () => platen.app.db.manager.findOneByOrFail(PrintAccounts, { id: platen.shop.printAccountId ?? 0 });

async function expectPrintedOnce(order: PlacedOrder): Promise<void> {
  await untilPrintOrder(platen, order, ({ confirmedAt }) => confirmedAt !== null);
  await untilNoDueJobs(platen, order);
  expect(await liveOrders(platen, order)).toHaveLength(1);
  expect(await codesOf(platen, order)).toEqual([]);
}

/** Other steps that keep failing are held after 15 minutes. */
const PATIENCE_MS = 1_200_000;

/** Waits until these orders wait for credit, and checks that they are not held for this time. */
async function expectToWait(orders: PlacedOrder[], milliseconds = PATIENCE_MS): Promise<void> {
  for (const order of orders)
    await eventually(async () => (await platen.listed(order.id)).waits).toMatchObject([
      { message: expect.stringContaining('refuses payments'), nextAt: expect.any(String) },
    ]);
  await platen.pass(milliseconds);
  for (const order of orders) {
    expect(await codesOf(platen, order)).toEqual([]);
    expect(await liveOrders(platen, order)).toEqual([]);
  }
}

// All requests wait in the same way, so only one row waits for longer than other steps may fail.
test.each([
  { request: 'quote', settings: { submit: 'draft' }, fault: QUOTE, milliseconds: 60_000 },
  { request: 'direct create', settings: { submit: 'direct' }, fault: CREATE, milliseconds: PATIENCE_MS },
])(
  'an order whose $request gets 402 waits for credit and resumes automatically',
  async ({ settings, fault, milliseconds }) => {
    await set(settings);
    // A known order of the account, with which Platen proves that an unpaid order does not exist.
    await untilLastSubmitted(platen, await placePoster(platen), 1);
    await injectFaults(platen, [fault]);
    const order = await placePoster(platen);
    await expectToWait([order], milliseconds);
    expect((await readAccount()).paymentRefusedAt).toBeInstanceOf(Date);
    await injectFaults(platen, []);
    await expectPrintedOnce(order);
    expect((await readAccount()).paymentRefusedAt).toBeNull();
  },
);

test.each([
  { request: 'confirm', settings: { submit: 'draft' }, fault: CONFIRM, effect: 'done' },
  { request: 'v1 create', settings: { printInterface: 'v1' }, fault: V1_CREATE, effect: 'done' },
])(
  'an order is printed once and not held if its $request gets 402 although the service makes the order ($effect)',
  async ({ settings, fault, effect }) => {
    await set(settings);
    await injectFaults(platen, [{ ...fault, effect, lateMs: 1500, times: 1 }]);
    await expectPrintedOnce(await placePoster(platen));
  },
);

test('an order whose confirm request gets 402 waits for credit, while another order that waits can be canceled', async () => {
  await injectFaults(platen, [CONFIRM]);
  const [order, resumed] = [await placePoster(platen), await placePoster(platen)];
  await expectToWait([order, resumed], 60_000);
  expect(await printOrdersOf(platen, order)).toMatchObject([{ state: 'submitting', confirmStartedAt: null }]);
  // A deletion that gets 402 proves neither that the draft is gone nor that it has become an order.
  await injectFaults(platen, [CONFIRM, DELETE]);
  await inStore(platen, order, 'cancel');
  await untilPrintOrder(platen, order, ({ closedAt }) => closedAt !== null);
  await untilNoDueJobs(platen, order);
  expect(await codesOf(platen, order)).toEqual([]);
  await injectFaults(platen, [CONFIRM]);
  await untilPrintOrder(platen, order, ({ fencedAt }) => fencedAt !== null);
  await injectFaults(platen, []);
  await expectPrintedOnce(resumed);
  expect(await liveOrders(platen, order)).toEqual([]);
});
