import { z } from 'zod';
import { stringUpTo, filled } from '../lengths.ts';
import { count, identifier, list, methodPrice, number, text } from '../current/objects.ts';
import { countrySchema, emailSchema, limited, phoneSchema, required } from '../current/request-objects.ts';

// The objects that v1 and v2 share. Requests are parsed strictly, and responses leniently.

/** Countries that require a `stateCode`. For Great Britain, the code is that of the county (docs/rules/print-interface.md#v1-quote). */
const COUNTRIES_WITH_STATE_CODES = new Set(['BR', 'IN', 'CL', 'AU', 'GB', 'US']);
const PROMISE_UID_LENGTH = 26;

/** Identifies one shipping method of a quote until the promise expires (docs/rules/print-interface.md#v1-order-create). */
const promiseUidSchema = stringUpTo(PROMISE_UID_LENGTH).regex(/^d_[a-zA-Z0-9]{24}$/, 'must be a promise UID');

/** The body of an order create request, which is the same in v1 and v2. */
export const createFromPromiseRequestSchema = z.strictObject({ promiseUid: promiseUidSchema });

/** The currency of a quote's shipping prices. The service responds to an unsupported currency with a 404. */
export const currencyIsoCodeSchema = stringUpTo(3).regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code');

const recipientFields = {
  countryIsoCode: countrySchema,
  firstName: limited(required, 25),
  lastName: limited(required, 25),
  addressLine1: limited(required, 35),
  addressLine2: limited(z.string(), 35).optional(),
  city: limited(required, 30),
  postcode: limited(required, 15),
  stateCode: limited(z.string(), 35).optional(),
  email: emailSchema,
  phone: phoneSchema.optional(),
};

/** The recipient of a v1 order (docs/rules/print-interface.md#v1-quote). */
export const recipientV1Schema = z.strictObject(recipientFields).superRefine(requireStateCode);

/** The recipient of a v2 order, with v1's fields and a company. */
export const recipientV2Schema = z
  .strictObject({ ...recipientFields, companyName: limited(z.string(), 60).optional() })
  .superRefine(requireStateCode);

function requireStateCode(
  recipient: { countryIsoCode: string; stateCode?: string | undefined },
  ctx: z.RefinementCtx,
): void {
  if (COUNTRIES_WITH_STATE_CODES.has(recipient.countryIsoCode) && !recipient.stateCode) {
    ctx.addIssue({ code: 'custom', path: ['stateCode'], message: 'is required for this country' });
  }
}

/**
 * A shipping method for one production, which is one facility's part of a quote (docs/rules/print-interface.md#shipping-option). An order
 * is created from its promise. `price` is for shipping only, in the quote's currency. `totalWeight` is in grams, and dates are YYYY-MM-DD.
 * The v1 documentation lists `promiseUid` as an integer, but Platen reads it as a string.
 */
const shippingObjectSchema = z.looseObject({
  promiseUid: identifier,
  name: text,
  uid: identifier,
  price: methodPrice,
  minDeliveryDays: count,
  maxDeliveryDays: count,
  minDeliveryDate: text,
  maxDeliveryDate: text,
  serviceType: text,
  methodType: text,
  totalWeight: number,
  numberOfParcels: count,
  promiseExpirationDateTime: filled,
});
export type ShippingObject = z.output<typeof shippingObjectSchema>;

/** One facility's part of a quote as received, with one item or a list of items. */
export const productionSchema = z.looseObject({
  itemReferenceId: z.union([identifier, z.array(identifier)]),
  productionCountry: text,
  productionTimeZone: text,
  shipments: z.array(shippingObjectSchema),
});

/** One facility's part of a quote, and its shipping methods. */
export interface Production {
  itemReferenceIds: string[];
  productionCountry: string | null;
  productionTimeZone: string | null;
  shipments: ShippingObject[];
}

/**
 * Converts a production to a single format. In a response, `itemReferenceId` is a string or an array
 * (docs/rules/print-interface.md#v2-quote).
 */
export function toProduction({ itemReferenceId, ...rest }: z.output<typeof productionSchema>): Production {
  return { ...rest, itemReferenceIds: [itemReferenceId].flat() };
}

/** The response to an order create request. After a response without a message, it is unclear whether an order exists. */
export const createFromPromiseResponseSchema = z.looseObject({ message: z.string() });

/**
 * The tracking data of one parcel (docs/rules/print-interface.md#legacy-item). Strings may be empty before shipment. `parcelNumber`
 * starts at 1.
 */
const trackingCodeSchema = z.looseObject({ parcelNumber: count, trackingCode: text, trackingUrl: text });

/** One line of an item's production log (docs/rules/print-interface.md#legacy-item). */
const productionLogSchema = z.looseObject({ date: text, printJobId: text, message: text });

/** One item of an order as shown in a status response. `status` may be a value that the interface does not list. */
export const legacyOrderItemSchema = z.looseObject({
  itemReferenceId: identifier,
  status: text,
  trackingCode: list(trackingCodeSchema),
  productionLog: list(productionLogSchema),
});

/** The status of one item in a v1 or v2 order. */
export interface LegacyOrderItem {
  itemReferenceId: string;
  status: string | null;
  trackingCodes: z.output<typeof trackingCodeSchema>[];
  productionLog: z.output<typeof productionLogSchema>[];
}

/** The status of a v1 order (always one item) or a v2 order, in a single format. */
export interface LegacyOrderStatus {
  orderReferenceId: string;
  orderItems: LegacyOrderItem[];
}

/** Renames the interface's list `trackingCode` to `trackingCodes`. */
export function toLegacyOrderItem({ trackingCode, ...item }: z.output<typeof legacyOrderItemSchema>): LegacyOrderItem {
  return { ...item, trackingCodes: trackingCode };
}
