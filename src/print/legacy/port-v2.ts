import type { LegacyV2Calls } from '../client.ts';
import {
  findByStatus,
  getPromiseUid,
  toLegacyRecipient,
  toPortMethod,
  toPortOrder,
  toAcceptedOrder,
  MAX_QUEUE_MS,
} from './port-legacy.ts';
import type { FindFilter, PortQuoteRequest, PrintPort } from '../port.ts';

/** Creates the port for v2, in which an order is created from a promise, is identified by its reference and cannot be canceled. */
export function createV2Port(calls: LegacyV2Calls): PrintPort {
  const readStatus = async (reference: string, { isNewlyCreated = false } = {}) =>
    toPortOrder(await calls.getOrderStatus(reference, isNewlyCreated ? { retryNotFoundMs: MAX_QUEUE_MS } : {}));
  const find = (filter: FindFilter) =>
    findByStatus('ids' in filter ? filter.ids : filter.orderReferenceIds, readStatus);
  return {
    printInterface: 'v2',
    foundPerRequest: 1,
    async quote(request) {
      const { production } = await calls.quote(toQuoteV2Request(request));
      return production.map(({ itemReferenceIds, productionCountry, shipments }) => ({
        id: null,
        itemReferenceIds,
        fulfillmentCountry: productionCountry,
        shipmentMethods: shipments.map((shipment) => toPortMethod(shipment, request.currency)),
        products: [],
      }));
    },
    async create(body, { orderType, ...options }) {
      await calls.createOrder(getPromiseUid(body, { orderType }), options);
      return toAcceptedOrder(body.orderReferenceId);
    },
    find,
    // Each reference has a request of its own, so no other order is affected.
    findAll: find,
    confirm: 'unsupported',
    status: readStatus,
    cancel: 'unsupported',
    deleteDraft: 'unsupported',
  };
}

function toQuoteV2Request(request: PortQuoteRequest): Parameters<LegacyV2Calls['quote']>[0] {
  const { orderReferenceId, customerReferenceId, currency: currencyIsoCode, recipient, products } = request;
  const { companyName } = recipient;
  return {
    order: { orderReferenceId, customerReferenceId, currencyIsoCode },
    recipient: { ...toLegacyRecipient(request), ...(companyName === undefined ? {} : { companyName }) },
    products: products.map(({ itemReferenceId, productUid, files, quantity, envelopes }) => ({
      itemReferenceId,
      productUid,
      pdfUrl: files?.[0]?.url ?? '',
      quantity,
      ...(envelopes === undefined ? {} : { options: [{ type: 'envelope' as const, ...envelopes }] }),
    })),
  };
}
