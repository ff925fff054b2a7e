import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { catchUpUncertain } from '../../../src/orders/follow/catch-up-uncertain.ts';
import { catchUpStorefrontOrders } from '../../../src/orders/intake/catch-up-storefront-orders.ts';
import { performManualAction } from '../../../src/orders/manual-actions/perform-manual-action.ts';
import { showOrder } from '../../../src/orders/manual-actions/show-order.ts';
import { listWaitingOrders } from '../../../src/orders/waits/list-waiting-orders.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import type { Platen, PlacedOrder } from '../../helpers/platen.ts';
import { untilIdle } from '../../helpers/until-idle.ts';
import {
  atService,
  injectFaults,
  placeWaitingToSubmit,
  runSubmitJobsNow,
  startWithShortTimeouts,
  untilPrintedOnce,
} from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

let platen: Platen;
beforeAll(async () => {
  platen = await startWithShortTimeouts();
}, 60_000);
afterAll(() => platen.stop());

const set = (settings: Record<string, unknown>) => changeSettings(platen.app, platen.shop, settings);
const dropWebhooks = (drop: number) => platen.control('store', 'POST', '/webhooks', { drop });
afterEach(async () => {
  await dropWebhooks(0);
  await injectFaults(platen, []);
  await set({ delayMinutes: 0, leavesDrafts: false, submit: 'draft' });
});

const control = (order: PlacedOrder, act: string, body: object = {}) =>
  platen.control('store', 'POST', `/orders/${encodeURIComponent(order.id)}/${act}`, body);
const requestEdit = (order: PlacedOrder, quantity = 1) =>
  control(order, 'request-edit', { lines: [{ id: order.lines[0]?.id, quantity }] });
const rowOf = ({ id }: PlacedOrder) => platen.app.db.manager.findOneByOrFail(StorefrontOrders, { shopifyOrderId: id });
const reasonOf = (order: PlacedOrder) =>
  rowOf(order).then(
    ({ outcomeReason }) => outcomeReason,
    () => null,
  );
const untilWaiting = (order: PlacedOrder, reason: string) => eventually(() => reasonOf(order)).toBe(reason);

/** Makes the last reading of an order too old to send the order without another reading. */
const ageReading = ({ id }: PlacedOrder) =>
  platen.app.db.query(
    `update storefront_orders set read_at = read_at - interval '1 minute' where shopify_order_id = $1`,
    [id],
  );

const SAID = /^The buyer has requested to remove items from the order\./;

test('an order waits while the buyer asks to remove units, and is then printed without the removed units', async () => {
  await set({ delayMinutes: 60 });
  const order = await platen.placeSkus({ 'TSHIRT-M': 3 });
  await untilWaiting(order, 'delay');
  await requestEdit(order);
  await untilWaiting(order, 'edit_requested');
  await set({ delayMinutes: 0 });
  await untilIdle(platen.app);
  expect(await atService(platen, order)).toEqual([]);
  const waiting = { message: expect.stringMatching(SAID), nextAt: expect.any(String) };
  expect(await showOrder(platen.app, await rowOf(order))).toMatchObject({
    state: 'waiting',
    reason: { code: 'edit_requested', message: waiting.message },
    waits: [waiting],
  });
  const { orders } = await listWaitingOrders(platen.app, platen.shop);
  expect(orders).toMatchObject([{ name: order.name, waits: [waiting] }]);
  await control(order, 'edit', { remove: [{ id: order.lines[0]?.id, quantity: 1 }] });
  await control(order, 'resolve-edit');
  await untilPrintedOnce(platen, [order]);
  expect((await platen.printedFor(order.name))[0]?.items.map(({ quantity }) => quantity)).toEqual([2]);
});

test.each(['draft', 'direct'])(
  'a request whose webhook is lost is read before the %s order is created, and the poll notices that it was declined',
  async (submit) => {
    await set({ submit });
    const order = await placeWaitingToSubmit(platen, { 'TSHIRT-M': 2 });
    await dropWebhooks(1);
    await requestEdit(order);
    await ageReading(order);
    await injectFaults(platen, []);
    await runSubmitJobsNow(platen, order);
    await untilWaiting(order, 'edit_requested');
    await untilIdle(platen.app);
    expect(await atService(platen, order)).toEqual([]);
    await control(order, 'decline-edit');
    await ageReading(order);
    await catchUpStorefrontOrders(platen.app, { shopId: platen.shop.id });
    await untilIdle(platen.app);
    await untilPrintedOnce(platen, [order]);
    expect((await platen.printedFor(order.name))[0]?.items.map(({ quantity }) => quantity)).toEqual([2]);
  },
);

test('a draft that someone approves is not confirmed while the buyer asks to remove its units', async () => {
  await set({ leavesDrafts: true });
  const order = await platen.placeSkus({ 'MUG-11OZ': 1 });
  await eventually(async () => (await platen.listed(order.id).catch(() => null))?.holds[0]?.code).toBe('left_as_draft');
  await requestEdit(order);
  await untilWaiting(order, 'edit_requested');
  await performManualAction(platen.app, platen.shop, {
    order: order.id,
    action: 'approve',
    printOrder: null,
    by: 'cli',
  });
  await untilIdle(platen.app);
  await catchUpUncertain(platen.app);
  await untilIdle(platen.app);
  expect((await atService(platen, order)).map(({ orderType }) => orderType)).toEqual(['draft']);
  await control(order, 'decline-edit');
  await untilIdle(platen.app);
  await catchUpUncertain(platen.app);
  await untilPrintedOnce(platen, [order]);
});

test('a request for units that are already being printed changes nothing', async () => {
  const order = await platen.placeSkus({ 'MUG-11OZ': 1 });
  await platen.untilState(order.id, 'printing');
  await requestEdit(order);
  await untilIdle(platen.app);
  expect(await platen.listed(order.id)).toMatchObject({ state: 'printing', holds: [] });
  expect(await reasonOf(order)).toBeNull();
});
