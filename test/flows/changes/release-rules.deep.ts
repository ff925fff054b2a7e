import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { Shops } from '../../../src/database/entities/shops.ts';
import { performManualAction } from '../../../src/orders/manual-actions/perform-manual-action.ts';
import type { Action } from '../../../src/orders/manual-actions/hold-actions.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { startPlaten, type Platen, type PlacedOrder } from '../../helpers/platen.ts';
import { untilIdle } from '../../helpers/until-idle.ts';
import { atService, requestReplan, untilPrintedOnce } from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

let platen: Platen;

beforeAll(async () => {
  platen = await startPlaten({ advanceSeconds: null });
}, 60_000);
afterAll(() => platen.stop());

const USUAL = {
  delayMinutes: 0,
  release: 'automatic',
  dailyReleaseAt: '18:00',
  approvalRules: {},
  testOrders: 'ignore',
  highRiskOrders: 'hold',
  unpaidOrders: 'wait',
};
const set = (settings: Record<string, unknown>) => changeSettings(platen.app, platen.shop, settings);
afterEach(() => set(USUAL));

const control = (order: PlacedOrder, act: string, body: object = {}) =>
  platen.control('store', 'POST', `/orders/${encodeURIComponent(order.id)}/${act}`, body);
const byHand = (order: PlacedOrder, action: Action) =>
  performManualAction(platen.app, platen.shop, { order: order.id, action, printOrder: null, by: 'cli' });
const codes = async (order: PlacedOrder) => (await platen.listed(order.id)).holds.map(({ code }) => code);
const untilHeld = (order: PlacedOrder, ...expected: string[]) =>
  eventually(() => codes(order).catch(() => [])).toEqual(expected);
const reasonOf = async ({ id }: PlacedOrder) =>
  (await platen.app.db.manager.findOneBy(StorefrontOrders, { shopifyOrderId: id }))?.outcomeReason ?? null;
const untilWaiting = (order: PlacedOrder, reason: string) => eventually(() => reasonOf(order)).toBe(reason);

/** Runs all due jobs and expects that the print service has no order or draft for this order. */
async function expectNotSent(order: PlacedOrder): Promise<void> {
  await untilIdle(platen.app);
  expect(await atService(platen, order)).toEqual([]);
}

test('an order at or above the minimum total is held with a message that states both amounts, and is printed once after approval', async () => {
  await set({ approvalRules: { minimumTotal: '5' } });
  const order = await platen.placeSkus({ 'POSTER-30X40': 2 });
  await untilHeld(order, 'needs_approval');
  const { holds, state } = await platen.listed(order.id);
  expect(state).toBe('held');
  expect(holds[0]?.message).toMatch(/its total of \d+(\.\d+)? USD is at or above 5 USD/);
  expect(holds[0]?.remedy).toContain('"Approve"');
  await expectNotSent(order);
  await byHand(order, 'approve');
  await untilPrintedOnce(platen, [order]);
  expect(await codes(order)).toEqual([]);
  expect(await platen.timeline(order.id)).toContain('approved');
});

test('an approved order needs a new approval if an edit raises its total to the minimum or more', async () => {
  await set({ release: 'by_hand', delayMinutes: 60, approvalRules: { minimumTotal: '100' } });
  const order = await platen.placeSkus({ 'MUG-11OZ': 1 });
  await untilHeld(order, 'needs_approval');
  await byHand(order, 'approve');
  await untilWaiting(order, 'delay');
  await control(order, 'edit', { add: [{ variantId: order.lines[0]?.variantId, quantity: 40 }] });
  await untilHeld(order, 'needs_approval');
  await eventually(() => platen.timeline(order.id)).toContain('approval_withdrawn');
  await set({ delayMinutes: 0 });
  await requestReplan(platen, order);
  await expectNotSent(order);
  await byHand(order, 'approve');
  const units = async () => {
    const items = (await platen.printedFor(order.name)).flatMap((printed) => printed.items);
    return items.reduce((sum, { quantity }) => sum + quantity, 0);
  };
  await eventually(units).toBe(41);
  await untilIdle(platen.app);
  expect(await units()).toBe(41);
});

test('when every order is released by hand, a line added after the approval needs a new approval', async () => {
  await set({ release: 'by_hand', approvalRules: {}, delayMinutes: 0 });
  const order = await platen.placeSkus({ 'MUG-11OZ': 1 });
  await untilHeld(order, 'needs_approval');
  await byHand(order, 'approve');
  await untilPrintedOnce(platen, [order]);
  await control(order, 'edit', { add: [{ variantId: order.lines[0]?.variantId, quantity: 2 }] });
  await untilHeld(order, 'needs_approval');
  await eventually(() => platen.timeline(order.id)).toContain('approval_withdrawn');
  const units = async () => {
    const items = (await platen.printedFor(order.name)).flatMap((printed) => printed.items);
    return items.reduce((sum, { quantity }) => sum + quantity, 0);
  };
  expect(await units()).toBe(1);
  await byHand(order, 'approve');
  await eventually(units).toBe(3);
  await untilIdle(platen.app);
  expect(await units()).toBe(3);
});

