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
const SWEDEN = {
  shippingAddress: {
    firstName: 'Ada',
    lastName: 'Miller',
    address1: 'Storgatan 1',
    city: 'Stockholm',
    countryCode: 'SE',
    zip: '111 22',
  },
};
/** The service needs two facilities for these SKUs. */
const SEVERAL = { 'BOOK-28': 1, 'MUG-11OZ': 1 };

/** Places an order, waits until the service has accepted all parts, and returns the print orders. */
async function printed(lines: Record<string, number>, more: object = {}, parts = 1): Promise<PrintOrder[]> {
  const order = await platen.placeSkus(lines, { ...more });
  return untilPrinted(order, parts);
}

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

test('the first rule that matches the shipping line or the products determines the method', async () => {
  await setRules(
    { name: 'Priority', when: { title: 'priority' }, choose: { types: ['express'] } },
    { name: 'Fragile', when: { productTags: ['fragile'] }, choose: { types: ['standard'] } },
  );
  const variants = (await platen.control('store', 'GET', '/variants')) as { sku: string; variantId: string }[];
  const mug = variants.find(({ sku }) => sku === 'MUG-15OZ')?.variantId ?? '';
  await platen.control('store', 'POST', `/products/${encodeURIComponent(mug)}`, { tags: ['Fragile'] });
  const cases: [Record<string, number>, object, string, string][] = [
    [{ 'MUG-11OZ': 1 }, line('PRIORITY mail'), 'fed_ex_2_day', "the rule 'Priority'."],
    [{ 'MUG-15OZ': 1 }, line('Standard'), 'ups_surepost', "the rule 'Fragile'."],
  ];
  const orders = await Promise.all(cases.map(([lines, more]) => platen.placeSkus(lines, { ...more })));
  for (const [at, [, , uid, words]] of cases.entries()) {
    const printOrder = only(await untilPrinted(orders[at]!));
    expect(await shippingMethodsOf(printOrder), words).toEqual([uid]);
    expect(await messageOf(printOrder)).toContain(words);
    expect(await messageOf(printOrder)).not.toContain('Passed over');
  }
});

test('the stored quote names the offered and chosen methods and explains why earlier rules did not match', async () => {
  await setRules(
    { name: 'Norway', when: { countries: ['NO'] }, choose: { by: 'fastest' } },
    { name: 'Tomorrow', choose: { days: 1 } },
    { name: 'Few days', choose: { days: 8, mostParcels: 1 } },
  );
  const printOrder = only(await printed({ 'TSHIRT-L': 2 }, SWEDEN));
  const { quote, minDeliveryDate, maxDeliveryDate } = printOrder;
  const day = expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/);
  const method = {
    name: expect.any(String),
    price: expect.any(Number),
    currency: 'USD',
    minDeliveryDate: day,
    maxDeliveryDate: day,
    incoTerms: 'DDP',
    numberOfParcels: 1,
    isPrivate: true,
    isBusiness: true,
  };
  expect(quote).toMatchObject({
    offered: [
      { ...method, uid: 'tnt_global_pack', type: 'normal' },
      { ...method, uid: 'dhl_global_parcel', type: 'standard' },
      { ...method, uid: 'dhl_express_worldwide', type: 'express' },
    ],
    chosen: { ...method, uid: 'dhl_global_parcel' },
    rule: "rule 'Few days'",
    passedOver: [
      { rule: "rule 'Norway'", why: 'it does not apply to this country', applies: false },
      { rule: "rule 'Tomorrow'", why: 'nothing arrives within 1 day', applies: true },
    ],
  });
  expect(quote?.['chosen']).toMatchObject({ minDeliveryDate, maxDeliveryDate });
  const message = await messageOf(printOrder);
  expect(message).toContain('DHL Global Parcel for');
  expect(message).toContain(
    "USD, the rule 'Few days'. Passed over: the rule 'Tomorrow' (nothing arrives within 1 day).",
  );
  expect(await shippingMethodsOf(printOrder)).toEqual(['dhl_global_parcel']);
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

test('the shipping rules also apply to the offers of an earlier interface', async () => {
  await set({ printInterface: 'v2' });
  await setRules(
    { name: 'Duties paid', choose: { incoTerms: ['DDP'] } },
    { name: 'Fastest', choose: { by: 'fastest', mostParcels: 1 } },
  );
  const printOrder = only(await printed({ 'POSTER-30X40': 1 }, SWEDEN));
  expect(printOrder).toMatchObject({ printInterface: 'v2', shipmentMethodUid: 'dhl_express_worldwide' });
  expect(await shippingMethodsOf(printOrder)).toEqual(['dhl_express_worldwide']);
  expect(await messageOf(printOrder)).toContain(
    "the rule 'Fastest'. Passed over: the rule 'Duties paid' (nothing is offered under DDP).",
  );
});

test('an order with several v2 offers is held if the shop allows only one quote, and is sent once several quotes are allowed', async () => {
  await set({ printInterface: 'v2', allowMultipleQuotes: false });
  const order = await platen.placeSkus(SEVERAL);
  const { holds } = await platen.untilState(order.id, 'held');
  expect(holds).toMatchObject([{ code: 'no_shipment_method', field: 'allowMultipleQuotes' }]);
  expect(holds[0]?.message).toContain('would print this order at 2 of its facilities');
  expect(holds[0]?.message).toContain('allow an order to be split among several facilities');
  expect(await atService(platen, order)).toEqual([]);
  await set({ allowMultipleQuotes: true });
  await untilPrinted(order, 2);
  expect(await liveOrders(platen, order)).toHaveLength(2);
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
