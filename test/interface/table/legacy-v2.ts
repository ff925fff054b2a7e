import {
  createFromPromiseCall,
  orderItemFields,
  quoteOrderFields,
  recipientFields,
  shippingObjectFields,
  stateCodeRule,
} from './legacy-v1.ts';
import type { Call, Field } from './table.ts';

// The calls in docs/rules/print-interface.md#v2. References are strings, and an order may contain several products.

/** On the page: "recipient as in v1 plus companyName (optional, max 60)". */
const recipientV2Fields: readonly Field[] = [
  ...recipientFields,
  { name: 'companyName', type: 'string', maxLength: 60 },
];

export const V2_CALLS: readonly Call[] = [
  {
    name: 'quoteV2',
    host: 'legacy',
    method: 'POST',
    path: '/v2/quote',
    request: [
      quoteOrderFields('string'),
      { name: 'recipient', type: 'object', required: true, fields: recipientV2Fields },
      {
        name: 'products',
        type: 'object[]',
        required: true,
        fields: [
          { name: 'itemReferenceId', type: 'string', required: true },
          { name: 'productUid', type: 'string', required: true },
          { name: 'pdfUrl', type: 'string', required: true },
          { name: 'quantity', type: 'integer', required: true, min: 1 },
          {
            name: 'options',
            type: 'object[]',
            fields: [
              { name: 'type', type: 'string', required: true, values: ['envelope'] },
              { name: 'productUid', type: 'string', required: true },
              { name: 'quantity', type: 'integer', required: true, min: 1 },
            ],
          },
        ],
      },
    ],
    response: [
      { name: 'orderReferenceId', type: 'string' },
      {
        name: 'production',
        type: 'object',
        fields: [
          // On the page: "string or array of strings, one per product".
          { name: 'itemReferenceId', type: 'string[]', allowsSingleString: true },
          { name: 'productionCountry', type: 'string' },
          { name: 'productionTimeZone', type: 'string' },
          { name: 'shipments', type: 'object[]', fields: shippingObjectFields },
        ],
      },
    ],
    rules: [stateCodeRule],
  },
  createFromPromiseCall('createOrderV2', 'v2'),
  {
    name: 'getOrderStatusV2',
    host: 'legacy',
    method: 'GET',
    path: '/v2/order/status/{orderReferenceId}',
    request: null,
    response: [
      { name: 'orderReferenceId', type: 'string' },
      { name: 'orderItems', type: 'object[]', fields: orderItemFields('string') },
    ],
  },
  {
    name: 'getOrderAddressV2',
    host: 'legacy',
    method: 'GET',
    path: '/v2/order/{orderReferenceId}/address',
    request: null,
    // On the page: "fields as the v2 recipient plus id string".
    response: [{ name: 'id', type: 'string' }, ...recipientV2Fields.map(({ name, type }): Field => ({ name, type }))],
  },
];
