import {
  createFromPromiseCall,
  orderItemFields,
  quoteOrderFields,
  recipientFields,
  shippingObjectFields,
  stateCodeRule,
} from './legacy-v1.ts';
import { head, list, object, rows, type Call, type Field } from './table.ts';

// The calls in docs/rules/print-interface.md#v2. References are strings, and an order may contain several products.

/** On the page: "recipient as in v1 plus companyName (optional, max 60)". */
const recipientV2Fields: readonly Field[] = [...recipientFields, ...rows('companyName string 60')];

export const V2_CALLS: readonly Call[] = [
  {
    ...head('quoteV2: legacy POST /v2/quote'),
    request: [
      quoteOrderFields('string'),
      object('recipient!', recipientV2Fields),
      list('products!', [
        ...rows('itemReferenceId!, productUid!, pdfUrl!'),
        { name: 'quantity', type: 'integer', required: true, min: 1 },
        list('options', [
          { name: 'type', type: 'string', required: true, values: ['envelope'] },
          ...rows('productUid!'),
          { name: 'quantity', type: 'integer', required: true, min: 1 },
        ]),
      ]),
    ],
    response: [
      ...rows('orderReferenceId'),
      object('production', [
        // On the page: "string or array of strings, one per product".
        { name: 'itemReferenceId', type: 'string[]', allowsSingleString: true },
        ...rows('productionCountry, productionTimeZone'),
        list('shipments', shippingObjectFields),
      ]),
    ],
    rules: [stateCodeRule],
  },
  createFromPromiseCall('createOrderV2', 'v2'),
  {
    ...head('getOrderStatusV2: legacy GET /v2/order/status/{orderReferenceId}'),
    request: null,
    response: [...rows('orderReferenceId'), list('orderItems', orderItemFields('string'))],
  },
  {
    ...head('getOrderAddressV2: legacy GET /v2/order/{orderReferenceId}/address'),
    request: null,
    // On the page: "fields as the v2 recipient plus id string".
    response: [...rows('id'), ...recipientV2Fields.map(({ name, type }): Field => ({ name, type }))],
  },
];
