import { z } from 'zod';
import { filled, stringUpTo } from '../lengths.ts';

// The objects in the service's responses, parsed leniently: unknown fields and values are preserved, and an absent, mistyped or oversized
// field becomes null. An order that a response reports must not be lost because of one invalid field. Only IDs that Platen relies on are
// required. The bounds ensure that the database can store every value. No real value comes near them.

const MAX_TEXT_LENGTH = 10_000;
const MAX_LONG_TEXT_LENGTH = 200_000;
/** An index entry of the database has at most about 2,700 bytes. */
const MAX_ID_LENGTH = 300;
/** The largest number that fits into an integer column. */
const MAX_COUNT = 2 ** 31 - 1;
const MAX_NUMBER = 1e12;
const MAX_AMOUNT_LENGTH = 40;

/** Wraps a schema so that an absent or invalid value becomes null. */
export function optional<Inner extends z.ZodType>(inner: Inner) {
  return inner
    .nullish()
    .transform((value) => value ?? null)
    .catch(null);
}

/** A string of at most `maximum` characters. A number becomes a string, because IDs come in both forms. */
function textUpTo(maximum: number) {
  return z.union([stringUpTo(maximum), z.number().transform(String)]);
}

/** A string, or null if absent, mistyped or too long. */
export const text = optional(textUpTo(MAX_TEXT_LENGTH));

/** A string that may be a whole document, such as a description. */
export const longText = optional(textUpTo(MAX_LONG_TEXT_LENGTH));

/** An ID in a string that is never empty. */
const filledId = filled.and(stringUpTo(MAX_ID_LENGTH));

/** An ID that Platen relies on. It is never empty. */
export const identifier = z.union([filledId, z.number().transform(String)]);

/** An ID that Platen stores but does not rely on. */
const optionalId = optional(textUpTo(MAX_ID_LENGTH));

/** A number, or null if absent, mistyped or too large. */
export const number = optional(z.number().min(-MAX_NUMBER).max(MAX_NUMBER));

/** A whole number of things, such as units. Digits in a string also count. */
export const count = optional(
  z.union([z.number(), stringUpTo(10).regex(/^\d+$/).transform(Number)]).pipe(z.int().min(0).max(MAX_COUNT)),
);

const flag = optional(z.boolean());

/** An amount of money in the service's own format, a number or a decimal string. Never sum it as a float. */
export const amount = optional(z.union([z.number(), stringUpTo(MAX_AMOUNT_LENGTH)]));

/**
 * The price of a shipping method, or an empty string if absent or unreadable. Platen never chooses a method without a price, but still
 * reads the other methods.
 */
export const methodPrice = amount.transform((value) => value ?? '');

/** A list that is empty if absent or unreadable. */
export function list<Element extends z.ZodType>(element: Element) {
  return z
    .array(element)
    .nullish()
    .transform((value) => value ?? [])
    .catch([]);
}

/** An address as a response echoes it (docs/rules/print-interface.md#response-address). */
const responseAddressSchema = z.looseObject({
  id: text,
  orderId: text,
  firstName: text,
  lastName: text,
  companyName: text,
  addressLine1: text,
  addressLine2: text,
  city: text,
  postCode: text,
  state: text,
  country: text,
  email: text,
  phone: text,
  isBusiness: flag,
  federalTaxId: text,
  stateTaxId: text,
  registrationStateCode: text,
});

/** A preview image of an item (docs/rules/print-interface.md#order-item). */
const previewSchema = z.looseObject({ type: text, url: text });

/** One item of an order (docs/rules/print-interface.md#order-item). */
const itemSchema = z.looseObject({
  id: identifier,
  itemReferenceId: identifier,
  productUid: text,
  fileUrl: text,
  processedFileUrl: text,
  quantity: count,
  fulfillmentStatus: text,
  previews: list(previewSchema),
});

/** One parcel of a shipment (docs/rules/print-interface.md#shipment). */
const packageSchema = z.looseObject({
  id: text,
  orderItemIds: list(identifier),
  trackingCode: text,
  trackingUrl: text,
});

/**
 * How an order is shipped (docs/rules/print-interface.md#shipment). Dates are YYYY-MM-DD without a time zone, and `totalWeight` is in
 * grams.
 */
const shipmentSchema = z.looseObject({
  id: text,
  shipmentMethodName: text,
  shipmentMethodUid: text,
  minDeliveryDays: count,
  maxDeliveryDays: count,
  minDeliveryDate: text,
  maxDeliveryDate: text,
  totalWeight: number,
  fulfillmentCountry: text,
  fulfillmentFacilityId: text,
  packagesCount: count,
  packages: list(packageSchema),
});

