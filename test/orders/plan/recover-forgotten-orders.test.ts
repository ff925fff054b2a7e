import { expect, test } from 'vitest';
import { findCertainGroups } from '../../../src/orders/plan/recover-forgotten-orders.ts';
import { atMerchant, fulfillmentOrder, lineItem, planInput } from './plan-input.ts';

type Group = Parameters<typeof findCertainGroups>[0][number];

function found(reference: string, units: Record<string, number | null> | null, isOver = false): Group {
  return { reference, parts: [], isOver, units: units && new Map(Object.entries(units)), productUids: new Map() };
}

/** Returns the recovered print orders' references with their units. The order has `left` units of each line left to fulfill. */
function recover(groups: Group[], missing: Record<string, number>, left = missing) {
  const { order, shop } = planInput({
    lineItems: Object.keys(missing).map((id) => lineItem(id)),
    fulfillmentOrders: [fulfillmentOrder('fo', left)],
  });
  return findCertainGroups(groups, new Map(Object.entries(missing)), order, shop).map(({ reference, items }) => [
    reference,
    Object.fromEntries(items.map((item) => [item.lineItemId, item.quantity])),
  ]);
}

test('a print order whose units are all forgotten and left to fulfill is recovered', () => {
  expect(recover([found('r1', { a: 1 }), found('r2', { a: 1 })], { a: 2 })).toEqual([
    ['r1', { a: 1 }],
    ['r2', { a: 1 }],
  ]);
});

test('a print order that shipped or ended is not recovered, and neither is one whose items cannot be read', () => {
  expect(recover([found('r1', { a: 1 }, true), found('r2', { a: 1 })], { a: 2 }, { a: 1 })).toEqual([['r2', { a: 1 }]]);
  expect(recover([found('r1', null)], { a: 1 })).toEqual([]);
});

test('print orders with more units than are forgotten or left to fulfill are not recovered, and neither are units below 1', () => {
  expect(recover([found('r1', { a: 1 }), found('r2', { a: 1 })], { a: 1 })).toEqual([]);
  expect(recover([found('r1', { a: 2 })], { a: 2 }, { a: 1 })).toEqual([]);
  expect(recover([found('r1', { a: 0 })], { a: 1 })).toEqual([]);
  expect(recover([found('r1', { b: 1 })], { a: 1 })).toEqual([]);
});

test('without quantities, a print order has all units of its line only if no other print order can have the line', () => {
  expect(recover([found('r1', { a: null })], { a: 2 })).toEqual([['r1', { a: 2 }]]);
  expect(recover([found('r1', { a: null }), found('r2', { b: null })], { a: 2, b: 1 })).toHaveLength(2);
  expect(recover([found('r1', { a: null }), found('r2', { a: null })], { a: 2 })).toEqual([]);
  expect(recover([found('r1', { a: null }), found('r2', { a: null }, true)], { a: 2 })).toEqual([]);
  expect(recover([found('r1', { a: null }), found('r2', null)], { a: 2 })).toEqual([]);
});

test("the fulfillment order is Platen's own with enough units", () => {
  const { order, shop } = planInput({
    fulfillmentOrders: [
      fulfillmentOrder('merchant', { a: 2 }, atMerchant),
      fulfillmentOrder('small', { a: 1 }),
      fulfillmentOrder('fo', { a: 2 }),
    ],
  });
  const [one] = findCertainGroups([found('r1', { a: 2 })], new Map([['a', 2]]), order, shop);
  expect(one?.shopifyFulfillmentOrderId).toBe('fo');
});
