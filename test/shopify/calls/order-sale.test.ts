import { expect, test } from 'vitest';
import type { AdminApi } from '../../../src/shopify/admin/admin-api.ts';
import type { OrderSaleReading } from '../../../src/shopify/calls/order-sale.ts';
import { readOrderForPlan } from '../../../src/shopify/calls/orders.ts';
import { toSale } from '../../../src/orders/costs/to-sale.ts';
import { createSchemaHandler, connection, many } from '../create-schema-handler.ts';
import { openScriptedShopify, type Step } from '../scripted-shopify.ts';
import { lineItem, order as plainOrder, orderId } from '../store-objects.ts';

const start = (...steps: Step[]) => openScriptedShopify(steps);

const bag = (amount: string) => ({ shopMoney: { amount, currencyCode: 'EUR' } });
const plain = (lines: number) => plainOrder({ lines, fulfillmentOrders: [], fulfillments: [] });
const soldLine = (line: object) => ({
  ...line,
  currentQuantity: 1,
  requiresShipping: true,
  discountedUnitPriceAfterAllDiscountsSet: bag('10.0'),
  priceAfterAllDiscountsBeforeTaxesSet: bag('8.4'),
});
const order = (lines: number, change: object = {}) => ({
  ...plain(lines),
  transactions: [],
  taxesIncluded: true,
  currentTotalPriceSet: bag('100.0'),
  totalRefundedSet: bag('0.0'),
  currentTotalTaxSet: bag('15.97'),
  currentShippingPriceSet: bag('5.95'),
  refundDiscrepancySet: bag('0.0'),
  shippingLines: connection([
    { title: 'Standard', code: 'standard', discountedPriceSet: bag('5.95'), taxLines: [{ priceSet: bag('0.95') }] },
  ]),
  lineItems: connection(many(lines, (number) => soldLine(lineItem(number)))),
  ...change,
});

async function readOrderSale(admin: AdminApi, id: string): Promise<OrderSaleReading | null> {
  const read = await readOrderForPlan(admin, id, { withCustomer: false, withSale: true });
  return read && read.sale;
}

async function read(change: object = {}): Promise<OrderSaleReading> {
  const { admin } = await start(createSchemaHandler({ order: order(1, change) }));
  const reading = await readOrderSale(admin, orderId);
  if (!reading) throw new Error('nothing was read');
  return reading;
}

test('one call reads the sale of an ordinary order, and a long order is read with all its lines', async () => {
  const answer = (lines: number) => createSchemaHandler({ order: order(lines) });
  const short = await start(answer(6));
  expect((await readOrderSale(short.admin, orderId))?.lineItems).toHaveLength(6);
  expect(short.server.calls).toHaveLength(1);
  const long = await start(...many(20, () => answer(151)));
  const reading = await readOrderSale(long.admin, orderId);
  expect(new Set(reading?.lineItems.map(({ id }) => id)).size).toBe(151);
});

test('if prices include taxes, the shipping amount is reduced by its taxes', async () => {
  expect(toSale(await read())).toMatchObject({
    currency: 'EUR',
    shipping: '5.00',
    lines: [{ units: 1, paid: '8.4', unitPrice: '10.0' }],
  });
  // Half of the shipping was refunded.
  expect(toSale(await read({ currentShippingPriceSet: bag('2.97') }))).toMatchObject({ shipping: '2.50' });
});

test('if prices exclude taxes, the shipping amount is used unchanged', async () => {
  expect(toSale(await read({ taxesIncluded: false }))).toMatchObject({ shipping: '5.95' });
  expect(toSale(await read({ shippingLines: connection([]) }))).toMatchObject({ shipping: '5.95' });
});

test('an unreadable amount makes the sale invalid', async () => {
  expect(toSale(await read({ currentShippingPriceSet: bag('much') }))).toBeNull();
});
