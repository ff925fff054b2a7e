import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { PrintOrders, SubmitAttempts, type PrintOrder } from '../../../src/database/entities/print-orders.ts';
import { PrintAccounts } from '../../../src/database/entities/shops.ts';
import { showOrder } from '../../../src/orders/manual-actions/show-order.ts';
import { toTasks } from '../../../src/tasks.ts';
import { openTestShop, type TestShop } from '../../shipments/test-shop.ts';
import { buyPlanned } from '../waits/buy-planned.ts';

const CREATE = { method: 'POST', path: '/v3/orders', rate: 1, kind: 'status', status: 402 };
const CONFIRM = { method: 'PATCH', path: '/v4/orders', rate: 1, kind: 'status', status: 402 };

let shop: TestShop;
beforeAll(async () => void (shop = await openTestShop()));
afterAll(() => shop.close());
beforeEach(async () => {
  shop.resetClock();
  await shop.inPrint('/reset', {});
  await shop.app.db.query("update print_accounts set state = 'working', refused_at = null, payment_refused_at = null");
  await shop.set({ submit: 'draft', leavesDrafts: false });
});

async function buyQuoted(): Promise<PrintOrder> {
  const { storefrontOrder, printOrder } = await buyPlanned(shop);
  await toTasks(shop.app).quote_order({ storefrontOrderId: storefrontOrder.id });
  return printOrder;
}

async function send({ id }: PrintOrder): Promise<PrintOrder> {
  await toTasks(shop.app).submit_print_order({ printOrderId: id });
  return shop.app.db.manager.findOneByOrFail(PrintOrders, { id });
}

const showOf = async ({ storefrontOrderId: id }: PrintOrder) =>
  showOrder(shop.app, await shop.app.db.manager.findOneByOrFail(StorefrontOrders, { id }));
async function codesOf(printOrder: PrintOrder) {
  const { holds, waits } = await showOf(printOrder);
  return { holds: holds.map(({ code }) => code), waits: waits.map(({ message }) => message) };
}
const isAccountPaused = async () =>
  (await shop.app.db.manager.findOneOrFail(PrintAccounts, { where: {} })).paymentRefusedAt !== null;

/** The message that the stand-in returns with an injected error. */
const WORDS = 'The request failed.';

test.each([
  ['draft', 423],
  ['direct', 409],
])(
  "if a create request (%s) fails with the status %i, the order and any later hold show the service's message",
  async (submit, status) => {
    const { app } = shop;
    await shop.set({ submit });
    const printOrder = await buyQuoted();
    await shop.inPrint('/faults', [{ method: 'POST', path: '/v3/orders', rate: 1, kind: 'status', status }]);
    const shown = () => showOf(printOrder);
    await send(printOrder);
    const attempts = { printOrderId: printOrder.id };
    expect(await app.db.manager.findBy(SubmitAttempts, attempts)).toMatchObject([{ outcome: 'unclear' }]);
    expect((await shown()).waits.map(({ message }) => message)).toContainEqual(expect.stringContaining(WORDS));
    // The service created nothing, but the timeline records the attempt.
    const doing = submit === 'draft' ? 'creates a draft at the print service' : 'sends the order';
    expect((await shown()).timeline.map(({ message }) => message)).toContain(
      `${printOrder.reference}: Platen ${doing} (attempt 1).`,
    );
    for (let tries = 2; tries <= 4; tries += 1) await send(printOrder);
    shop.later(16 * 60);
    await send(printOrder);
    expect((await shown()).holds.map(({ message }) => message)).toContainEqual(expect.stringContaining(WORDS));
  },
);

test('an accepted draft does not end the notice after a refused order, because a draft costs nothing', async () => {
  await shop.set({ leavesDrafts: false });
  const [printOrder, another] = [await buyQuoted(), await buyQuoted()];
  await shop.inPrint('/faults', [CREATE]);
  await send(printOrder);
  await shop.inPrint('/faults', [CONFIRM]);
  shop.later(120);
  await send(printOrder);
  expect(await isAccountPaused()).toBe(true);
  await shop.set({ leavesDrafts: true });
  await send(another);
  expect(await codesOf(another)).toMatchObject({ holds: ['left_as_draft'] });
  expect(await isAccountPaused()).toBe(true);
  await shop.set({ leavesDrafts: false });
  await shop.inPrint('/faults', []);
  shop.later(120);
  await send(printOrder);
  expect(await isAccountPaused()).toBe(false);
});

test('if no order of the account is known, someone decides about an order whose payment was refused only after a day', async () => {
  await shop.set({ submit: 'direct', leavesDrafts: false });
  await shop.app.db.query("update print_orders set confirmed_at = null, state = 'canceled', fenced_at = now()");
  const printOrder = await buyQuoted();
  await shop.inPrint('/faults', [CREATE]);
  await send(printOrder);
  for (let tries = 0; tries < 6; tries += 1) {
    shop.later(600);
    await send(printOrder);
  }
  expect(await codesOf(printOrder)).toEqual({ holds: [], waits: [expect.stringContaining('refuses payments')] });
  shop.later(86_400);
  await send(printOrder);
  expect(await codesOf(printOrder)).toMatchObject({ holds: ['outcome_unknown'] });
});

test.each([401, 403])(
  'a draft whose confirm request got %i is not confirmed while the buyer waits for an edit of the order',
  async (status) => {
    const printOrder = await buyQuoted();
    await shop.inPrint('/faults', [{ method: 'PATCH', path: '/v4/orders', rate: 1, kind: 'status', status }]);
    expect(await send(printOrder)).toMatchObject({ state: 'submitting', confirmStartedAt: null });
    const { storefrontOrderId } = printOrder;
    const { shopifyOrderId } = await shop.app.db.manager.findOneByOrFail(StorefrontOrders, { id: storefrontOrderId });
    const path = `/orders/${encodeURIComponent(shopifyOrderId)}`;
    const { lines } = await shop.storeOrder(shopifyOrderId);
    await shop.inStore(`${path}/request-edit`, { lines: [{ id: lines[0]?.id, quantity: 1 }] });
    await shop.inPrint('/faults', []);
    shop.later(120);
    expect(await send(printOrder)).toMatchObject({ state: 'submitting', confirmStartedAt: null, confirmedAt: null });
    await shop.inStore(`${path}/decline-edit`, { note: 'No.' });
    shop.later(120);
    expect(await send(printOrder)).toMatchObject({ state: 'submitted' });
  },
);

test('a draft whose confirm request got 401 after one with an unclear response is an order if the service shows it as one', async () => {
  const printOrder = await buyQuoted();
  const confirm = { method: 'PATCH', path: '/v4/orders', rate: 1, kind: 'status', times: 1 };
  await shop.inPrint('/faults', [
    { ...confirm, status: 500, effect: 'late', lateMs: 600_000 },
    { ...confirm, status: 401, effect: 'done' },
  ]);
  expect(await send(printOrder)).toMatchObject({ confirmStartedAt: expect.any(Date), confirmedAt: null });
  expect(await send(printOrder)).toMatchObject({ state: 'submitted', confirmedAt: expect.any(Date) });
});
