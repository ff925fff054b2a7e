import { CONNECTION_STATUSES, STORE_PRODUCT_STATUSES } from './states.ts';
import { head, list, rows, type Call, type Field } from './table.ts';

// The calls in docs/rules/print-interface.md#store-products.

/** Returns the fields of a store product. Events omit some fields of a variant. */
function storeProduct(variantFields: readonly Field[]): Field[] {
  return [
    ...rows(
      'storeId, externalId, title, description, previewUrl, externalPreviewUrl, externalThumbnailUrl',
      'publishingErrorCode~',
    ),
    { name: 'status', type: 'string', values: STORE_PRODUCT_STATUSES },
    ...rows('publishedAt storeTimestamp, createdAt storeTimestamp, updatedAt storeTimestamp'),
    list('variants', variantFields),
    list('productVariantOptions', rows('name, values string[]')),
  ];
}

/** On the page, about events: "variants here carry id, title, externalId, connectionStatus". */
const eventVariantFields: readonly Field[] = [
  ...rows('id, title, externalId'),
  { name: 'connectionStatus', type: 'string', values: CONNECTION_STATUSES },
];

/** The fields of a store product in an event. */
export const storeProductEventFields: readonly Field[] = storeProduct(eventVariantFields);

/** The fields of a store product template (event payloads), without `storeProductTemplateId`. */
export const templateEventFields: readonly Field[] = [
  ...rows('title, description, previewUrl, createdAt storeTimestamp, updatedAt storeTimestamp'),
  list('variants', [
    ...rows('id, title, productUid'),
    list('variantOptions', rows('name, value')),
    list('imagePlaceholders', rows('name, printArea, height number, width number')),
    list('textPlaceholders', rows('name, text')),
  ]),
];

/** On the page: "none of its fields is marked required". */
export const STORE_PRODUCT_CALLS: readonly Call[] = [
  {
    ...head('getStoreProduct: ecommerce GET /v1/stores/{storeId}/products/{productId}'),
    request: null,
    response: [...rows('id'), ...storeProduct([...rows('productId'), ...eventVariantFields])],
  },
];
