import { afterEach, beforeAll, expect, test } from 'vitest';
import type { PrintOrder } from '../../../src/database/entities/print-orders.ts';
import { toRateCode } from '../../../src/rates/rate-code.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import type { PlacedOrder } from '../../helpers/platen.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { codesOf } from '../changes/manual-actions.ts';
import { entriesOf, liveOrders, untilLastSubmitted } from './earlier-interface.ts';
import { atService, injectFaults, inStore, untilPrintOrder } from './submit-helpers.ts';

const DEFAULTS = { shippingRules: [], allowMultipleQuotes: true, printInterface: 'current', submit: 'draft' };
const set = (settings: object) => changeSettings(platen.app, platen.shop, settings);
const setRules = (...shippingRules: object[]) => set({ shippingRules });

testPlaten({ advanceSeconds: null });
beforeAll(async () => {});
afterEach(async () => {
  await injectFaults(platen, []);
  await set(DEFAULTS);
});

const line = (title: string, code: string | null = null) => ({ shippingLine: { title, code, price: '5.00' } });
/** The service needs two facilities for these SKUs. */
const SEVERAL = { 'BOOK-28': 1, 'MUG-11OZ': 1 };

async function untilPrinted(order: PlacedOrder, parts = 1): Promise<PrintOrder[]> {
  await untilPrintOrder(platen, order, () => true);
  return untilLastSubmitted(platen, order, parts);
}

/** Returns the timeline message about the chosen method. */
async function messageOf(printOrder: PrintOrder): Promise<string> {
  const entries = await entriesOf(platen, printOrder, 'quoted');
  return entries.map(({ message }) => message).join('\n');
}

/** Returns the UIDs of the shipping methods that a print order uses at the service. */
async function shippingMethodsOf({ reference }: PrintOrder): Promise<string[]> {
  const orders = (await platen.printed()) as unknown as {
    orderReferenceId: string;
    orderType: string;
    shipment: { shipmentMethodUid: string };
  }[];
  return orders
    .filter(({ orderReferenceId, orderType }) => orderReferenceId === reference && orderType === 'order')
    .map(({ shipment }) => shipment.shipmentMethodUid);
}

const only = (printOrders: PrintOrder[]): PrintOrder => {
  const [first, ...others] = printOrders;
  if (!first || others.length > 0) throw new Error(`${printOrders.length} print orders`);
  return first;
};

test('an order whose chosen rate is unavailable is held until a shipping rule matches the rate’s code', async () => {
  await setRules({ name: 'All cheap', choose: { by: 'cheapest' } });
  const code = toRateCode('drone', 'sky_7');
  const order = await platen.placeSkus({ 'MUG-11OZ': 1 }, line('Express by air', code));
  const { holds } = await platen.untilState(order.id, 'held');
  expect(holds).toMatchObject([{ code: 'no_shipment_method' }]);
  for (const words of ['"Express by air"', 'the shipping class drone', code, 'Under "Shipping rules", add a rule'])
    expect(holds[0]?.message).toContain(words);
  expect(await atService(platen, order)).toEqual([]);
  await setRules({ name: 'By land', when: { code }, choose: { types: ['express'] } });
  const printOrder = only(await untilPrinted(order));
  expect(await shippingMethodsOf(printOrder)).toEqual(['fed_ex_2_day']);
  expect(await messageOf(printOrder)).toContain("the rule 'By land'. Passed over: the checkout rate 'sky_7'");
  expect(await codesOf(platen, order)).toEqual([]);
});

test('an order that would need several quotes becomes one print order if the shop allows only one quote', async () => {
  await set({ allowMultipleQuotes: 'off' });
  const order = await platen.placeSkus(SEVERAL);
  const printOrder = only(await untilPrinted(order));
  expect(printOrder.shipmentMethodUid).toBe('normal');
  expect(await messageOf(printOrder)).not.toContain('one of');
  const live = await liveOrders(platen, order);
  expect(live.flatMap(({ items }) => items)).toHaveLength(2);
  expect(new Set(live.map(({ orderReferenceId }) => orderReferenceId))).toEqual(new Set([printOrder.reference]));
});

test('if the shipping line changes before an order is sent, Platen requests a new quote under another reference', async () => {
  await injectFaults(platen, [{ path: '/v3/orders', rate: 1, kind: 'status', status: 429 }]);
  const order = await platen.placeSkus({ 'MUG-11OZ': 1 });
  const first = await untilPrintOrder(platen, order, ({ state }) => state === 'quoted' || state === 'submitting');
  expect(first.quote?.['chosen']).toMatchObject({ type: 'normal' });
  const { shippingLine } = line('Express', 'express');
  await inStore(platen, order, 'edit', { shippingLine });
  await untilPrintOrder(platen, order, ({ closedAt }) => closedAt !== null);
  await injectFaults(platen, []);
  const [old, next] = await untilPrinted(order, 2);
  expect(old).toMatchObject({ closedReason: 'changed', confirmedAt: null });
  expect(await shippingMethodsOf(next!)).toEqual(['fed_ex_2_day']);
  expect(await liveOrders(platen, order)).toHaveLength(1);
});
