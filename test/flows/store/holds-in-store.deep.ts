import { afterEach, beforeAll, expect, test } from 'vitest';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import type { PlacedOrder } from '../../helpers/platen.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { untilIdle } from '../../helpers/until-idle.ts';
import { act, codesOf, untilCodes } from '../changes/manual-actions.ts';
import { injectFaults, inStore, requestReplan, stockAt, untilPrintedOnce } from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

/** The SKU that is stocked at the merchant's own location, where a hold is possible even during printing. */
const MERCHANT_SKU = 'CARDS';

testPlaten({ advanceSeconds: null });
beforeAll(async () => {
  await stockAt(platen, MERCHANT_SKU, 'own');
}, 60_000);

const set = (settings: Record<string, unknown>) => changeSettings(platen.app, platen.shop, settings);
afterEach(() => set({ release: 'automatic', holdsInStore: true, delayMinutes: 0 }));

const statuses = async (order: PlacedOrder) =>
  (await platen.storeOrder(order.id)).fulfillmentOrders.map(({ status }) => status);
const untilStatus = (order: PlacedOrder, status: string) => eventually(() => statuses(order)).toEqual([status]);
const countEntries = async (order: PlacedOrder, kind: string) =>
  (await platen.timeline(order.id)).filter((one) => one === kind).length;

test('an order waiting for approval is on hold in the store until it is approved, and is then printed', async () => {
  await set({ release: 'by_hand' });
  const order = await platen.placeSkus({ 'MUG-11OZ': 1 });
  await untilStatus(order, 'ON_HOLD');
  const shown = JSON.stringify(await platen.control('store', 'GET', `/orders/${encodeURIComponent(order.id)}`));
  expect(shown).toContain('This order needs approval');
  // The webhooks about Platen's own hold change nothing.
  await untilIdle(platen.app);
  await requestReplan(platen, order);
  await untilIdle(platen.app);
  expect(await countEntries(order, 'held_in_store')).toBe(1);
  expect(await codesOf(platen, order)).toEqual(['needs_approval']);
  await act(platen, order, 'approve');
  await untilPrintedOnce(platen, [order]);
  await untilStatus(order, 'IN_PROGRESS');
  await untilIdle(platen.app);
  expect(await countEntries(order, 'held_in_store')).toBe(1);
});

test('a hold that the merchant released in the store is not placed again for the same reason', async () => {
  await set({ release: 'by_hand' });
  const order = await platen.placeSkus({ 'MUG-11OZ': 1 });
  await untilStatus(order, 'ON_HOLD');
  await inStore(platen, order, 'release');
  await untilIdle(platen.app);
  await requestReplan(platen, order);
  await untilIdle(platen.app);
  expect(await statuses(order)).toEqual(['OPEN']);
  expect(await countEntries(order, 'held_in_store')).toBe(1);
  expect(await platen.printedFor(order.name)).toEqual([]);
});

test('a merchant’s own hold is never released, even if Platen has also placed a hold', async () => {
  const order = await platen.placeSkus({ [MERCHANT_SKU]: 2 });
  await untilPrintedOnce(platen, [order]);
  await inStore(platen, order, 'hold');
  await untilStatus(order, 'ON_HOLD');
  await inStore(platen, order, 'edit', { remove: [{ id: order.lines[0]?.id, quantity: 1 }] });
  await eventually(() => countEntries(order, 'held_in_store')).toBe(1);
  await act(platen, order, 'continue');
  await eventually(() => countEntries(order, 'released_in_store')).toBe(1);
  await untilIdle(platen.app);
  expect(await statuses(order)).toEqual(['ON_HOLD']);
  expect(await codesOf(platen, order)).toEqual([]);
});

test('while holdsInStore is off, no order is held in the store, and existing holds are released, even if their responses were lost', async () => {
  await set({ release: 'by_hand' });
  const lost = { operation: 'HoldFulfillmentOrder', rate: 1, kind: 'reset', effect: 'done', times: 1 };
  await injectFaults(platen, [lost], 'store');
  const before = await platen.placeSkus({ 'MUG-11OZ': 1 });
  await untilStatus(before, 'ON_HOLD');
  await set({ holdsInStore: false });
  await untilStatus(before, 'OPEN');
  const order = await platen.placeSkus({ 'MUG-11OZ': 1 });
  await untilCodes(platen, order, ['needs_approval']);
  await untilIdle(platen.app);
  expect(await statuses(order)).toEqual(['OPEN']);
  expect(await countEntries(order, 'held_in_store')).toBe(0);
  await act(platen, before, 'approve');
  await untilStatus(before, 'IN_PROGRESS');
});
