import { describe, expect, test } from 'vitest';
import { toShippedItems } from '../../src/shipments/to-shipped-items.ts';

const line = (itemReferenceId: string, quantity: number) => ({
  printOrderId: '1',
  itemReferenceId,
  shopifyLineItemId: `gid://shopify/LineItem/${itemReferenceId}`,
  quantity,
});
const parcel = (serviceOrderId: string, units: Record<string, number | null>) => ({
  serviceOrderId,
  items: Object.entries(units).map(([itemReferenceId, quantity]) => ({ itemReferenceId, quantity })),
});
const brief = (items: ReturnType<typeof toShippedItems>) =>
  items.map(({ serviceOrderId, itemReferenceId, quantity }) => [serviceOrderId, itemReferenceId, quantity]);

describe('the units of an item that a part ships', () => {
  test.each([
    ['the number from the service', 3, [parcel('s1', { a: 3 })], [['s1', 'a', 3]]],
    ['all units of the line if the service gives no number', 3, [parcel('s1', { a: null })], [['s1', 'a', 3]]],
    [
      'counted only once if two packages of a part contain the item',
      3,
      [parcel('s1', { a: null }), parcel('s1', { a: null })],
      [['s1', 'a', 3]],
    ],
    [
      'the number from one package of the part if another has none',
      3,
      [parcel('s1', { a: null }), parcel('s1', { a: 2 })],
      [['s1', 'a', 2]],
    ],
    [
      "the rest of the line if the other part's number is known",
      3,
      [parcel('s1', { a: 2 }), parcel('s2', { a: null })],
      [
        ['s1', 'a', 2],
        ['s2', 'a', 1],
      ],
    ],
    [
      "an equal share if no part's number is known",
      3,
      [parcel('s2', { a: null }), parcel('s1', { a: null })],
      [
        ['s2', 'a', 1],
        ['s1', 'a', 2],
      ],
    ],
    [
      'at least one unit',
      1,
      [parcel('s1', { a: 1 }), parcel('s2', { a: null })],
      [
        ['s1', 'a', 1],
        ['s2', 'a', 1],
      ],
    ],
  ])('the number of shipped units is %s', (_, quantity, packages, expected) => {
    expect(brief(toShippedItems([line('a', quantity)], packages))).toEqual(expected);
  });

  test('an item that is not a line of the print order is left out', () => {
    const items = toShippedItems([line('a', 1), line('b', 1)], [parcel('s1', { a: 1, other: 1 })]);
    expect(brief(items)).toEqual([['s1', 'a', 1]]);
  });
});
