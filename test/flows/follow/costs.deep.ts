import { afterAll, beforeAll, expect, test } from 'vitest';
import { OrderSales, PrintReceipts } from '../../../src/database/entities/costs.ts';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { findOrder } from '../../../src/orders/manual-actions/find-order.ts';
import { showOrder, type ShownStorefrontOrder } from '../../../src/orders/manual-actions/show-order.ts';
import { iterateCosts, type ListedCosts } from '../../../src/orders/costs/list-costs.ts';
import { enqueueFollow } from '../../../src/orders/enqueue/enqueue-follow.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { untilIdle } from '../../helpers/until-idle.ts';
import { startPlaten, type PlacedOrder, type Platen } from '../../helpers/platen.ts';
import { printOrdersOf } from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

const ALWAYS = { since: null, until: null };

let platen: Platen;
beforeAll(async () => void (platen = await startPlaten()), 120_000);
afterAll(() => platen.stop());

async function variantOf(sku: string): Promise<string> {
  const variants = (await platen.control('store', 'GET', '/variants')) as { sku: string; variantId: string }[];
  return variants.find((one) => one.sku === sku)?.variantId ?? '';
}

/**
 * Places an order for two posters at 20.00 each, with a discount of 4.00 and included tax of 3.00. Shipping is 5.00, with included tax of
 * 0.50.
 */
async function placePosters(more: object = {}): Promise<PlacedOrder> {
  return platen.placeOrder({
    ...more,
    lines: [{ variantId: await variantOf('POSTER-30X40'), quantity: 2, price: '20.00', discount: '4.00', tax: '3.00' }],
    taxesIncluded: true,
    shippingLine: { title: 'Standard', code: 'standard', price: '5.00', tax: '0.50' },
  });
}

/**
 * The buyer paid 33.00, plus 4.50 for shipping. The service charges 2 × 8.95, plus 4.71 for shipping (4.28 plus 1.50 per kilogram for 289
 * g), which is 24.64 with 9% tax. The margin is 12.86 of 37.50.
 */
const POSTERS_MARGIN = { amount: '12.86', currency: 'USD', percent: '34.3' };

async function costsOf({ id }: PlacedOrder): Promise<ListedCosts[]> {
  const found: ListedCosts[] = [];
  for await (const row of iterateCosts(platen.app, platen.shop, ALWAYS)) if (row.orderId === id) found.push(row);
  return found;
}

async function shown({ id }: PlacedOrder): Promise<ShownStorefrontOrder> {
  return showOrder(platen.app, await findOrder(platen.app, platen.shop, id));
}

test('an order’s margin is the amount paid without taxes minus the print service’s charge', async () => {
  const order = await placePosters();
  await platen.untilState(order.id, 'fulfilled');
  await eventually(async () => (await costsOf(order))[0]?.margin).toEqual(POSTERS_MARGIN);
  const [row, ...others] = await costsOf(order);
  expect(others).toEqual([]);
  const [atService] = await platen.printedFor(order.name);
  const receipt = (atService as unknown as { receipts: { totalInclVat: number; totalVat: number }[] }).receipts[0];
  expect(row).toMatchObject({
    order: order.name,
    charged: { currency: 'USD', total: receipt?.totalInclVat.toFixed(2), tax: receipt?.totalVat.toFixed(2) },
    paid: { currency: 'USD', lines: '33.00', shipping: '4.50', adjustment: '0.00', total: '37.50' },
    unknown: null,
  });
  expect(row?.quoted).toMatchObject({
    currency: 'USD',
    products: row?.charged?.products,
    shipping: row?.charged?.shipping,
  });
  expect(await shown(order)).toMatchObject({
    costs: { margin: row?.margin, unknown: null },
    printOrders: [{ costs: { margin: row?.margin } }],
  });
});

test('a refund of a unit, of shipping or of a goodwill amount reduces the amount paid', async () => {
  const order = await placePosters();
  await platen.untilState(order.id, 'fulfilled');
  const paid = async () => (await costsOf(order))[0]?.paid;
  await eventually(paid).toMatchObject({ total: '37.50' });
  const refund = (body: object) =>
    platen.control('store', 'POST', `/orders/${encodeURIComponent(order.id)}/refund`, body);
  await refund({ lines: [{ id: order.lines[0]?.id, quantity: 1 }] });
  await eventually(paid).toMatchObject({ lines: '16.50', shipping: '4.50', adjustment: '0.00', total: '21.00' });
  await refund({ shipping: '5.00' });
  await eventually(paid).toMatchObject({ lines: '16.50', shipping: '0.00', total: '16.50' });
  await refund({ amount: '2.00' });
  await eventually(paid).toMatchObject({ lines: '16.50', adjustment: '-2.00', total: '14.50' });
});

