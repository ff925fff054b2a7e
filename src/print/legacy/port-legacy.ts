import { PrintServiceError } from '../errors.ts';
import type { LegacyOrderStatus, ShippingObject } from './legacy-objects.ts';
import type { CreateOptions, FoundOrder, PortMethod, PortQuoteRequest, PrintOrderBody, ShownOrder } from '../port.ts';

// Shared by the adapters of v1 and v2.

/** How long a status may be missing after a create, which is queued for some seconds (docs/rules/print-interface.md#limits). */
export const QUEUED_MS = 5_000;

/** The recipient under the earlier interface's names; it has no tax ids and no business flag. */
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

/** A shipment of a legacy quote as a method that carries its promise; prices are in the currency of the quote. */
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

/** The promise that an order is created from. Throws PrintServiceError for a draft, which the earlier interface does not have. */
export function promiseOf({ promise }: PrintOrderBody, { orderType }: CreateOptions): string {
  if (promise !== undefined && orderType === 'order') return promise.uid;
  const reason = `not sent, ${promise === undefined ? 'there is no promise' : 'the earlier interface has no drafts'}`;
  throw new PrintServiceError({ operation: 'createOrder', outcome: 'refused', reason, field: 'promiseUid' });
}

/** Fields of an order that the earlier interface never shows. */
const NOT_SHOWN = { currency: null, shippingAddress: null, receipts: [], billingEntity: null };

/** An order that was just accepted: the response shows only that. */
export function toTakenOrder(orderReferenceId: string): ShownOrder {
  return { ...toOrder(orderReferenceId, 'created'), ...NOT_SHOWN, items: [], shipment: null, productionLog: [] };
}

/** All references that have a status, one call at a time; a caller that has seen enough stops reading. */
export async function* findByStatus(
  references: readonly string[],
  readStatus: (reference: string) => Promise<ShownOrder>,
): AsyncGenerator<FoundOrder, void> {
  for (const reference of references) {
    const order = await readStatus(reference).catch((error: unknown) => {
      if (error instanceof PrintServiceError && error.outcome === 'not_found') return null;
      throw error;
    });
    if (order) yield order;
  }
}

/** A status as an order with its items and packages. An item may be in several parcels, and a parcel may contain several items. */
export function toShownOrder({ orderReferenceId, orderItems }: LegacyOrderStatus): ShownOrder {
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
    ...NOT_SHOWN,
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

const WAY = ['passed', 'printed', 'shipped'];

/** The status of an order from those of its items: the slowest unfinished one. Finished ones count only when all are finished. */
function toOrderStatus(statuses: readonly (string | null)[]): string | null {
  const unfinished = statuses.filter((status) => status !== 'failed' && status !== 'canceled');
  if (unfinished.length === 0) return statuses.includes('failed') ? 'failed' : (statuses[0] ?? null);
  const unusual = unfinished.find((status) => !WAY.includes(status ?? ''));
  if (unusual !== undefined) return unusual;
  return WAY.find((status) => unfinished.includes(status)) ?? null;
}