test('a high-risk order is held, even if the risk is only detected during its delay', async () => {
  await set({ delayMinutes: 60 });
  const order = await platen.placeSkus({ 'MUG-11OZ': 1 });
  await untilWaiting(order, 'delay');
  await control(order, 'risk', { risk: 'high' });
  await untilHeld(order, 'high_risk');
  await set({ delayMinutes: 0 });
  await requestReplan(platen, order);
  await expectNotSent(order);
  await byHand(order, 'approve');
  await untilPrintedOnce(platen, [order]);
});

test('an order waits while its fraud analysis is pending, and resumes automatically', async () => {
  const order = await platen.placeSkus({ 'MUG-11OZ': 1 }, { risk: 'pending' });
  await untilWaiting(order, 'risk_pending');
  await expectNotSent(order);
  await control(order, 'risk', { risk: 'low' });
  await untilPrintedOnce(platen, [order]);
});

test('an unpaid order waits, or is printed unpaid if the shop’s settings allow it', async () => {
  const waiting = await platen.placeSkus({ 'MUG-11OZ': 1 }, { financialStatus: 'PENDING' });
  await untilWaiting(waiting, 'unpaid');
  await expectNotSent(waiting);
  await set({ unpaidOrders: 'print' });
  await requestReplan(platen, waiting);
  await untilPrintedOnce(platen, [waiting]);
  await control(waiting, 'pay');
  await untilIdle(platen.app);
  expect(await platen.printedFor(waiting.name)).toHaveLength(1);
});

test('orders wait for the daily release, which then sends all of them to print', async () => {
  await platen.app.db.manager.update(Shops, { id: platen.shop.id }, { timeZone: 'Pacific/Auckland' });
  await set({ release: 'daily', dailyReleaseAt: '18:00' });
  const orders = [await platen.placeSkus({ 'MUG-11OZ': 1 }), await platen.placeSkus({ 'TSHIRT-M': 1 })];
  for (const order of orders) {
    await untilWaiting(order, 'daily_release');
    await expectNotSent(order);
    const where = { shopifyOrderId: order.id };
    const { releaseAt } = await platen.app.db.manager.findOneByOrFail(StorefrontOrders, where);
    const shown = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'Pacific/Auckland' } as const;
    expect(releaseAt && new Intl.DateTimeFormat('en-GB', shown).format(releaseAt)).toBe('18:00');
    // Moves the release time into the past.
    await platen.app.db.manager.update(StorefrontOrders, where, { releaseAt: new Date(Date.now() - 1000) });
    await requestReplan(platen, order);
  }
  await untilPrintedOnce(platen, orders);
});

test('a test order is ignored or becomes a draft that is never confirmed, depending on the setting', async () => {
  const ignored = await platen.placeSkus({ 'MUG-11OZ': 1 }, { test: true });
  await untilWaiting(ignored, 'test_order');
  await expectNotSent(ignored);
  await set({ testOrders: 'draft' });
  const drafted = await platen.placeSkus({ 'MUG-11OZ': 1 }, { test: true });
  await eventually(async () => (await atService(platen, drafted)).map(({ orderType }) => orderType)).toEqual(['draft']);
  await requestReplan(platen, drafted);
  await untilIdle(platen.app);
  expect((await atService(platen, drafted)).map(({ orderType }) => orderType)).toEqual(['draft']);
  expect(await platen.printedFor(drafted.name)).toEqual([]);
  expect(await platen.printedFor(ignored.name)).toEqual([]);
});

test('an order held by hand is sent only after approval, and an order canceled by hand is never sent', async () => {
  await set({ delayMinutes: 60 });
  const held = await platen.placeSkus({ 'MUG-11OZ': 1 });
  const canceled = await platen.placeSkus({ 'MUG-15OZ': 1 });
  for (const order of [held, canceled]) await untilWaiting(order, 'delay');
  await byHand(held, 'hold');
  await byHand(canceled, 'cancel');
  await untilHeld(held, 'held_by_hand');
  await untilWaiting(canceled, 'canceled_by_hand');
  await set({ delayMinutes: 0 });
  for (const order of [held, canceled]) await requestReplan(platen, order);
  for (const order of [held, canceled]) await expectNotSent(order);
  await byHand(held, 'approve');
  await untilPrintedOnce(platen, [held]);
  expect(await atService(platen, canceled)).toEqual([]);
});
