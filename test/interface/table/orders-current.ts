import {
  brazilRule,
  CURRENCIES,
  languageRule,
  orderFields,
  RETURN_ADDRESS_LACKS,
  returnAddressFields,
  shippingAddressFields,
  stateRule,
  unitedKingdomRule,
} from './objects.ts';
import { CHANNELS, FINANCIAL_STATUSES, FURTHER_ORDER_STATUSES, ORDER_STATUSES, ORDER_TYPES } from './states.ts';
import { head, list, object, rows, type Call, type Field, type Rule } from './table.ts';

// The calls in docs/rules/print-interface.md#create-order.

/** A printed product and a blank product, both from the service's samples. */
const PRINTABLE = 'flat_130x180-mm-5r_170-gsm-65lb-uncoated_4-0_ver';
const BLANK = 'blank-envelopes_pf_a7-env_pt_120-g-env';

const fileUrlRule: Rule = {
  says: 'fileUrl: required for printable products',
  takes: [{ 'items[0].productUid': BLANK, 'items[0].fileUrl': undefined }],
  refuses: [
    { changes: { 'items[0].productUid': PRINTABLE, 'items[0].fileUrl': undefined }, names: ['items[0].fileUrl'] },
  ],
  serviceOnly: true,
};

const shipmentMethodRule: Rule = {
  says: 'shipmentMethodUid: normal, express, or a shipmentMethodUid from a quote; default is the cheapest method',
  takes: [{ shipmentMethodUid: 'normal' }, { shipmentMethodUid: 'express' }, { shipmentMethodUid: undefined }],
  refuses: [{ changes: { shipmentMethodUid: 'no_such_method' }, names: ['shipmentMethodUid'] }],
  serviceOnly: true,
};

const currencyField: Field = { name: 'currency', type: 'string', required: true, values: CURRENCIES };

const createOrder: Call = {
  ...head('createOrder: order POST /v3/orders'),
  request: [
    { name: 'orderType', type: 'string', values: ORDER_TYPES },
    ...rows('orderReferenceId!, customerReferenceId!'),
    currencyField,
    list('items!', [
      { name: 'itemReferenceId', type: 'string', required: true, unique: true },
      ...rows('productUid!, pageCount integer, fileUrl'),
      { name: 'quantity', type: 'integer', required: true, min: 1 },
    ]),
    { name: 'metadata', type: 'object[]', maxEntries: 20, fields: rows('key! string 100, value! string 100') },
    object('shippingAddress!', shippingAddressFields),
    ...rows('shipmentMethodUid'),
    object('returnAddress', returnAddressFields),
  ],
  requestLacks: RETURN_ADDRESS_LACKS.map((name) => `returnAddress.${name}`),
  response: orderFields,
  rules: [
    stateRule('shippingAddress'),
    languageRule('shippingAddress'),
    brazilRule('shippingAddress'),
    unitedKingdomRule('shippingAddress'),
    stateRule('returnAddress'),
    fileUrlRule,
    shipmentMethodRule,
  ],
};

const shipmentMethodFields: readonly Field[] = [
  ...rows(
    'name!, shipmentMethodUid!, price! number, currency!, minDeliveryDays! integer',
    'maxDeliveryDays! integer, minDeliveryDate!, maxDeliveryDate!',
  ),
  {
    name: 'type',
    type: 'string',
    required: true,
    values: ['normal', 'express', 'pallet'],
    furtherValues: ['standard', 'pick_up'],
  },
  ...rows('isPrivate! boolean, isBusiness! boolean, totalWeight! integer, numberOfParcels! integer', 'incoTerms?'),
];

