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
import type { Call, Field, Rule } from './table.ts';

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
  name: 'createOrder',
  host: 'order',
  method: 'POST',
  path: '/v3/orders',
  request: [
    { name: 'orderType', type: 'string', values: ORDER_TYPES },
    { name: 'orderReferenceId', type: 'string', required: true },
    { name: 'customerReferenceId', type: 'string', required: true },
    currencyField,
    {
      name: 'items',
      type: 'object[]',
      required: true,
      fields: [
        { name: 'itemReferenceId', type: 'string', required: true, unique: true },
        { name: 'productUid', type: 'string', required: true },
        { name: 'pageCount', type: 'integer' },
        { name: 'fileUrl', type: 'string' },
        { name: 'quantity', type: 'integer', required: true, min: 1 },
      ],
    },
    {
      name: 'metadata',
      type: 'object[]',
      maxEntries: 20,
      fields: [
        { name: 'key', type: 'string', required: true, maxLength: 100 },
        { name: 'value', type: 'string', required: true, maxLength: 100 },
      ],
    },
    { name: 'shippingAddress', type: 'object', required: true, fields: shippingAddressFields },
    { name: 'shipmentMethodUid', type: 'string' },
    { name: 'returnAddress', type: 'object', fields: returnAddressFields },
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
  { name: 'name', type: 'string', required: true },
  { name: 'shipmentMethodUid', type: 'string', required: true },
  { name: 'price', type: 'number', required: true },
  { name: 'currency', type: 'string', required: true },
  { name: 'minDeliveryDays', type: 'integer', required: true },
  { name: 'maxDeliveryDays', type: 'integer', required: true },
  { name: 'minDeliveryDate', type: 'string', required: true },
  { name: 'maxDeliveryDate', type: 'string', required: true },
  {
    name: 'type',
    type: 'string',
    required: true,
    values: ['normal', 'express', 'pallet'],
    furtherValues: ['standard', 'pick_up'],
  },
  { name: 'isPrivate', type: 'boolean', required: true },
  { name: 'isBusiness', type: 'boolean', required: true },
  { name: 'totalWeight', type: 'integer', required: true },
  { name: 'numberOfParcels', type: 'integer', required: true },
  { name: 'incoTerms', type: 'string', optional: true },
];

