import { connection, type PageArguments } from '../graphql/connection.ts';
import { toGid } from '../graphql/gid.ts';
import { lineItemView } from '../orders/line-item-view.ts';
import { findMergeable } from './merge-fulfillment-orders.ts';
import { variantView } from '../products/product-view.ts';
import { addressFields, locationView } from '../shop/shop-view.ts';
import type { FulfillmentOrder, FulfillmentOrderLine, Hold, MerchantRequest, Order } from '../state.ts';
import { supportedActions } from './supported-actions.ts';
import { dateTime, dateTimeOrNull, type View } from '../graphql/view.ts';
import type { Views } from '../graphql/views.ts';

/** Returns the view for the GraphQL type FulfillmentOrder. */
export function fulfillmentOrderView(views: Views, order: Order, fulfillmentOrder: FulfillmentOrder): View {
  return {
    __typename: 'FulfillmentOrder',
    id: fulfillmentOrder.id,
    status: fulfillmentOrder.status,
    requestStatus: fulfillmentOrder.requestStatus,
    orderId: order.id,
    orderName: order.name,
    orderProcessedAt: dateTime(order.processedAt),
    fulfillAt: dateTimeOrNull(fulfillmentOrder.fulfillAt),
    fulfillBy: dateTimeOrNull(fulfillmentOrder.fulfillBy),
    createdAt: dateTime(fulfillmentOrder.createdAt),
    updatedAt: dateTime(fulfillmentOrder.updatedAt),
    internationalDuties: null,
    assignedLocation: () => assignedLocationView(views, fulfillmentOrder),
    deliveryMethod: deliveryMethodView(order, fulfillmentOrder),
    destination: destinationView(order, fulfillmentOrder),
    supportedActions: [
      ...supportedActions(views.shop, fulfillmentOrder),
      ...(findMergeable(views.shop, order, fulfillmentOrder).length > 0 ? ['MERGE'] : []),
    ].map((action) => ({ action, externalUrl: null })),
    fulfillmentOrdersForMerge: (page: PageArguments) =>
      connection(findMergeable(views.shop, order, fulfillmentOrder), page, (other) =>
        views.fulfillmentOrder(order, other),
      ),
    fulfillmentHolds: fulfillmentOrder.holds.map(holdView),
    merchantRequests: ({ kind, ...page }: PageArguments & { kind?: string | null }) =>
      connection(
        fulfillmentOrder.merchantRequests.filter((request) => !kind || request.kind === kind),
        page,
        merchantRequestView,
      ),
    lineItems: (page: PageArguments) =>
      connection(fulfillmentOrder.lines, page, (line) => fulfillmentOrderLineView(views, order, line)),
    order: () => views.order(order),
    fulfillments: (page: PageArguments) =>
      connection(
        order.fulfillments.filter(({ lines }) => lines.some((line) => line.fulfillmentOrderId === fulfillmentOrder.id)),
        page,
        (fulfillment) => views.fulfillment(order, fulfillment),
      ),
  };
}

function assignedLocationView({ store, shop }: Views, { locationId }: FulfillmentOrder): View | null {
  const location = shop.locations.find(({ id }) => id === locationId);
  if (!location) return null;
  return {
    ...addressFields(location.address),
    name: location.name,
    location: () => locationView(store, shop, location),
  };
}

function deliveryMethodView(order: Order, { methodType, deliveryMethodId }: FulfillmentOrder): View {
  const line = methodType === 'NONE' ? undefined : order.shippingLines[0];
  return {
    __typename: 'DeliveryMethod',
    id: deliveryMethodId,
    methodType,
    presentedName: line?.title ?? null,
    serviceCode: line?.code ?? null,
    sourceReference: null,
    minDeliveryDateTime: null,
    maxDeliveryDateTime: null,
    brandedPromise: null,
    additionalInformation: null,
  };
}

function destinationView(order: Order, { id, methodType }: FulfillmentOrder): View | null {
  if (!order.shippingAddress || methodType === 'NONE') return null;
  return {
    __typename: 'FulfillmentOrderDestination',
    ...addressFields(order.shippingAddress),
    id: id.replace('FulfillmentOrder', 'FulfillmentOrderDestination'),
    email: order.email,
    location: null,
  };
}

/** Returns the view for the GraphQL type FulfillmentHold. */
export function holdView(hold: Hold): View {
  return {
    __typename: 'FulfillmentHold',
    id: hold.id,
    handle: hold.handle,
    reason: hold.reason,
    reasonNotes: hold.reasonNotes,
    displayReason: hold.reason.charAt(0) + hold.reason.slice(1).toLowerCase().replaceAll('_', ' '),
    heldByRequestingApp: hold.heldByApp,
    heldByApp: hold.heldByApp ? { __typename: 'App', id: toGid('App', 1), name: 'Sandbox app' } : null,
  };
}

function merchantRequestView(request: MerchantRequest): View {
  return {
    __typename: 'FulfillmentOrderMerchantRequest',
    id: request.id,
    kind: request.kind,
    message: request.message,
    requestOptions: request.kind === 'FULFILLMENT_REQUEST' ? { notify_customer: request.notifyCustomer } : null,
    responseData: null,
    sentAt: dateTime(request.sentAt),
  };
}

function fulfillmentOrderLineView(views: Views, order: Order, part: FulfillmentOrderLine): View {
  const { store, shop } = views;
  const line = order.lineItems.find(({ id }) => id === part.lineItemId);
  const product = line?.productId ? store.product(line.productId) : undefined;
  const variant = product?.variants.find(({ id }) => id === line?.variantId);
  return {
    __typename: 'FulfillmentOrderLineItem',
    id: part.id,
    totalQuantity: part.totalQuantity,
    remainingQuantity: part.remainingQuantity,
    sku: line?.sku ?? null,
    productTitle: line?.title ?? '',
    variantTitle: line?.variantTitle ?? null,
    vendor: line?.vendor ?? null,
    requiresShipping: line?.requiresShipping ?? false,
    inventoryItemId: variant?.inventoryItem.id ?? null,
    image: null,
    warnings: [],
    shippingLine: null,
    weight: { unit: 'GRAMS', value: line?.grams ?? 0 },
    lineItem: () => (line ? lineItemView(views, order, line) : null),
    variant: () => (product && variant ? variantView(store, shop, product, variant) : null),
  };
}
