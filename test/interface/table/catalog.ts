import { head, list, object, rows, type Call } from './table.ts';

// The calls in docs/rules/print-interface.md#catalog.

export const CATALOG_CALLS: readonly Call[] = [
  {
    ...head('searchCatalogProducts: product POST /v3/catalogs/{catalogUid}/products:search'),
    request: [
      { name: 'attributeFilters', type: 'map', valueType: 'string[]' },
      { name: 'limit', type: 'integer', max: 500 },
      ...rows('offset integer'),
    ],
    response: [
      list('products', [
        ...rows('productUid'),
        { name: 'attributes', type: 'map', valueType: 'string' },
        object('weight', rows('value number, measureUnit')),
        { name: 'dimensions', type: 'map', valueType: 'measure' },
        // On the page: "Listed as required, absent from the sample."
        ...rows('supportedCountries? string[]'),
      ]),
      object('hits', [{ name: 'attributeHits', type: 'map', valueType: 'map' }]),
    ],
  },
];
