import { expect, test } from 'vitest';
import { findReplacementFulfillmentOrder } from '../../../src/orders/plan/follow-fulfillment-orders.ts';
import type { StoreFulfillmentOrder, StoreReading } from '../../../src/orders/facts/store-reading.ts';
import { fulfillmentOrder } from './plan-input.ts';
import { knownPrint } from '../print-order-row.ts';

function order(
  fulfillmentOrders: StoreFulfillmentOrder[],
  fulfilled = 0,
): Pick<StoreReading, 'fulfillmentOrders' | 'fulfillments'> {
  const lines = [{ lineItem: { id: 'a' }, quantity: fulfilled }];
  return {
    fulfillmentOrders,
    fulfillments:
      fulfilled > 0
        ? [{ id: 'f', createdAt: '2026-11-01T00:00:00Z', status: 'SUCCESS', trackingCodes: [], lines }]
        : [],
  };
}

const closed = fulfillmentOrder('fo', { a: 0 }, { status: 'CLOSED' });

test('a print order stays with its fulfillment order while any of its units remain there', () => {
  expect(
    findReplacementFulfillmentOrder(
      order([fulfillmentOrder('fo', { a: 1 }), fulfillmentOrder('rest', { a: 2 })]),
      knownPrint(),
    ),
  ).toBeNull();
});

test('after a move or merge, a print order follows its LineItem to the fulfillment order with all its units', () => {
  expect(findReplacementFulfillmentOrder(order([closed, fulfillmentOrder('moved', { a: 2 })]), knownPrint())).toBe(
    'moved',
  );
  expect(findReplacementFulfillmentOrder(order([fulfillmentOrder('merged', { a: 3 })]), knownPrint())).toBe('merged');
});

test('after a split, a print order stays with its fulfillment order if no single fulfillment order has all its units', () => {
  expect(
    findReplacementFulfillmentOrder(
      order([closed, fulfillmentOrder('x', { a: 1 }), fulfillmentOrder('y', { a: 1 })]),
      knownPrint(),
    ),
  ).toBeNull();
});

test('a print order that was fulfilled by hand does not move to a fulfillment order with units that are added later', () => {
  expect(
    findReplacementFulfillmentOrder(order([closed, fulfillmentOrder('added', { a: 2 })], 2), knownPrint()),
  ).toBeNull();
});

test('an ended print order does not move to another fulfillment order', () => {
  const moved = order([closed, fulfillmentOrder('moved', { a: 2 })]);
  expect(findReplacementFulfillmentOrder(moved, knownPrint({ fencedAt: new Date() }))).toBeNull();
  expect(findReplacementFulfillmentOrder(moved, knownPrint({ state: 'fulfilled' }))).toBeNull();
});
