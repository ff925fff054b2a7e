import { createFromPromiseRequestSchema } from '../../../src/print/legacy/legacy-objects.ts';
import { buildOrder } from '../orders/build-order.ts';
import { buildShipment } from '../production/build-shipment.ts';
import { listFacilitiesFor } from '../production/facilities.ts';
import { moveOrder } from '../production/move-order.ts';
import type { CreateRequest, OrderRecord } from '../orders/order-record.ts';
import { chargeOrder } from '../orders/payment.ts';
import { parseRequest } from '../parse-request.ts';
import type { StandIn } from '../stand-in.ts';
import { planLegacyOrder } from './legacy-orders.ts';
import { findPromise, type Host, type Recipient, type ShippingPromise } from './promises.ts';
import { toWantedProducts } from './to-wanted-products.ts';

/**
 * Serves `POST /v1/order/create` and `/v2/order/create` (documented interface): creates an order from a promise. If a promise is sent
 * again, another order is created. The test host accepts orders but never advances them. Throws a `Refusal` (400).
 */
export function createFromPromise(standIn: StandIn, account: string, host: Host, body: unknown): { message: string } {
  const { promiseUid } = parseRequest(createFromPromiseRequestSchema, body);
  const promise = findPromise(standIn, account, host, promiseUid);
  const { orderReferenceId, quoteId, version } = promise;
  const created = buildRecord(standIn, promise);
  const record = host === 'test' ? moveOrder(standIn, created, 'passed') : chargeOrder(standIn, created);
  const printJobIds = Object.fromEntries(
    promise.products.map(({ itemReferenceId }) => [itemReferenceId, Number(standIn.ids.nextNumber())]),
  );
  const orderId = record.order.id;
  standIn.books.write(
    planLegacyOrder({ orderId, quoteId, account, host, version, orderReferenceId, printJobIds }, record),
  );
  return { message: version === 'v1' ? 'Promise accepted.' : 'Order submitted.' };
}

function buildRecord(standIn: StandIn, promise: ShippingPromise): OrderRecord {
  const { account, currency, recipient, shipmentMethodUid } = promise;
  const country = recipient.countryIsoCode;
  const items = toWantedProducts(promise.products, (index) => `products[${index}]`).map((item) => ({
    ...item,
    files: [{ type: 'default', url: item.quoted.pdfUrl }],
  }));
  const facility = listFacilitiesFor(country).find(({ id }) => id === promise.facilityId);
  if (!facility) throw new Error('the promise names an unknown facility');
  const nowMs = standIn.clock.now().getTime();
  const shipment = buildShipment(
    items.flatMap((item) => [item, ...item.envelopes]),
    {
      facility,
      country,
      currency,
      shipmentMethod: shipmentMethodUid,
      isFurtherPart: false,
      now: new Date(nowMs),
      extended: standIn.extended,
    },
  );
  const origin = { channel: 'api', storeId: null };
  const request = toCreateRequest(promise);
  const parts = { id: standIn.ids.nextUuid(), connectedOrderIds: [], request, items, shipment, origin, nowMs };
  const order = buildOrder(parts, standIn.ids);
  return { account, createdMs: nowMs, movedMs: nowMs, shipmentMethod: shipmentMethodUid, deleted: false, order };
}

/** Returns the create request that would create the same order through the current interface. */
function toCreateRequest({ recipient, products, ...promise }: ShippingPromise): CreateRequest {
  return {
    orderType: 'order',
    orderReferenceId: promise.orderReferenceId,
    customerReferenceId: promise.customerReferenceId,
    currency: promise.currency,
    items: products.map(({ itemReferenceId, productUid, pdfUrl: fileUrl, quantity }) => ({
      itemReferenceId,
      productUid,
      fileUrl,
      quantity,
    })),
    shippingAddress: toShippingAddress(recipient),
    shipmentMethodUid: promise.shipmentMethodUid,
  };
}

function toShippingAddress({
  countryIsoCode: country,
  postcode: postCode,
  stateCode: state,
  ...recipient
}: Recipient): CreateRequest['shippingAddress'] {
  return { ...recipient, country, postCode, state };
}
