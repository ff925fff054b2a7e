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
  const of = (part: string, units: number | null) => parcel(part, { a: units });
  test.each([
    ['the number from the service', 3, [of('s1', 3)], { s1: 3 }],
    ['all units of the line without a number', 3, [of('s1', null)], { s1: 3 }],
    ['counted once in two packages of a part', 3, [of('s1', null), of('s1', null)], { s1: 3 }],
    ['the number from one package of the part', 3, [of('s1', null), of('s1', 2)], { s1: 2 }],
    ["the rest if the other part's number is known", 3, [of('s1', 2), of('s2', null)], { s1: 2, s2: 1 }],
    ["an equal share if no part's number is known", 3, [of('s2', null), of('s1', null)], { s2: 1, s1: 2 }],
    ['at least one unit', 1, [of('s1', 1), of('s2', null)], { s1: 1, s2: 1 }],
  ])('the number of shipped units is %s', (_, quantity, packages, expected) => {
    const units = brief(toShippedItems([line('a', quantity)], packages));
    expect(units).toEqual(Object.entries(expected).map(([part, count]) => [part, 'a', count]));
  });

  test('an item that is not a line of the print order is left out', () => {
    const items = toShippedItems([line('a', 1), line('b', 1)], [parcel('s1', { a: 1, other: 1 })]);
    expect(brief(items)).toEqual([['s1', 'a', 1]]);
  });
});
