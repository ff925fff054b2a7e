import { CONNECTION_STATUSES, STORE_PRODUCT_STATUSES } from './states.ts';
import type { Call, Field } from './table.ts';

// The calls in docs/rules/print-interface.md#store-products.

/** Returns the fields of a store product. Events omit some fields of a variant. */
function storeProduct(variantFields: readonly Field[]): Field[] {
  return [
    { name: 'storeId', type: 'string' },
    { name: 'externalId', type: 'string' },
    { name: 'title', type: 'string' },
    { name: 'description', type: 'string' },
    { name: 'previewUrl', type: 'string' },
    { name: 'externalPreviewUrl', type: 'string' },
    { name: 'externalThumbnailUrl', type: 'string' },
    { name: 'publishingErrorCode', type: 'string', nullable: true },
    { name: 'status', type: 'string', values: STORE_PRODUCT_STATUSES },
    { name: 'publishedAt', type: 'storeTimestamp' },
    { name: 'createdAt', type: 'storeTimestamp' },
    { name: 'updatedAt', type: 'storeTimestamp' },
    { name: 'variants', type: 'object[]', fields: variantFields },
    {
      name: 'productVariantOptions',
      type: 'object[]',
      fields: [
        { name: 'name', type: 'string' },
        { name: 'values', type: 'string[]' },
      ],
    },
  ];
}

/** On the page, about events: "variants here carry id, title, externalId, connectionStatus". */
const eventVariantFields: readonly Field[] = [
  { name: 'id', type: 'string' },
  { name: 'title', type: 'string' },
  { name: 'externalId', type: 'string' },
  { name: 'connectionStatus', type: 'string', values: CONNECTION_STATUSES },
];

/** The fields of a store product in an event. */
export const storeProductEventFields: readonly Field[] = storeProduct(eventVariantFields);

/** The fields of a store product template (event payloads), without `storeProductTemplateId`. */
export const templateEventFields: readonly Field[] = [
  { name: 'title', type: 'string' },
  { name: 'description', type: 'string' },
  { name: 'previewUrl', type: 'string' },
  { name: 'createdAt', type: 'storeTimestamp' },
  { name: 'updatedAt', type: 'storeTimestamp' },
  {
    name: 'variants',
    type: 'object[]',
    fields: [
      { name: 'id', type: 'string' },
      { name: 'title', type: 'string' },
      { name: 'productUid', type: 'string' },
      {
        name: 'variantOptions',
        type: 'object[]',
        fields: [
          { name: 'name', type: 'string' },
          { name: 'value', type: 'string' },
        ],
      },
      {
        name: 'imagePlaceholders',
        type: 'object[]',
        fields: [
          { name: 'name', type: 'string' },
          { name: 'printArea', type: 'string' },
          { name: 'height', type: 'number' },
          { name: 'width', type: 'number' },
        ],
      },
      {
        name: 'textPlaceholders',
        type: 'object[]',
        fields: [
          { name: 'name', type: 'string' },
          { name: 'text', type: 'string' },
        ],
      },
    ],
  },
];

/** On the page: "none of its fields is marked required". */
export const STORE_PRODUCT_CALLS: readonly Call[] = [
  {
    name: 'getStoreProduct',
    host: 'ecommerce',
    method: 'GET',
    path: '/v1/stores/{storeId}/products/{productId}',
    request: null,
    response: [
      { name: 'id', type: 'string' },
      ...storeProduct([{ name: 'productId', type: 'string' }, ...eventVariantFields]),
    ],
  },
];
