import { COUNTRY_CODE, EMAIL, PHONE } from './objects.ts';
import { OLDER_ITEM_STATUSES } from './states.ts';
import { head, list, object, rows, type Call, type Field, type Pattern, type Rule } from './table.ts';

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
  return object('order!', [
    { name: 'customerReferenceId', type: reference, required: true },
    { name: 'orderReferenceId', type: reference, required: true },
    { name: 'currencyIsoCode', type: 'string', required: true, pattern: CURRENCY_CODE },
  ]);
}

/** The `recipient` field of a v1 quote. */
export const recipientFields: readonly Field[] = [
  { name: 'countryIsoCode', type: 'string', required: true, pattern: COUNTRY_CODE },
  ...rows(
    'firstName! string 25, lastName! string 25, addressLine1! string 35, addressLine2 string 35',
    'city! string 30, postcode! string 15, stateCode string 35',
  ),
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
  ...rows(
    'name!, uid!, price! number, minDeliveryDays! integer, maxDeliveryDays! integer, minDeliveryDate!',
    'maxDeliveryDate!',
  ),
  { name: 'serviceType', type: 'string', required: true, values: ['normal', 'express', 'pallet'] },
  { name: 'methodType', type: 'string', required: true, values: ['private', 'business', 'both'] },
  ...rows('totalWeight! integer, numberOfParcels! integer, promiseExpirationDateTime! timestamp'),
];

/** Returns the fields of OrderItemObject. v1's `orderItem` has the same fields, with an integer `itemReferenceId`. */
export function orderItemFields(reference: Reference): Field[] {
  return [
    { name: 'itemReferenceId', type: reference },
    { name: 'status', type: 'string', values: OLDER_ITEM_STATUSES },
    list('trackingCode', rows('parcelNumber integer, trackingCode, trackingUrl')),
    list('productionLog', rows('date timestamp, printJobId integer, message')),
  ];
}

/** Returns the rows of `POST /v1/order/create` or its v2 equivalent. */
export function createFromPromiseCall(name: string, version: 'v1' | 'v2'): Call {
  return {
    ...head(`${name}: legacy POST /${version}/order/create`),
    request: [{ name: 'promiseUid', type: 'string', required: true, pattern: PROMISE_UID }],
    response: rows('message'),
  };
}

export const V1_CALLS: readonly Call[] = [
  {
    ...head('quoteV1: legacy POST /v1/quote'),
    request: [
      quoteOrderFields('integer'),
      object('recipient!', recipientFields),
      object('product!', [
        ...rows('itemReferenceId! integer, productUid!, pdfUrl!'),
        { name: 'quantity', type: 'integer', required: true, min: 1 },
      ]),
    ],
    requestLacks: ['recipient.companyName', 'product.options'],
    response: [
      ...rows('orderReferenceId integer'),
      object('production', [
        ...rows('itemReferenceId integer, productionCountry, productionTimeZone'),
        list('shipments', shippingObjectFields),
      ]),
    ],
    rules: [stateCodeRule],
  },
  createFromPromiseCall('createOrderV1', 'v1'),
  {
    ...head('getOrderStatusV1: legacy GET /v1/order/status/{orderReferenceId}'),
    request: null,
    response: [...rows('orderReferenceId integer'), object('orderItem', orderItemFields('integer'))],
  },
  {
    ...head('cancelOrderV1: legacy POST /v1/order/cancel'),
    request: rows('orderReferenceId! integer'),
    response: null,
  },
];
