import { CHANNELS, FINANCIAL_STATUSES, FURTHER_ORDER_STATUSES, ORDER_STATUSES, ORDER_TYPES } from './states.ts';
import { list, object, rows, type Field, type Pattern, type Rule } from './table.ts';

// docs/rules/print-interface.md#order: the order objects in responses and requests.

export const COUNTRY_CODE: Pattern = {
  source: '^[A-Z]{2}$',
  takes: ['US', 'GB'],
  refuses: ['us', 'USA', 'U', 'U1', ''],
};
// The pattern on the page lacks the ^ (reading note 1). Both interfaces use this pattern.
export const EMAIL: Pattern = {
  source: '^.+@[^"-].+$',
  takes: ['paul.smith@example.com', 'a"b@example.com', 'o-k@ex-ample.com'],
  refuses: ['nobody', '@example.com', 'paul@', 'paul@-example.com', 'paul@"example.com'],
};
export const PHONE: Pattern = {
  source: 'E.123',
  takes: ['+1 202 555 0143', '(0607) 123 4567', '+22 607 123 4567'],
  refuses: ['call me', 'x'],
};

/** Create order, `currency`: "Supported". */
export const CURRENCIES = (
  'EUR USD JPY BGN CZK DKK GBP HUF PLN RON SEK CHF ISK NOK HRK RUB TRY AUD ' +
  'BRL CAD CNY HKD IDR ILS INR KRW MXN MYR NZD PHP SGD THB ZAR CLP AED'
).split(' ');

/** Item (in an order response). */
const itemFields: readonly Field[] = [
  ...rows('id, itemReferenceId, productUid, fileUrl, processedFileUrl, quantity integer'),
  { name: 'fulfillmentStatus', type: 'string', values: ORDER_STATUSES, furtherValues: FURTHER_ORDER_STATUSES },
  list('previews', rows('type, url')),
];

/** Shipment. */
const shipmentFields: readonly Field[] = [
  ...rows(
    'id, shipmentMethodName, shipmentMethodUid, minDeliveryDays integer, maxDeliveryDays integer',
    'minDeliveryDate date, maxDeliveryDate date, totalWeight integer, fulfillmentCountry',
    'fulfillmentFacilityId, packagesCount integer',
  ),
  list('packages', rows('id, orderItemIds string[], trackingCode, trackingUrl')),
];

/** BillingEntity: all strings. */
const billingEntityFields = rows(
  'id, companyName, companyNumber, companyVatNumber, country, recipientName, addressLine1',
  'addressLine2, city, postCode, state, email, phone',
);

/** Receipt and ReceiptItem. */
const receiptFields: readonly Field[] = [
  ...rows('id, orderId, transactionType, currency'),
  list(
    'items',
    rows(
      'id, receiptId, referenceId, type, title, currency, priceBase number, amount number',
      'priceInitial number, discount number, price number, vat number, priceInclVat number',
      'createdAt timestamp, updatedAt timestamp',
    ),
  ),
  ...rows(
    'productsPriceInitial number, productsPriceDiscount number, productsPrice number',
    'productsPriceVat number, productsPriceInclVat number, packagingPriceInitial number',
    'packagingPriceDiscount number, packagingPrice number, packagingPriceVat number',
    'packagingPriceInclVat number, shippingPriceInitial number, shippingPriceDiscount number',
    'shippingPrice number, shippingPriceVat number, shippingPriceInclVat number, discount number',
    'discountVat number, discountInclVat number, totalInitial number, total number, totalVat number',
    'totalInclVat number',
  ),
];

/** Request address objects: ShippingAddressObject and RecipientObject. */
export const shippingAddressFields: readonly Field[] = [
  ...rows(
    'firstName! string 25, lastName! string 25, companyName string 60, addressLine1! string 35',
    'addressLine2 string 35, city! string 30, postCode! string 15, state string 35',
  ),
  { name: 'country', type: 'string', required: true, pattern: COUNTRY_CODE },
  { name: 'email', type: 'string', required: true, pattern: EMAIL },
  { name: 'phone', type: 'string', maxLength: 25, pattern: PHONE },
  ...rows('isBusiness boolean, federalTaxId'),
  { name: 'stateTaxId', type: 'string', needs: 'isBusiness' },
  { name: 'registrationStateCode', type: 'string', needs: 'isBusiness' },
];

/** ReturnAddressObject. */
export const returnAddressFields: readonly Field[] = [
  ...rows(
    'companyName string 60, addressLine1 string 35, addressLine2 string 35, city string 30',
    'postCode string 15, state string 35',
  ),
  { name: 'country', type: 'string', pattern: COUNTRY_CODE },
  { name: 'email', type: 'string', pattern: EMAIL },
  { name: 'phone', type: 'string', maxLength: 25, pattern: PHONE },
];

/** On the page: "The tax fields and isBusiness do not exist on it." */
export const RETURN_ADDRESS_LACKS = ['isBusiness', 'federalTaxId', 'stateTaxId', 'registrationStateCode'];

const idAndOrderId = rows('id, orderId');

