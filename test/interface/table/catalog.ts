import type { Call } from './table.ts';

// The calls in docs/rules/print-interface.md#catalog.

export const CATALOG_CALLS: readonly Call[] = [
  {
    name: 'searchCatalogProducts',
    host: 'product',
    method: 'POST',
    path: '/v3/catalogs/{catalogUid}/products:search',
    request: [
      { name: 'attributeFilters', type: 'map', valueType: 'string[]' },
      { name: 'limit', type: 'integer', max: 500 },
      { name: 'offset', type: 'integer' },
    ],
    response: [
      {
        name: 'products',
        type: 'object[]',
        fields: [
          { name: 'productUid', type: 'string' },
          { name: 'attributes', type: 'map', valueType: 'string' },
          {
            name: 'weight',
            type: 'object',
            fields: [
              { name: 'value', type: 'number' },
              { name: 'measureUnit', type: 'string' },
            ],
          },
          { name: 'dimensions', type: 'map', valueType: 'measure' },
          // On the page: "Listed as required, absent from the sample."
          { name: 'supportedCountries', type: 'string[]', optional: true },
        ],
      },
      {
        name: 'hits',
        type: 'object',
        fields: [{ name: 'attributeHits', type: 'map', valueType: 'map' }],
      },
    ],
  },
];