const quoteOrder: Call = {
  name: 'quote',
  host: 'order',
  method: 'POST',
  path: '/v4/orders:quote',
  request: [
    { name: 'orderReferenceId', type: 'string', required: true },
    { name: 'customerReferenceId', type: 'string', required: true },
    currencyField,
    { name: 'recipient', type: 'object', required: true, fields: shippingAddressFields },
    {
      name: 'products',
      type: 'object[]',
      required: true,
      fields: [
        { name: 'itemReferenceId', type: 'string', required: true, unique: true },
        { name: 'productUid', type: 'string', required: true },
        { name: 'pageCount', type: 'integer' },
        {
          name: 'files',
          type: 'object[]',
          fields: [
            { name: 'type', type: 'string', unmarked: true },
            { name: 'url', type: 'string', unmarked: true },
          ],
        },
        { name: 'quantity', type: 'integer', required: true, min: 1 },
      ],
    },
    { name: 'allowMultipleQuotes', type: 'boolean' },
  ],
  response: [
    { name: 'orderReferenceId', type: 'string' },
    {
      name: 'quotes',
      type: 'object[]',
      fields: [
        { name: 'id', type: 'string' },
        { name: 'itemReferenceIds', type: 'string[]' },
        { name: 'fulfillmentCountry', type: 'string' },
        { name: 'shipmentMethods', type: 'object[]', fields: shipmentMethodFields },
        {
          name: 'products',
          type: 'object[]',
          fields: [
            { name: 'itemReferenceId', type: 'string' },
            { name: 'productUid', type: 'string' },
            { name: 'pageCount', type: 'integer', optional: true },
            { name: 'quantity', type: 'integer' },
            { name: 'price', type: 'number' },
            { name: 'currency', type: 'string' },
          ],
        },
      ],
    },
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
  { name: 'ids', type: 'string[]' },
  { name: 'orderReferenceId', type: 'string' },
  { name: 'orderReferenceIds', type: 'string[]' },
  { name: 'fulfillmentStatuses', type: 'string[]' },
  { name: 'financialStatuses', type: 'string[]' },
  { name: 'channels', type: 'string[]' },
  { name: 'countries', type: 'string[]' },
  { name: 'search', type: 'string' },
  { name: 'startDate', type: 'date[]', allowsSingleString: true },
  { name: 'endDate', type: 'date[]', allowsSingleString: true },
  { name: 'offset', type: 'integer' },
  { name: 'limit', type: 'integer', max: 100 },
];

/** The search order record, with the fields that v3 and v4 share. */
const sharedRecord: readonly Field[] = [
  { name: 'id', type: 'string', required: true },
  { name: 'orderReferenceId', type: 'string', required: true },
  { name: 'customerReferenceId', type: 'string' },
  {
    name: 'fulfillmentStatus',
    type: 'string',
    required: true,
    values: ORDER_STATUSES,
    furtherValues: FURTHER_ORDER_STATUSES,
  },
  { name: 'financialStatus', type: 'string', required: true, values: FINANCIAL_STATUSES },
  { name: 'currency', type: 'string' },
  { name: 'channel', type: 'string', required: true, nullable: true, values: CHANNELS },
  { name: 'country', type: 'string' },
  { name: 'firstName', type: 'string' },
  { name: 'lastName', type: 'string' },
  { name: 'createdAt', type: 'timestamp', required: true },
  { name: 'updatedAt', type: 'timestamp', required: true },
  { name: 'orderedAt', type: 'timestamp', nullable: true },
];

const searchOrders: Call = {
  name: 'searchOrders',
  host: 'order',
  method: 'POST',
  path: '/v4/orders:search',
  request: [
    ...sharedFilters,
    { name: 'currencies', type: 'string[]' },
    { name: 'orderTypes', type: 'string[]', values: ORDER_TYPES },
    { name: 'storeIds', type: 'string[]' },
  ],
  response: [
    {
      name: 'orders',
      type: 'object[]',
      fields: [
        ...sharedRecord,
        { name: 'orderType', type: 'string', required: true, values: ORDER_TYPES },
        { name: 'connectedOrderIds', type: 'string[]' },
        { name: 'itemsCount', type: 'integer' },
        { name: 'storeId', type: 'string', nullable: true },
        { name: 'totalInclVat', type: 'string' },
      ],
    },
  ],
};

const searchOrdersV3: Call = {
  name: 'searchOrdersV3',
  host: 'order',
  method: 'POST',
  path: '/v3/orders:search',
  request: sharedFilters,
  requestLacks: ['orderTypes', 'currencies', 'storeIds'],
  response: [{ name: 'orders', type: 'object[]', fields: sharedRecord }],
  responseLacks: ['orderType', 'itemsCount', 'storeId', 'totalInclVat', 'connectedOrderIds'].map(
    (name) => `orders[0].${name}`,
  ),
};

const deleteDraft: Call = {
  name: 'deleteDraft',
  host: 'order',
  method: 'DELETE',
  path: '/v4/orders/{orderId}',
  request: null,
  response: null,
};

/** On the page: "Order Get (its response structure equals the create-order response)". The page does not show the request. */
const getOrder: Call = {
  name: 'getOrder',
  host: 'order',
  method: 'GET',
  path: '/v4/orders/{orderId}',
  request: null,
  response: orderFields,
};

export const CURRENT_ORDER_CALLS: readonly Call[] = [
  createOrder,
  quoteOrder,
  searchOrders,
  searchOrdersV3,
  deleteDraft,
  getOrder,
];