/** Order. */
export const orderFields: readonly Field[] = [
  ...rows('id'),
  { name: 'orderType', type: 'string', values: ORDER_TYPES },
  ...rows('orderReferenceId, customerReferenceId'),
  { name: 'fulfillmentStatus', type: 'string', values: ORDER_STATUSES, furtherValues: FURTHER_ORDER_STATUSES },
  { name: 'financialStatus', type: 'string', values: FINANCIAL_STATUSES },
  ...rows('currency'),
  { name: 'channel', type: 'string', values: CHANNELS },
  ...rows('createdAt timestamp, updatedAt timestamp, orderedAt timestamp'),
  list('items', itemFields),
  list('metadata', rows('key, value')),
  object('shipment', shipmentFields),
  object('billingEntity', billingEntityFields),
  object('shippingAddress', [...asReturned(shippingAddressFields), ...idAndOrderId]),
  object('returnAddress', [...asReturned(returnAddressFields), ...idAndOrderId]),
  list('receipts', receiptFields),
];

/** Returns what the page calls "The fields of ShippingAddress / ReturnAddress": names and types without the rules of a request. */
function asReturned(fields: readonly Field[]): Field[] {
  return fields.map(({ name, type }) => ({ name, type }));
}

/** Returns the rule about the state in a request's address under `prefix`. */
export function stateRule(prefix: string): Rule {
  return {
    says: 'state: required when the country is Australia, Canada or United States',
    takes: [
      { [`${prefix}.country`]: 'DE', [`${prefix}.state`]: undefined },
      { [`${prefix}.country`]: 'AU', [`${prefix}.state`]: 'VIC' },
    ],
    refuses: ['AU', 'CA', 'US'].map((country) => ({
      changes: { [`${prefix}.country`]: country, [`${prefix}.state`]: undefined },
      names: [`${prefix}.state`],
    })),
  };
}

export function languageRule(prefix: string): Rule {
  return {
    says: 'addresses for CN, JP, KR and RU in the local language, up to 10 Latin characters in addressLine1 and addressLine2',
    takes: ['CN', 'JP', 'KR', 'RU'].map((country) => ({
      [`${prefix}.country`]: country,
      [`${prefix}.addressLine1`]: '東京 ABCDEFGHIJ',
      [`${prefix}.addressLine2`]: '東京 ABCDEFGHIJ',
    })),
    refuses: ['CN', 'JP', 'KR', 'RU'].flatMap((country) =>
      ['addressLine1', 'addressLine2'].map((line) => ({
        changes: {
          [`${prefix}.country`]: country,
          [`${prefix}.addressLine1`]: '東京',
          [`${prefix}.${line}`]: '東京 ABCDEFGHIJK',
        },
        names: [`${prefix}.${line}`],
      })),
    ),
  };
}

const CPF = '111.444.777-35';
const CNPJ = '11.222.333/0001-81';

export function brazilRule(prefix: string): Rule {
  const none = {
    isBusiness: undefined,
    federalTaxId: undefined,
    stateTaxId: undefined,
    registrationStateCode: undefined,
  };
  const at = (fields: Record<string, unknown>) =>
    Object.fromEntries(Object.entries({ ...none, ...fields }).map(([name, value]) => [`${prefix}.${name}`, value]));
  const inBrazil = (fields: Record<string, unknown>) => at({ country: 'BR', ...fields });
  const names = (...fields: string[]) => fields.map((field) => `${prefix}.${field}`);
  const company = { isBusiness: true, federalTaxId: CNPJ, stateTaxId: '110042490114', registrationStateCode: 'SP' };
  return {
    says: 'Brazil: federalTaxId mandatory; a CNPJ, stateTaxId and registrationStateCode with isBusiness, all mandatory for a company',
    takes: [inBrazil({ federalTaxId: CPF }), inBrazil(company)],
    refuses: [
      { changes: inBrazil({}), names: names('federalTaxId') },
      { changes: inBrazil({ federalTaxId: CNPJ }), names: names('isBusiness', 'federalTaxId') },
      {
        changes: inBrazil({ ...company, isBusiness: undefined }),
        names: names('isBusiness', 'stateTaxId', 'federalTaxId'),
      },
      { changes: inBrazil({ ...company, stateTaxId: undefined }), names: names('stateTaxId') },
      { changes: inBrazil({ ...company, registrationStateCode: undefined }), names: names('registrationStateCode') },
      { changes: inBrazil({ ...company, federalTaxId: undefined }), names: names('federalTaxId') },
      { changes: at({ stateTaxId: '110042490114' }), names: names('stateTaxId', 'isBusiness') },
      { changes: at({ registrationStateCode: 'SP' }), names: names('registrationStateCode', 'isBusiness') },
    ],
  };
}

export function unitedKingdomRule(prefix: string): Rule {
  return {
    says: 'country: United Kingdom is GB',
    takes: [{ [`${prefix}.country`]: 'GB' }],
    refuses: [{ changes: { [`${prefix}.country`]: 'UK' }, names: [] }],
    serviceOnly: true,
  };
}
