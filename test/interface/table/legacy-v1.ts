import { COUNTRY_CODE, EMAIL, PHONE } from './objects.ts';
import { OLDER_ITEM_STATUSES } from './states.ts';
import type { Call, Field, Pattern, Rule } from './table.ts';

// The calls in docs/rules/print-interface.md#v1, and the parts that v2 shares. References are integers.

const CURRENCY_CODE: Pattern = { source: '^[A-Z]{3}$', takes: ['USD', 'EUR'], refuses: ['usd', 'US', 'USDX', ''] };
const PROMISE_UID: Pattern = {
  source: '^d_[a-zA-Z0-9]{24}$',
  takes: [],
  refuses: ['d_123', `d_${'a'.repeat(25)}`, `e_${'a'.repeat(24)}`, `d_${'a'.repeat(23)}-`, ''],
};

/** Whether order references are integers (v1) or strings (v2). */
type Reference = 'integer' | 'string';

export function quoteOrderFields(reference: Reference): Field {
  return {
    name: 'order',
    type: 'object',
    required: true,
    fields: [
      { name: 'customerReferenceId', type: reference, required: true },
      { name: 'orderReferenceId', type: reference, required: true },
      { name: 'currencyIsoCode', type: 'string', required: true, pattern: CURRENCY_CODE },
    ],
  };
}

/** The `recipient` field of a v1 quote. */
export const recipientFields: readonly Field[] = [
  { name: 'countryIsoCode', type: 'string', required: true, pattern: COUNTRY_CODE },
  { name: 'firstName', type: 'string', required: true, maxLength: 25 },
  { name: 'lastName', type: 'string', required: true, maxLength: 25 },
  { name: 'addressLine1', type: 'string', required: true, maxLength: 35 },
  { name: 'addressLine2', type: 'string', maxLength: 35 },
  { name: 'city', type: 'string', required: true, maxLength: 30 },
  { name: 'postcode', type: 'string', required: true, maxLength: 15 },
  { name: 'stateCode', type: 'string', maxLength: 35 },
  { name: 'email', type: 'string', required: true, pattern: EMAIL },
  { name: 'phone', type: 'string', maxLength: 25, pattern: PHONE },
];

export const stateCodeRule: Rule = {
  says: 'stateCode: required for Brazil, India, Chile, Australia, Great Britain, United States',
  takes: [{ 'recipient.countryIsoCode': 'DE', 'recipient.stateCode': undefined }],
  refuses: ['BR', 'IN', 'CL', 'AU', 'GB', 'US'].map((country) => ({
    changes: { 'recipient.countryIsoCode': country, 'recipient.stateCode': undefined },
    names: ['recipient.stateCode'],
  })),
};

/** ShippingObject (v1 and v2, all required). */
export const shippingObjectFields: readonly Field[] = [
  { name: 'promiseUid', type: 'string', required: true, pattern: PROMISE_UID, allowsInteger: true },
  { name: 'name', type: 'string', required: true },
  { name: 'uid', type: 'string', required: true },
  { name: 'price', type: 'number', required: true },
  { name: 'minDeliveryDays', type: 'integer', required: true },
  { name: 'maxDeliveryDays', type: 'integer', required: true },
  { name: 'minDeliveryDate', type: 'string', required: true },
  { name: 'maxDeliveryDate', type: 'string', required: true },
  { name: 'serviceType', type: 'string', required: true, values: ['normal', 'express', 'pallet'] },
  { name: 'methodType', type: 'string', required: true, values: ['private', 'business', 'both'] },
  { name: 'totalWeight', type: 'integer', required: true },
  { name: 'numberOfParcels', type: 'integer', required: true },
  { name: 'promiseExpirationDateTime', type: 'timestamp', required: true },
];

/** Returns the fields of OrderItemObject. v1's `orderItem` has the same fields, with an integer `itemReferenceId`. */
export function orderItemFields(reference: Reference): Field[] {
  return [
    { name: 'itemReferenceId', type: reference },
    { name: 'status', type: 'string', values: OLDER_ITEM_STATUSES },
    {
      name: 'trackingCode',
      type: 'object[]',
      fields: [
        { name: 'parcelNumber', type: 'integer' },
        { name: 'trackingCode', type: 'string' },
        { name: 'trackingUrl', type: 'string' },
      ],
    },
    {
      name: 'productionLog',
      type: 'object[]',
      fields: [
        { name: 'date', type: 'timestamp' },
        { name: 'printJobId', type: 'integer' },
        { name: 'message', type: 'string' },
      ],
    },
  ];
}

/** Returns the rows of `POST /v1/order/create` or its v2 equivalent. */
export function createFromPromiseCall(name: string, version: 'v1' | 'v2'): Call {
  return {
    name,
    host: 'legacy',
    method: 'POST',
    path: `/${version}/order/create`,
    request: [{ name: 'promiseUid', type: 'string', required: true, pattern: PROMISE_UID }],
    response: [{ name: 'message', type: 'string' }],
  };
}

export const V1_CALLS: readonly Call[] = [
  {
    name: 'quoteV1',
    host: 'legacy',
    method: 'POST',
    path: '/v1/quote',
    request: [
      quoteOrderFields('integer'),
      { name: 'recipient', type: 'object', required: true, fields: recipientFields },
      {
        name: 'product',
        type: 'object',
        required: true,
        fields: [
          { name: 'itemReferenceId', type: 'integer', required: true },
          { name: 'productUid', type: 'string', required: true },
          { name: 'pdfUrl', type: 'string', required: true },
          { name: 'quantity', type: 'integer', required: true, min: 1 },
        ],
      },
    ],
    requestLacks: ['recipient.companyName', 'product.options'],
    response: [
      { name: 'orderReferenceId', type: 'integer' },
      {
        name: 'production',
        type: 'object',
        fields: [
          { name: 'itemReferenceId', type: 'integer' },
          { name: 'productionCountry', type: 'string' },
          { name: 'productionTimeZone', type: 'string' },
          { name: 'shipments', type: 'object[]', fields: shippingObjectFields },
        ],
      },
    ],
    rules: [stateCodeRule],
  },
  createFromPromiseCall('createOrderV1', 'v1'),
  {
    name: 'getOrderStatusV1',
    host: 'legacy',
    method: 'GET',
    path: '/v1/order/status/{orderReferenceId}',
    request: null,
    response: [
      { name: 'orderReferenceId', type: 'integer' },
      { name: 'orderItem', type: 'object', fields: orderItemFields('integer') },
    ],
  },
  {
    name: 'cancelOrderV1',
    host: 'legacy',
    method: 'POST',
    path: '/v1/order/cancel',
    request: [{ name: 'orderReferenceId', type: 'integer', required: true }],
    response: null,
  },
];
