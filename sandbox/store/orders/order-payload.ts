import { fullName } from './address.ts';
import { orderAmounts, toAmount } from './amounts.ts';
import { toNumericId } from '../graphql/gid.ts';
import { fulfilledQuantity, restFulfillmentStatus, unfulfilledQuantity } from './order-status.ts';
import type { Address, Fulfillment, FulfillmentEvent, LineItem, Order, ShippingLine } from '../state.ts';
import { dateTime, dateTimeOrNull } from '../graphql/view.ts';

/** Returns an order in the format of `orders/…` webhook bodies. IDs are bigints for `exactJson`. */
export function orderPayload(order: Order) {
  const amounts = orderAmounts(order);
  return {
    ...restId(order.id),
    app_id: null,
    cancel_reason: order.cancelReason?.toLowerCase() ?? null,
    cancelled_at: dateTimeOrNull(order.cancelledAt),
    closed_at: dateTimeOrNull(order.closedAt),
    confirmed: true,
    contact_email: order.email,
    created_at: dateTime(order.createdAt),
    currency: order.currencyCode,
    current_subtotal_price: toAmount(amounts.currentSubtotal),
    current_total_price: toAmount(amounts.currentTotal),
    customer_locale: order.customerLocale,
    email: order.email,
    financial_status: order.financialStatus.toLowerCase(),
    fulfillment_status: restFulfillmentStatus(order),
    name: order.name,
    note: order.note,
    note_attributes: order.customAttributes.map(({ key, value }) => ({ name: key, value })),
    number: order.number - 1000,
    order_number: order.number,
    phone: order.phone,
    presentment_currency: order.presentmentCurrencyCode,
    processed_at: dateTime(order.processedAt),
    source_name: order.sourceName,
    subtotal_price: toAmount(amounts.subtotal),
    tags: order.tags.join(', '),
    test: order.test,
    total_price: toAmount(amounts.total),
    taxes_included: order.taxesIncluded ?? false,
    total_discounts: toAmount(amounts.discount),
    total_tax: toAmount(amounts.tax),
    updated_at: dateTime(order.updatedAt),
    billing_address: order.billingAddress && addressPayload(order.billingAddress),
    customer: order.customerId === null ? null : { ...restId(order.customerId), email: order.email },
    fulfillments: order.fulfillments.map((fulfillment) => fulfillmentPayload(order, fulfillment)),
    line_items: order.lineItems.map((line) => linePayload(order, line)),
    refunds: order.refunds.map((refund) => refundPayload(order, refund)),
    shipping_address: order.shippingAddress && addressPayload(order.shippingAddress),
    shipping_lines: order.shippingLines.map(shippingLinePayload),
  };
}

/** Returns a refund in the format of the `refunds/create` body. */
export function refundPayload(order: Order, refund: Order['refunds'][number]) {
  return {
    ...restId(refund.id),
    order_id: BigInt(toNumericId(order.id)),
    created_at: dateTime(refund.createdAt),
    processed_at: dateTime(refund.createdAt),
    note: refund.note,
    refund_line_items: refund.lines.map((line) => ({
      line_item_id: BigInt(toNumericId(line.lineItemId)),
      quantity: line.quantity,
      restock_type: line.restockType?.toLowerCase() ?? 'no_restock',
    })),
  };
}

/** Returns a fulfillment in the format of `fulfillments/…` webhook bodies. */
export function fulfillmentPayload(order: Order, fulfillment: Fulfillment) {
  const numbers = fulfillment.tracking.flatMap(({ number }) => number ?? []);
  const urls = fulfillment.tracking.flatMap(({ url }) => url ?? []);
  return {
    ...restId(fulfillment.id),
    order_id: BigInt(toNumericId(order.id)),
    name: fulfillment.name,
    status: fulfillment.status.toLowerCase(),
    created_at: dateTime(fulfillment.createdAt),
    updated_at: dateTime(fulfillment.updatedAt),
    location_id: BigInt(toNumericId(fulfillment.locationId)),
    shipment_status: fulfillment.events.at(-1)?.status.toLowerCase() ?? null,
    tracking_company: fulfillment.tracking[0]?.company ?? null,
    tracking_number: numbers[0] ?? null,
    tracking_numbers: numbers,
    tracking_url: urls[0] ?? null,
    tracking_urls: urls,
    line_items: fulfillment.lines.flatMap((part) => {
      const line = order.lineItems.find(({ id }) => id === part.lineItemId);
      return line ? [{ ...linePayload(order, line), quantity: part.quantity }] : [];
    }),
  };
}

/** Returns an event of a fulfillment in the format of the `fulfillment_events/create` body. */
export function fulfillmentEventPayload(order: Order, fulfillment: Fulfillment, event: FulfillmentEvent) {
  return {
    ...restId(event.id),
    fulfillment_id: BigInt(toNumericId(fulfillment.id)),
    order_id: BigInt(toNumericId(order.id)),
    status: event.status.toLowerCase(),
    message: event.message,
    happened_at: dateTime(event.happenedAt),
    estimated_delivery_at: dateTimeOrNull(event.estimatedDeliveryAt),
    created_at: dateTime(event.createdAt),
    updated_at: dateTime(event.createdAt),
    ...event.place,
  };
}

function linePayload(order: Order, line: LineItem) {
  const fulfilled = fulfilledQuantity(order, line);
  return {
    ...restId(line.id),
    current_quantity: line.currentQuantity,
    fulfillable_quantity: unfulfilledQuantity(order, line),
    fulfillment_status: fulfilled === 0 ? null : fulfilled < line.currentQuantity ? 'partial' : 'fulfilled',
    gift_card: line.isGiftCard,
    grams: line.grams,
    name: line.variantTitle === null ? line.title : `${line.title} - ${line.variantTitle}`,
    price: line.price,
    product_exists: line.productId !== null,
    product_id: line.productId === null ? null : BigInt(toNumericId(line.productId)),
    properties: line.customAttributes.map(({ key, value }) => ({ name: key, value })),
    quantity: line.quantity,
    requires_shipping: line.requiresShipping,
    sku: line.sku,
    taxable: line.taxable,
    title: line.title,
    variant_id: line.variantId === null ? null : BigInt(toNumericId(line.variantId)),
    variant_title: line.variantTitle,
    vendor: line.vendor,
  };
}

function shippingLinePayload(line: ShippingLine) {
  const { title, code, source, price } = line;
  return { id: BigInt(toNumericId(line.id)), title, code, source, price, is_removed: false };
}

function addressPayload(address: Address) {
  return {
    first_name: address.firstName,
    last_name: address.lastName,
    name: fullName(address),
    company: address.company,
    address1: address.address1,
    address2: address.address2,
    city: address.city,
    province: address.province,
    province_code: address.provinceCode,
    country: address.country,
    country_code: address.countryCode,
    zip: address.zip,
    phone: address.phone,
  };
}

function restId(gid: string) {
  return { id: BigInt(toNumericId(gid)), admin_graphql_api_id: gid };
}
