import { PrintServiceError } from '../errors.ts';
import type { LegacyOrderStatus, ShippingObject } from './legacy-objects.ts';
import type { CreateOptions, FoundOrder, PortMethod, PortQuoteRequest, PrintOrderBody, PortOrder } from '../port.ts';

// Code that the v1 and v2 adapters share.

/**
 * How long the status of a new order may be missing, because the service queues create requests for several seconds
 * (docs/rules/print-interface.md#limits).
 */
export const MAX_QUEUE_MS = 5_000;

/** Converts the recipient to the earlier interfaces' field names. These interfaces have no tax IDs and no business flag. */
export function toLegacyRecipient({ recipient }: Pick<PortQuoteRequest, 'recipient'>) {
  const { firstName, lastName, addressLine1, addressLine2, city, postCode, state, country, email, phone } = recipient;
  return {
    countryIsoCode: country,
    firstName,
    lastName,
    addressLine1,
    ...(addressLine2 === undefined ? {} : { addressLine2 }),
    city,
    postcode: postCode,
    ...(state === undefined ? {} : { stateCode: state }),
    email,
    ...(phone === undefined ? {} : { phone }),
  };
}

/** Converts a legacy quote's shipment to a method with its promise. Prices are in the quote's currency. */
export function toPortMethod(shipment: ShippingObject, currency: string): PortMethod {
  const { uid, name, serviceType, methodType, price, minDeliveryDate, maxDeliveryDate, numberOfParcels } = shipment;
  const { promiseUid, promiseExpirationDateTime } = shipment;
  return {
    shipmentMethodUid: uid,
    name,
    type: serviceType,
    price,
    currency,
    minDeliveryDate,
    maxDeliveryDate,
    isPrivate: methodType === null ? null : methodType !== 'business',
    isBusiness: methodType === null ? null : methodType !== 'private',
    incoTerms: null,
    numberOfParcels,
    promise: { uid: promiseUid, expiresAt: promiseExpirationDateTime },
  };
}

/**
 * Returns the promise from which to create an order. Throws PrintServiceError for a draft, because the earlier interfaces have no drafts.
 */
export function getPromiseUid({ promise }: PrintOrderBody, { orderType }: CreateOptions): string {
  if (promise !== undefined && orderType === 'order') return promise.uid;
  const reason = `not sent because ${promise === undefined ? 'the order has no promise' : 'the earlier interface has no drafts'}`;
  throw new PrintServiceError({ operation: 'createOrder', outcome: 'refused', reason, field: 'promiseUid' });
}

/** Order fields that the earlier interfaces never return. */
const MISSING_FIELDS = { currency: null, shippingAddress: null, receipts: [], billingEntity: null };

/** Returns an order that the service has just accepted. The service's response contains no details of the order. */
export function toAcceptedOrder(orderReferenceId: string): PortOrder {
  return { ...toOrder(orderReferenceId, 'created'), ...MISSING_FIELDS, items: [], shipment: null, productionLog: [] };
}

/** Yields each order that has a status, with one request per reference. The caller can stop reading early. */
export async function* findByStatus(
  references: readonly string[],
  readStatus: (reference: string) => Promise<PortOrder>,
): AsyncGenerator<FoundOrder, void> {
  for (const reference of references) {
    const order = await readStatus(reference).catch((error: unknown) => {
      if (error instanceof PrintServiceError && error.outcome === 'not_found') return null;
      throw error;
    });
    if (order) yield order;
  }
}

/**
 * Converts a status to an order with its items and packages. An item may be in several packages, and a package may contain several items.
 */
export function toPortOrder({ orderReferenceId, orderItems }: LegacyOrderStatus): PortOrder {
  const codes = orderItems.flatMap(({ itemReferenceId, trackingCodes }) =>
    trackingCodes
      .filter(({ trackingCode }) => trackingCode !== null && trackingCode !== '')
      .map((tracking) => ({ itemReferenceId, ...tracking })),
  );
  const packages = [...Map.groupBy(codes, ({ trackingCode }) => trackingCode)].map(([trackingCode, ofCode]) => ({
    trackingCode,
    trackingUrl: ofCode.find(({ trackingUrl }) => trackingUrl !== null && trackingUrl !== '')?.trackingUrl ?? null,
    orderItemIds: ofCode.map(({ itemReferenceId }) => itemReferenceId),
  }));
  return {
    ...toOrder(orderReferenceId, toOrderStatus(orderItems.map(({ status }) => status))),
    ...MISSING_FIELDS,
    items: orderItems.map(({ itemReferenceId, status }) => ({
      id: itemReferenceId,
      itemReferenceId,
      productUid: null,
      quantity: null,
      fulfillmentStatus: status,
    })),
    shipment: { shipmentMethodUid: null, shipmentMethodName: null, packages },
    productionLog: orderItems.flatMap(({ itemReferenceId, productionLog }) =>
      productionLog.map((line) => ({ itemReferenceId, ...line })),
    ),
  };
}

function toOrder(orderReferenceId: string, fulfillmentStatus: string | null): FoundOrder {
  return {
    id: orderReferenceId,
    orderReferenceId,
    orderType: 'order',
    fulfillmentStatus,
    financialStatus: null,
    connectedOrderIds: [],
    createdAt: null,
  };
}

const STATUS_SEQUENCE = ['passed', 'printed', 'shipped'];

/**
 * Derives an order's status from its items' statuses. Failed and canceled items count only if there are no other items. Among the other
 * items, a status outside the usual sequence takes precedence. Otherwise, the least advanced status applies.
 */
function toOrderStatus(statuses: readonly (string | null)[]): string | null {
  const unfinished = statuses.filter((status) => status !== 'failed' && status !== 'canceled');
  if (unfinished.length === 0) return statuses.includes('failed') ? 'failed' : (statuses[0] ?? null);
  const unusual = unfinished.find((status) => !STATUS_SEQUENCE.includes(status ?? ''));
  if (unusual !== undefined) return unusual;
  return STATUS_SEQUENCE.find((status) => unfinished.includes(status)) ?? null;
}