test('a printed line added in an exchange counts toward the print order that prints it', async () => {
  const order = await platen.placeOrder({
    lines: [
      { variantId: await variantOf('POSTER-30X40'), quantity: 1, price: '20.00' },
      { variantId: await variantOf('GIFT-25'), quantity: 1, price: '19.00' },
    ],
  });
  const paid = async () => (await costsOf(order)).map((row) => row.paid?.lines);
  await eventually(paid).toEqual(['20.00']);
  await untilIdle(platen.app);
  const own = order.lines.find(({ sku }) => sku === 'GIFT-25');
  await platen.control('store', 'POST', `/orders/${encodeURIComponent(order.id)}/edit`, {
    remove: [{ id: own?.id, quantity: 1 }],
    add: [{ variantId: await variantOf('MUG-15OZ'), quantity: 1 }],
  });
  await eventually(paid).toEqual(['19.00', '20.00']);
});

test('each receipt is stored once, completely and with its billing entity, and the amount paid is read only once', async () => {
  const order = await placePosters();
  await platen.untilState(order.id, 'fulfilled');
  await eventually(async () => (await costsOf(order))[0]?.margin).toEqual(POSTERS_MARGIN);
  const { manager } = platen.app.db;
  const [printOrder] = await printOrdersOf(platen, order);
  const kept = () => manager.findBy(PrintReceipts, { printOrderId: printOrder?.id ?? '' });
  const [before] = await kept();
  expect(before).toMatchObject({
    serviceOrderId: printOrder?.serviceOrderId,
    receipt: { transactionType: 'purchase', packagingPrice: 0, productsPriceDiscount: 0, items: expect.any(Array) },
    billingEntity: { companyName: 'Sandbox Merchant', country: 'NO' },
  });
  await untilIdle(platen.app);
  const calls = async () =>
    ((await platen.control('store', 'GET', '/calls')) as Record<string, number>)['OrderForPlanAndSale'];
  const asked = await calls();
  await enqueueFollow(manager, printOrder!);
  await untilIdle(platen.app);
  expect(await kept()).toEqual([before]);
  expect(await calls()).toBe(asked);
});

test('an order that the service charges in a currency other than the shop’s has no margin', async () => {
  await changeSettings(platen.app, platen.shop, { currency: 'EUR' });
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await platen.untilState(order.id, 'fulfilled');
  await changeSettings(platen.app, platen.shop, { currency: 'USD' });
  await eventually(async () => (await costsOf(order))[0]).toMatchObject({
    charged: { currency: 'EUR' },
    paid: { currency: 'USD' },
    margin: null,
    unknown: { code: 'currencies_differ' },
  });
});

test('the amount that the buyer paid is split among the print orders of an order', async () => {
  const order = await platen.placeSkus({ 'POSTER-30X40': 1, VASE: 1 });
  await eventually(async () => (await costsOf(order))[0]?.margin?.currency).toBe('USD');
  await untilIdle(platen.app);
  await platen.control('store', 'POST', `/orders/${encodeURIComponent(order.id)}/edit`, {
    add: [{ variantId: await variantOf('MUG-15OZ'), quantity: 2 }],
  });
  // The 5.00 of shipping is split by value (24.00, 38.00 and a vase of 45.00): 1.78 for the mugs and 1.12 for the poster.
  // Mugs: 39.78 less 2 × 7.40 and 6.03, with 1.87 of tax. Poster: 25.12 less 8.95 and 4.59, with 1.22 of tax.
  const margins = async () => (await costsOf(order)).map(({ margin }) => margin?.amount);
  await eventually(margins).toEqual(['17.08', '10.36']);
  expect((await shown(order)).costs?.margin).toEqual({ amount: '27.44', currency: 'USD', percent: '42.3' });
});

test('erasing a customer deletes the amount paid, but not the print service’s charges', async () => {
  const order = await placePosters({ customerId: '4242' });
  await platen.untilState(order.id, 'fulfilled');
  await eventually(async () => (await costsOf(order))[0]?.margin).toEqual(POSTERS_MARGIN);
  await platen.control('store', 'POST', '/customers/4242/redact', {});
  const stored = () => platen.app.db.manager.findOneByOrFail(StorefrontOrders, { shopifyOrderId: order.id });
  await eventually(async () => (await stored()).erasedAt).not.toBeNull();
  expect(await platen.app.db.manager.findBy(OrderSales, { storefrontOrderId: (await stored()).id })).toEqual([]);
  expect((await costsOf(order))[0]).toMatchObject({
    charged: { currency: 'USD' },
    paid: null,
    margin: null,
    unknown: { code: 'customer_erased' },
  });
});
