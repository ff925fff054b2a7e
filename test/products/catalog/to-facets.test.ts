import { expect, test } from 'vitest';
import { toFacets } from '../../../src/products/catalog/to-facets.ts';

const catalog = {
  productAttributes: [
    {
      productAttributeUid: 'Size',
      title: 'Size',
      values: [
        { productAttributeValueUid: 's', title: 'Small' },
        { productAttributeValueUid: 'm', title: 'Medium' },
        { productAttributeValueUid: 'l', title: 'Large' },
      ],
    },
    { productAttributeUid: 'Color', title: 'Colour', values: [{ productAttributeValueUid: 'red', title: null }] },
  ],
};

test("counts have the catalog's titles and order, and attributes that the catalog does not list come last", () => {
  const hits = { Novel: { b: 1, a: 2 }, Color: { red: 7 }, Size: { zero: 3, l: 4, s: 5 } };
  expect(toFacets(hits, catalog)).toEqual([
    {
      attributeUid: 'Size',
      title: 'Size',
      values: [
        { valueUid: 's', title: 'Small', count: 5 },
        { valueUid: 'l', title: 'Large', count: 4 },
        { valueUid: 'zero', title: null, count: 3 },
      ],
    },
    { attributeUid: 'Color', title: 'Colour', values: [{ valueUid: 'red', title: null, count: 7 }] },
    {
      attributeUid: 'Novel',
      title: null,
      values: [
        { valueUid: 'a', title: null, count: 2 },
        { valueUid: 'b', title: null, count: 1 },
      ],
    },
  ]);
});

test('without a catalog, titles are null and values without a count are left out', () => {
  expect(toFacets({ Size: { s: null, m: 2 }, Empty: {}, Unread: { x: null } }, null)).toEqual([
    { attributeUid: 'Size', title: null, values: [{ valueUid: 'm', title: null, count: 2 }] },
  ]);
});
