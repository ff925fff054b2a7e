import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { toChargedCost, toQuotedCost } from '../../../src/orders/costs/print-cost.ts';
import { orderSchema } from '../../../src/print/current/objects.ts';

const receiptsOf = (name: string) => {
  const file = new URL(`../../fixtures/print/${name}.json`, import.meta.url);
  return orderSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).receipts;
};

const purchase = {
  transactionType: 'purchase',
  currency: 'USD',
  productsPrice: 10,
  packagingPrice: 1.7,
  shippingPrice: 5,
  total: 15.7,
  totalVat: 0.94,
  totalInclVat: 16.64,
};

test('the charge of a recorded order is the sum of its receipts, including packaging and tax', () => {
  expect(toChargedCost(receiptsOf('v4_order_patch_response'))).toEqual({
    currency: 'USD',
    products: '24.94',
    packaging: '1.70',
    shipping: '4.91',
    other: '0.00',
    tax: '1.90',
    total: '33.45',
  });
  expect(toChargedCost(receiptsOf('v4_order_create_split_response'))).toMatchObject({
    shipping: '3.00',
    total: '9.32',
  });
});

test("a discount on the whole order is computed as the difference between the order's total and the sum of its parts", () => {
  expect(toChargedCost([purchase])).toMatchObject({ other: '-1.00', total: '16.64' });
});

test.each([1, -1])('a refund is subtracted, whether its amounts are positive or negative (%s)', (sign) => {
  const refund = {
    transactionType: 'refund',
    currency: 'USD',
    productsPrice: 10 * sign,
    total: 10 * sign,
    totalVat: 0.6 * sign,
    totalInclVat: 10.6 * sign,
  };
  expect(toChargedCost([purchase, refund])).toMatchObject({ products: '0.00', tax: '0.34', total: '6.04' });
});

test.each([
  ['receipt_of_unknown_type', [{ ...purchase, transactionType: 'adjustment' }]],
  ['receipts_in_several_currencies', [purchase, { ...purchase, currency: 'EUR' }]],
  ['receipt_unreadable', [{ ...purchase, currency: null }]],
  ['receipt_unreadable', [{ ...purchase, total: null, totalInclVat: null }]],
  ['receipt_unreadable', [{ ...purchase, currency: 'ZZZ' }]],
])('a charge that cannot be computed has the reason %s', (unread, receipts) => {
  expect(toChargedCost(receipts)).toEqual({ unread });
});

const product = (price: unknown, currency = 'USD') => ({ productUid: 'a', quantity: 1, price, currency });
const quote = (products: unknown) => ({ chosen: { uid: 'normal', price: 5.25, currency: 'USD' }, products });

test('the quoted cost is the price of the products plus that of the chosen shipping method', () => {
  const quoted = { currency: 'USD', products: '12.47', shipping: '5.25', total: '17.72' };
  expect(toQuotedCost(quote([product(12.4), product('0.07')]))).toEqual(quoted);
});

test.each([
  ['the quote lists no products', []],
  ['one product is priced in another currency', [product(1), product(1, 'EUR')]],
  ['one product has no price', [product(1), product(null)]],
])('the products of a quote have no price if %s', (_, products) => {
  expect(toQuotedCost(quote(products))).toMatchObject({ products: null, total: null, shipping: '5.25' });
});

test('an order without a valid quote has no quoted cost', () => {
  expect(toQuotedCost(null)).toBeNull();
  expect(toQuotedCost({ chosen: { price: 'soon', currency: 'USD' } })).toBeNull();
});