/** The company that pays (docs/rules/print-interface.md#billing-entity). */
const billingEntitySchema = z.looseObject({
  id: text,
  companyName: text,
  companyNumber: text,
  companyVatNumber: text,
  country: text,
  recipientName: text,
  addressLine1: text,
  addressLine2: text,
  city: text,
  postCode: text,
  state: text,
  email: text,
  phone: text,
});

/** One row of a receipt (docs/rules/print-interface.md#receipt). */
const receiptItemSchema = z.looseObject({
  id: text,
  receiptId: text,
  referenceId: text,
  type: text,
  title: text,
  currency: text,
  priceBase: amount,
  amount: number,
  priceInitial: amount,
  discount: amount,
  price: amount,
  vat: amount,
  priceInclVat: amount,
  createdAt: text,
  updatedAt: text,
});

/** The costs of an order (docs/rules/print-interface.md#receipt), in the receipt's own `currency`. */
const receiptSchema = z.looseObject({
  id: optionalId,
  orderId: text,
  transactionType: text,
  currency: text,
  items: list(receiptItemSchema),
  productsPriceInitial: amount,
  productsPriceDiscount: amount,
  productsPrice: amount,
  productsPriceVat: amount,
  productsPriceInclVat: amount,
  packagingPriceInitial: amount,
  packagingPriceDiscount: amount,
  packagingPrice: amount,
  packagingPriceVat: amount,
  packagingPriceInclVat: amount,
  shippingPriceInitial: amount,
  shippingPriceDiscount: amount,
  shippingPrice: amount,
  shippingPriceVat: amount,
  shippingPriceInclVat: amount,
  discount: amount,
  discountVat: amount,
  discountInclVat: amount,
  totalInitial: amount,
  total: amount,
  totalVat: amount,
  totalInclVat: amount,
});

/**
 * An order (docs/rules/print-interface.md#order), as returned by create, get and patch requests. If an order is produced in several places,
 * `connectedOrderIds` lists all its parts, including this one.
 */
export const orderSchema = z.looseObject({
  id: filledId,
  orderType: text,
  orderReferenceId: filledId,
  customerReferenceId: text,
  fulfillmentStatus: text,
  financialStatus: text,
  currency: text,
  channel: text,
  createdAt: text,
  updatedAt: text,
  orderedAt: text,
  items: list(itemSchema),
  metadata: list(z.looseObject({ key: text, value: text })),
  shipment: optional(shipmentSchema),
  billingEntity: optional(billingEntitySchema),
  shippingAddress: optional(responseAddressSchema),
  returnAddress: optional(responseAddressSchema),
  receipts: list(receiptSchema),
  connectedOrderIds: list(identifier),
});
export type Order = z.output<typeof orderSchema>;

/**
 * One record of a search (docs/rules/print-interface.md#search-record). `orderReferenceId` is empty if the record has no reference, as for
 * orders that were placed manually. A missing reference must not make the rest of the page unreadable.
 */
export const searchOrderRecordSchema = z.looseObject({
  id: identifier,
  orderReferenceId: identifier.catch(''),
  orderType: text,
  channel: text,
  connectedOrderIds: list(identifier),
  country: text,
  createdAt: text,
  updatedAt: text,
  orderedAt: text,
  currency: text,
  customerReferenceId: text,
  financialStatus: text,
  fulfillmentStatus: text,
  firstName: text,
  lastName: text,
  itemsCount: count,
  storeId: text,
  totalInclVat: amount,
});
export type SearchOrderRecord = z.output<typeof searchOrderRecordSchema>;

/** One shipping method of a quote (docs/rules/print-interface.md#shipment-method). `totalWeight` is in grams and includes the packaging. */
const shipmentMethodSchema = z.looseObject({
  name: text,
  shipmentMethodUid: identifier,
  price: methodPrice,
  currency: text.transform((value) => value ?? ''),
  minDeliveryDays: count,
  maxDeliveryDays: count,
  minDeliveryDate: text,
  maxDeliveryDate: text,
  type: text,
  isPrivate: flag,
  isBusiness: flag,
  totalWeight: number,
  numberOfParcels: count,
  incoTerms: text,
});

/** A quoted product (docs/rules/print-interface.md#quoted-product). */
const quotedProductSchema = z.looseObject({
  itemReferenceId: text,
  productUid: text,
  pageCount: count,
  quantity: count,
  price: amount,
  currency: text,
});

/** One facility's offer for some of the products (docs/rules/print-interface.md#quote). */
export const quoteSchema = z.looseObject({
  id: text,
  itemReferenceIds: z.array(identifier),
  fulfillmentCountry: text,
  shipmentMethods: z.array(shipmentMethodSchema),
  products: list(quotedProductSchema),
});
