// The limits in docs/rules/print-interface.md#limits.

/** Limits and the request fields to which each applies, as `call path`. */
export const FIELD_LIMITS = [
  { item: 'metadata entries per order', kind: 'maxEntries', value: 20, on: ['createOrder metadata'] },
  {
    item: 'metadata key and value length',
    kind: 'maxLength',
    value: 100,
    on: ['createOrder metadata[].key', 'createOrder metadata[].value'],
  },
  {
    item: 'item and product quantity; option quantity',
    kind: 'min',
    value: 1,
    on: [
      'createOrder items[].quantity',
      'quote products[].quantity',
      'quoteV1 product.quantity',
      'quoteV2 products[].quantity',
      'quoteV2 products[].options[].quantity',
    ],
  },
  { item: 'firstName, lastName', kind: 'maxLength', value: 25, on: onRecipients('firstName', 'lastName') },
  {
    item: 'companyName',
    kind: 'maxLength',
    value: 60,
    on: [
      'createOrder shippingAddress.companyName',
      'createOrder returnAddress.companyName',
      'quote recipient.companyName',
      'quoteV2 recipient.companyName',
    ],
  },
  {
    item: 'addressLine1, addressLine2',
    kind: 'maxLength',
    value: 35,
    on: [
      ...onRecipients('addressLine1', 'addressLine2'),
      'createOrder returnAddress.addressLine1',
      'createOrder returnAddress.addressLine2',
    ],
  },
  { item: 'city', kind: 'maxLength', value: 30, on: [...onRecipients('city'), 'createOrder returnAddress.city'] },
  {
    item: 'postCode',
    kind: 'maxLength',
    value: 15,
    on: [
      'createOrder shippingAddress.postCode',
      'createOrder returnAddress.postCode',
      'quote recipient.postCode',
      'quoteV1 recipient.postcode',
      'quoteV2 recipient.postcode',
    ],
  },
  {
    item: 'state',
    kind: 'maxLength',
    value: 35,
    on: [
      'createOrder shippingAddress.state',
      'createOrder returnAddress.state',
      'quote recipient.state',
      'quoteV1 recipient.stateCode',
      'quoteV2 recipient.stateCode',
    ],
  },
  {
    item: 'phone',
    kind: 'maxLength',
    value: 25,
    on: [...onRecipients('phone'), 'createOrder returnAddress.phone'],
  },
  { item: 'order search limit', kind: 'max', value: 100, on: ['searchOrders limit', 'searchOrdersV3 limit'] },
  { item: 'catalog search limit', kind: 'max', value: 500, on: ['searchCatalogProducts limit'] },
] as const;

function onRecipients(...names: readonly string[]): string[] {
  const places = ['createOrder shippingAddress', 'quote recipient', 'quoteV1 recipient', 'quoteV2 recipient'];
  return names.flatMap((name) => places.map((place) => `${place}.${name}`));
}

/** The service's defaults for omitted fields, as `call field`. */
export const DEFAULTS = [
  { item: 'order search limit', value: 50, on: ['searchOrders limit', 'searchOrdersV3 limit'] },
  { item: 'order search offset', value: 0, on: ['searchOrders offset', 'searchOrdersV3 offset'] },
  { item: 'catalog search offset', value: 0, on: ['searchCatalogProducts offset'] },
] as const;

/** Limits on time and attempts. */
export const TIMES = {
  webhookDelivery: { item: 'webhook delivery', attempts: 3, secondsApart: 5 },
  promise: { item: 'earlier interface promise', validUntil: 'promiseExpirationDateTime' },
  statusAvailability: { item: 'earlier interface order status availability', seconds: [1, 3] },
} as const;
