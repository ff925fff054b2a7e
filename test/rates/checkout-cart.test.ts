import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cartValue, rateRequestSchema } from '../../src/rates/checkout-cart.ts';

const FIXTURE = new URL('../fixtures/shopify/doc_carrier_service_rate_request.json', import.meta.url);
const recorded = JSON.parse(readFileSync(FIXTURE, 'utf8')) as { rate: Record<string, unknown> };

function valueOf(change: Record<string, unknown>): bigint {
  return cartValue(rateRequestSchema.parse({ rate: { ...recorded.rate, ...change } }).rate);
}

test('the value of a cart is the discounted subtotal of the whole order', () => {
  const totals = { subtotal_price: '5000', total_price: '4800', discount_amount: '700' };
  expect(valueOf({ order_totals: totals })).toBe(4300n);
  expect(valueOf({ order_totals: { ...totals, subtotal_price: 5000, discount_amount: 0 } })).toBe(5000n);
});

test('the value of a cart without order totals is the sum of its items', () => {
  expect(valueOf({})).toBe(1999n);
  expect(valueOf({ order_totals: null })).toBe(1999n);
  expect(valueOf({ order_totals: { subtotal_price: 'much' } })).toBe(1999n);
});
