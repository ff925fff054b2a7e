import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import type { PrintOrder } from '../../../src/database/entities/print-orders.ts';
import { PrintAccounts } from '../../../src/database/entities/shops.ts';
import { showOrder } from '../../../src/orders/manual-actions/show-order.ts';
import { toTasks } from '../../../src/tasks.ts';
import { openTestShop, type TestShop } from '../../shipments/test-shop.ts';
import { buyPlanned } from '../waits/buy-planned.ts';

const CREATE = { method: 'POST', path: '/v3/orders', rate: 1, kind: 'status', status: 402 };
const CONFIRM = { method: 'PATCH', path: '/v4/orders', rate: 1, kind: 'status', status: 402 };

let shop: TestShop;
beforeAll(async () => void (shop = await openTestShop()));
beforeEach(() => shop.inPrint('/reset', {}));
afterAll(() => shop.close());

async function buyQuoted(): Promise<PrintOrder> {
  const { storefrontOrder, printOrder } = await buyPlanned(shop);
  await toTasks(shop.app).quote_order({ storefrontOrderId: storefrontOrder.id });
  return printOrder;
}

const send = ({ id: printOrderId }: PrintOrder) => toTasks(shop.app).submit_print_order({ printOrderId });
const isAccountPaused = async () =>
  (await shop.app.db.manager.findOneOrFail(PrintAccounts, { where: {} })).paymentRefusedAt !== null;

async function show({ storefrontOrderId: id }: PrintOrder) {
  const { holds, waits } = await showOrder(
    shop.app,
    await shop.app.db.manager.findOneByOrFail(StorefrontOrders, { id }),
  );
  return { holds: holds.map(({ code }) => code), waits: waits.map(({ message }) => message) };
}

test('the notice of a shop that leaves its drafts ends when the print service accepts a draft again', async () => {
  await shop.set({ leavesDrafts: true });
  const printOrder = await buyQuoted();
  await shop.inPrint('/faults', [CREATE]);
  await send(printOrder);
  expect(await isAccountPaused()).toBe(true);
  await shop.inPrint('/faults', []);
  await send(printOrder);
  expect(await isAccountPaused()).toBe(false);
});

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
  expect(await show(another)).toMatchObject({ holds: ['left_as_draft'] });
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
  expect(await show(printOrder)).toEqual({ holds: [], waits: [expect.stringContaining('refuses payments')] });
  shop.later(86_400);
  await send(printOrder);
  expect(await show(printOrder)).toMatchObject({ holds: ['outcome_unknown'] });
});
