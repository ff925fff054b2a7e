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

describe('how many units of an item a part ships', () => {
  test.each([
    ['what the service says', 3, [parcel('s1', { a: 3 })], [['s1', 'a', 3]]],
    ['all of the line where it does not say', 3, [parcel('s1', { a: null })], [['s1', 'a', 3]]],
    ['the same in two packages of a part', 3, [parcel('s1', { a: null }), parcel('s1', { a: null })], [['s1', 'a', 3]]],
    [
      'what one package of the part says, when another does not',
      3,
      [parcel('s1', { a: null }), parcel('s1', { a: 2 })],
      [['s1', 'a', 2]],
    ],
    [
      'the rest of the line beside a part that is known',
      3,
      [parcel('s1', { a: 2 }), parcel('s2', { a: null })],
      [
        ['s1', 'a', 2],
        ['s2', 'a', 1],
      ],
    ],
    [
      'a share when no part is known',
      3,
      [parcel('s2', { a: null }), parcel('s1', { a: null })],
      [
        ['s2', 'a', 1],
        ['s1', 'a', 2],
      ],
    ],
    [
      'one unit at least',
      1,
      [parcel('s1', { a: 1 }), parcel('s2', { a: null })],
      [
        ['s1', 'a', 1],
        ['s2', 'a', 1],
      ],
    ],
  ])('is %s', (_, quantity, packages, expected) => {
    expect(brief(toShippedItems([line('a', quantity)], packages))).toEqual(expected);
  });

  test('an item that is no line of the print order is left out', () => {
    const items = toShippedItems([line('a', 1), line('b', 1)], [parcel('s1', { a: 1, other: 1 })]);
    expect(brief(items)).toEqual([['s1', 'a', 1]]);
  });
});
