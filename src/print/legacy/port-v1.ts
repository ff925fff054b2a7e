import { createHash } from 'node:crypto';
import type { LegacyV1Calls } from '../client.ts';
import { PrintServiceError } from '../errors.ts';
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

/** Creates the port for v1, in which an order contains one product, has an integer reference and can be canceled. */
export function createV1Port(calls: LegacyV1Calls): PrintPort {
  const readStatus = async (reference: string, { isNewlyCreated = false } = {}) =>
    toPortOrder(await calls.getOrderStatus(reference, isNewlyCreated ? { retryNotFoundMs: MAX_QUEUE_MS } : {}));
  const find = (filter: FindFilter) =>
    findByStatus('ids' in filter ? filter.ids : filter.orderReferenceIds, readStatus);
  return {
    printInterface: 'v1',
    foundPerRequest: 1,
    async quote(request) {
      const { production } = await calls.quote(toQuoteV1Request(request));
      const { itemReferenceIds, productionCountry, shipments } = production;
      const shipmentMethods = shipments.map((shipment) => toPortMethod(shipment, request.currency));
      return [{ id: null, itemReferenceIds, fulfillmentCountry: productionCountry, shipmentMethods, products: [] }];
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
    cancel: (orderReferenceId) => calls.cancelOrder(orderReferenceId),
    deleteDraft: 'unsupported',
  };
}

function toQuoteV1Request(request: PortQuoteRequest): Parameters<LegacyV1Calls['quote']>[0] {
  const { orderReferenceId, customerReferenceId, currency: currencyIsoCode, products } = request;
  const [product] = products;
  if (!product || products.length > 1) {
    const reason = `not sent because v1 accepts one product, not ${products.length}`;
    throw new PrintServiceError({ operation: 'quote', outcome: 'refused', reason, field: 'product' });
  }
  return {
    order: {
      orderReferenceId: Number(orderReferenceId),
      customerReferenceId: toInteger(customerReferenceId),
      currencyIsoCode,
    },
    recipient: toLegacyRecipient(request),
    product: {
      itemReferenceId: Number(product.itemReferenceId),
      productUid: product.productUid,
      pdfUrl: product.files?.[0]?.url ?? '',
      quantity: product.quantity,
    },
  };
}

/** Returns a stable integer below 2^31 for a customer. The integer does not identify the customer. */
function toInteger(customerReferenceId: string): number {
  return createHash('sha256').update(customerReferenceId).digest().readUInt32BE() >>> 1;
}
