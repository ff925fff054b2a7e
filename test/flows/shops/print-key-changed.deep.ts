import { expect, test } from 'vitest';
import { Holds } from '../../../src/database/entities/orders.ts';
import { PrintOrders, ServiceOrders, SubmitAttempts } from '../../../src/database/entities/print-orders.ts';
import { PrintAccounts, Shops } from '../../../src/database/entities/shops.ts';
import { resumeShop } from '../../../src/orders/resume-shop.ts';
import { findOrCreatePrintAccount } from '../../../src/shops/print-account/print-account.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { untilIdle } from '../../helpers/until-idle.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { codesOf, untilCodes } from '../changes/manual-actions.ts';
import { advance, printedOnce, runScheduledJobs } from '../changes/order-stages.ts';
import {
  attemptsOf,
  injectFaults,
  printOrdersOf,
  untilPrintedOnce,
  untilPrintOrder,
} from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

testPlaten({ advanceSeconds: null });

/** Assigns all print orders to the account of this key, as if they had been sent with a key that is no longer valid. */
async function assignPrintOrdersToKey(key: string): Promise<void> {
  // A job that is still running could write the old account again.
  await untilIdle(platen.app);
  const { id: printAccountId } = await findOrCreatePrintAccount(platen.app, key);
  await platen.app.db.query('update print_orders set print_account_id = $1', [printAccountId]);
  await platen.app.db.query('update service_orders set print_account_id = $1', [printAccountId]);
}

async function shopAccount(): Promise<number | null> {
  return (await platen.app.db.manager.findOneByOrFail(Shops, { id: platen.shop.id })).printAccountId;
}

test('sent orders are still followed and fulfilled after a change to a new key for the same account', async () => {
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await platen.untilState(order.id, 'printing');
  await assignPrintOrdersToKey('void-1');
  await resumeShop(platen.app, { shopId: platen.shop.id });
  const [printOrder] = await printOrdersOf(platen, order);
  expect(printOrder?.printAccountId).toBe(await shopAccount());
  const parts = await platen.app.db.manager.findBy(ServiceOrders, { printOrderId: printOrder?.id ?? '' });
  expect(parts.map(({ printAccountId }) => printAccountId)).toEqual([await shopAccount()]);
  expect(await platen.timeline(order.id)).toContain('print_key_changed');
  await advance(platen, order, 'shipped');
  // If an event made Platen follow the order with the invalid key, the next attempt starts a minute later.
  await platen.untilState(order.id, 'fulfilled');
  expect(await printedOnce(platen, order)).toHaveLength(1);
});

test('sent orders are held after a change to a key for another account, and resume once the original key is entered again', async () => {
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await platen.untilState(order.id, 'printing');
  await assignPrintOrdersToKey('void-2');
  await changeSettings(platen.app, platen.shop, { printKey: 'sandbox-key-another' });
  await eventually(() => codesOf(platen, order)).toContain('print_account_changed');
  await runScheduledJobs(platen, 2);
  expect(await printedOnce(platen, order)).toHaveLength(1);
  const { id } = await platen.app.db.manager.findOneByOrFail(PrintOrders, {
    reference: (await printOrdersOf(platen, order))[0]?.reference ?? '',
  });
  expect(await platen.app.db.manager.countBy(Holds, { printOrderId: id, code: 'print_account_changed' })).toBe(1);

  await changeSettings(platen.app, platen.shop, { printKey: 'sandbox-key' });
  await eventually(() => codesOf(platen, order)).toEqual([]);
  await advance(platen, order, 'shipped');
  await platen.untilState(order.id, 'fulfilled');
});

test('if the service refuses a key, all orders of its account are held, and they resume under the new key', async () => {
  await injectFaults(platen, [{ method: 'POST', path: '/v3/orders', kind: 'status', status: 401, rate: 1 }]);
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 });
  const { id } = await untilPrintOrder(platen, order, ({ state }) => state === 'quoted');
  const refused = () => platen.app.db.manager.countBy(SubmitAttempts, { printOrderId: id, outcome: 'account_refused' });
  await eventually(refused).toBeGreaterThan(0);
  // Waits until Platen has marked the account as refused. Otherwise, the orders would resume with the old key once it works again.
  const account = { id: (await shopAccount()) ?? 0 };
  const isRefused = () => platen.app.db.manager.existsBy(PrintAccounts, { ...account, state: 'refused' });
  await eventually(isRefused).toBe(true);
  const waiting = await platen.placeSkus({ 'POSTER-30X40': 1 });
  for (const one of [order, waiting]) await untilCodes(platen, one, ['print_account_refused']);
  expect(await attemptsOf(platen, waiting)).toEqual([]);
  await injectFaults(platen, []);
  await changeSettings(platen.app, platen.shop, { printKey: 'sandbox-key-third' });
  await untilPrintedOnce(platen, [order, waiting]);
  for (const one of [order, waiting]) {
    expect((await printOrdersOf(platen, one))[0]?.printAccountId).toBe(await shopAccount());
    await untilCodes(platen, one, []);
  }
});