const quoteOrder: Call = {
  ...head('quote: order POST /v4/orders:quote'),
  request: [
    ...rows('orderReferenceId!, customerReferenceId!'),
    currencyField,
    object('recipient!', shippingAddressFields),
    list('products!', [
      { name: 'itemReferenceId', type: 'string', required: true, unique: true },
      ...rows('productUid!, pageCount integer'),
      list('files', rows('type*, url*')),
      { name: 'quantity', type: 'integer', required: true, min: 1 },
    ]),
    ...rows('allowMultipleQuotes boolean'),
  ],
  response: [
    ...rows('orderReferenceId'),
    list('quotes', [
      ...rows('id, itemReferenceIds string[], fulfillmentCountry'),
      list('shipmentMethods', shipmentMethodFields),
      list(
        'products',
        rows('itemReferenceId, productUid, pageCount? integer, quantity integer, price number, currency'),
      ),
    ]),
  ],
  rules: [
    stateRule('recipient'),
    languageRule('recipient'),
    brazilRule('recipient'),
    unitedKingdomRule('recipient'),
    {
      says: 'files: required for printable products',
      takes: [{ 'products[0].productUid': BLANK, 'products[0].files': undefined }],
      refuses: [
        {
          changes: { 'products[0].productUid': PRINTABLE, 'products[0].files': undefined },
          names: ['products[0].files'],
        },
      ],
      serviceOnly: true,
    },
    {
      says: 'files: the types default and back are seen',
      takes: ['default', 'back'].map((type) => ({ 'products[0].files[0].type': type })),
      refuses: [],
    },
  ],
};

/** Filters of both searches. */
const sharedFilters: readonly Field[] = [
  ...rows(
    'ids string[], orderReferenceId, orderReferenceIds string[], fulfillmentStatuses string[]',
    'financialStatuses string[], channels string[], countries string[], search',
  ),
  { name: 'startDate', type: 'date[]', allowsSingleString: true },
  { name: 'endDate', type: 'date[]', allowsSingleString: true },
  ...rows('offset integer'),
  { name: 'limit', type: 'integer', max: 100 },
];

/** The search order record, with the fields that v3 and v4 share. */
const sharedRecord: readonly Field[] = [
  ...rows('id!, orderReferenceId!, customerReferenceId'),
  {
    name: 'fulfillmentStatus',
    type: 'string',
    required: true,
    values: ORDER_STATUSES,
    furtherValues: FURTHER_ORDER_STATUSES,
  },
  { name: 'financialStatus', type: 'string', required: true, values: FINANCIAL_STATUSES },
  ...rows('currency'),
  { name: 'channel', type: 'string', required: true, nullable: true, values: CHANNELS },
  ...rows('country, firstName, lastName, createdAt! timestamp, updatedAt! timestamp, orderedAt~ timestamp'),
];

const searchOrders: Call = {
  ...head('searchOrders: order POST /v4/orders:search'),
  request: [
    ...sharedFilters,
    ...rows('currencies string[]'),
    { name: 'orderTypes', type: 'string[]', values: ORDER_TYPES },
    ...rows('storeIds string[]'),
  ],
  response: [
    list('orders', [
      ...sharedRecord,
      { name: 'orderType', type: 'string', required: true, values: ORDER_TYPES },
      ...rows('connectedOrderIds string[], itemsCount integer, storeId~, totalInclVat'),
    ]),
  ],
};

const searchOrdersV3: Call = {
  ...head('searchOrdersV3: order POST /v3/orders:search'),
  request: sharedFilters,
  requestLacks: ['orderTypes', 'currencies', 'storeIds'],
  response: [list('orders', sharedRecord)],
  responseLacks: ['orderType', 'itemsCount', 'storeId', 'totalInclVat', 'connectedOrderIds'].map(
    (name) => `orders[0].${name}`,
  ),
};

const deleteDraft: Call = { ...head('deleteDraft: order DELETE /v4/orders/{orderId}'), request: null, response: null };

/** On the page: "Order Get (its response structure equals the create-order response)". The page does not show the request. */
const getOrder: Call = { ...head('getOrder: order GET /v4/orders/{orderId}'), request: null, response: orderFields };

export const CURRENT_ORDER_CALLS: readonly Call[] = [
  createOrder,
  quoteOrder,
  searchOrders,
  searchOrdersV3,
  deleteDraft,
  getOrder,
];
