import { afterEach, expect, test } from 'vitest';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { Installations, OtherAppStores, Shops } from '../../../src/database/entities/shops.ts';
import { allowOtherApp } from '../../../src/orders/manual-actions/allow-other-app.ts';
import { beginQuietTimeAfterRestore } from '../../../src/shops/install/installation.ts';
import { createFulfillment } from '../../../src/shopify/calls/fulfillments.ts';
import { readOrderForPlan } from '../../../src/shopify/calls/orders.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { eventually } from '../../helpers/eventually.ts';
import type { PlacedOrder } from '../../helpers/platen.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { untilIdle } from '../../helpers/until-idle.ts';
import {
  atService,
  attemptsOf,
  inStore,
  placeDuplicate,
  printOrdersOf,
  requestReplan,
  untilPrintedOnce,
} from '../submit/submit-helpers.ts';
import { adminOf } from '../follow/place-at-service.ts';
import { act, untilCodes } from './manual-actions.ts';

testPlaten({ advanceSeconds: null });

const USUAL = { delayMinutes: 0, release: 'automatic', approvalRules: {}, unpaidOrders: 'wait' };
const set = (settings: Record<string, unknown>) => changeSettings(platen.app, platen.shop, settings);
afterEach(() => set(USUAL));

const place = (more: object = {}) => platen.placeSkus({ 'MUG-11OZ': 1 }, { ...more });
const reasonOf = async ({ id }: PlacedOrder) =>
  (await platen.app.db.manager.findOneBy(StorefrontOrders, { shopifyOrderId: id }))?.outcomeReason ?? null;
const untilWaiting = (order: PlacedOrder, reason: string) => eventually(() => reasonOf(order)).toBe(reason);

/** Runs all due jobs and expects that the print service has no order or draft for this order. */
async function expectNotSent(order: PlacedOrder): Promise<void> {
  await untilIdle(platen.app);
  expect(await atService(platen, order)).toEqual([]);
}

test('a high-risk order is held, even if the risk is only detected during its delay', async () => {
  await set({ delayMinutes: 60 });
  const order = await place();
  await untilWaiting(order, 'delay');
  await inStore(platen, order, 'risk', { risk: 'high' });
  await untilCodes(platen, order, ['high_risk']);
  await platen.pass(7_200_000);
  await expectNotSent(order);
  await act(platen, order, 'approve');
  await untilPrintedOnce(platen, [order]);
});

test('an unpaid order waits for its payment, or is printed unpaid if the shop’s settings allow it', async () => {
  const [paid, unpaid] = [await place({ financialStatus: 'PENDING' }), await place({ financialStatus: 'PENDING' })];
  for (const order of [paid, unpaid]) {
    await untilWaiting(order, 'unpaid');
    await expectNotSent(order);
  }
  expect((await platen.listed(paid.id)).state).toBe('waiting');
  await inStore(platen, paid, 'pay');
  await untilPrintedOnce(platen, [paid]);
  await expectNotSent(unpaid);
  await set({ unpaidOrders: 'print' });
  await requestReplan(platen, unpaid);
  await untilPrintedOnce(platen, [unpaid]);
  await inStore(platen, unpaid, 'pay');
  await untilIdle(platen.app);
  expect(await platen.printedFor(unpaid.name)).toHaveLength(1);
});

test('an unpaid order that the merchant fulfills by hand waits again once the merchant cancels that fulfillment', async () => {
  const order = await place({ financialStatus: 'PENDING' });
  await untilWaiting(order, 'unpaid');
  const admin = await adminOf(platen);
  const reading = await readOrderForPlan(admin, order.id, { withCustomer: false });
  const [fulfillmentOrderId = ''] = reading?.fulfillmentOrders.map(({ id }) => id) ?? [];
  const { id } = await createFulfillment(admin, { lineItemsByFulfillmentOrder: [{ fulfillmentOrderId }] });
  await platen.untilState(order.id, 'fulfilled');
  const text = 'mutation CancelByHand($id: ID!) { fulfillmentCancel(id: $id) { userErrors { message } } }';
  await admin.request({ name: 'CancelByHand', kind: 'mutation', text } as never, { id } as never);
  await platen.untilState(order.id, 'waiting');
  await expectNotSent(order);
});

test('after a restore, an order waits until the quiet time has passed, and its timeline records the reason once', async () => {
  const quietUntil = await beginQuietTimeAfterRestore(platen.app);
  const order = await place();
  await platen.untilState(order.id, 'waiting');
  await untilPrintedOnce(platen, [order]);
  const [attempt] = await attemptsOf(platen, order);
  expect(attempt?.begunAt.getTime()).toBeGreaterThanOrEqual(quietUntil.getTime());
  expect((await platen.timeline(order.id)).filter((kind) => kind === 'waits')).toHaveLength(1);
  await platen.app.db.manager.update(Installations, { id: 1 }, { quietUntil: null });
});

test('if another app prints the shop’s orders through the print account, the orders are held until the merchant allows printing', async () => {
  const { app, shop } = platen;
  const example = await place();
  await untilPrintedOnce(platen, [example]);
  const [known] = await printOrdersOf(platen, example);
  if (!known) throw new Error('The example has no print order.');
  const origin = { channel: 'shopify', storeId: 'store-1' };
  await placeDuplicate(platen, known, { orderReferenceId: 'of-another-app' }, origin);
  const checkAgain = async () => {
    await app.db.manager.update(Shops, { id: shop.id }, { otherAppCheckedAt: null });
    await app.jobs.enqueue(app.db, 'check_other_app', { shopId: shop.id });
  };
  await checkAgain();
  await eventually(() => app.db.manager.countBy(OtherAppStores, { shopId: shop.id })).toBe(1);
  const held = await place();
  await untilCodes(platen, held, ['another_app_prints']);
  expect(await atService(platen, held)).toEqual([]);
  expect(await allowOtherApp(app, shop)).toBe(true);
  await untilPrintedOnce(platen, [held]);
  expect(await allowOtherApp(app, shop)).toBe(false);
  // Platen has stored the merchant's decision, so the next order is not held.
  await checkAgain();
  await untilPrintedOnce(platen, [await place()]);
});
