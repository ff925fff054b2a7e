import { createEmptyOrder } from '../orders/create-order.ts';
import { fulfillAll } from '../fulfillment/fulfill.ts';
import { toGid } from '../graphql/gid.ts';
import { placeOrder } from '../orders/place-order.ts';
import { withFulfillmentOrders } from '../fulfillment/route-order.ts';
import { importVariants } from './import-variants.ts';
import type { RecordedAddress, RecordedLine, RecordedOrder } from './recorded-order.ts';
import type { Address, LineItem, Order, Shop } from '../state.ts';
import type { Store } from '../store.ts';

/** The IDs of imported line items and variants, keyed by their recorded numbers. */
interface ImportedIds {
  lineIds: ReadonlyMap<string, string>;
  variantIds: ReadonlyMap<string, string>;
}

/**
 * Creates an order from the recorded body of a webhook or REST response. The order keeps the exact IDs from `admin_graphql_api_id`, if
 * present. IDs that are already in use are replaced by new ones. Missing products and variants are created and stocked at the main
 * warehouse. With `payable`, the order is placed now and paid, and is not a test, canceled, refunded or fulfilled.
 */
export function importOrder(store: Store, shop: Shop, recorded: RecordedOrder, payable: boolean): Order {
  const variantIds = importVariants(store, shop, recorded.line_items);
  const lineIds = new Map(recorded.line_items.map((line) => [line.id, freeGid(store, 'LineItem', line)]));
  const order = toOrder(store, shop, recorded, { lineIds, variantIds });
  if (payable) return placeOrder(store, shop, toPayable(store, order));
  if (order.cancelledAt !== null) return placeOrder(store, shop, withCancelledFulfillmentOrders(store, shop, order));
  if (recorded.fulfillment_status !== 'fulfilled') return placeOrder(store, shop, order);
  return placeOrder(store, shop, fulfillAll(store, withFulfillmentOrders(store, shop, order)));
}

function toOrder(store: Store, shop: Shop, recorded: RecordedOrder, imported: ImportedIds): Order {
  const empty = createEmptyOrder(store, shop);
  const createdAt = toTime(recorded.created_at);
  return {
    ...empty,
    id: freeGid(store, 'Order', recorded),
    name: recorded.name,
    number: recorded.order_number ?? empty.number,
    createdAt,
    processedAt: recorded.processed_at === null ? createdAt : toTime(recorded.processed_at),
    cancelledAt: recorded.cancelled_at === null ? null : toTime(recorded.cancelled_at),
    cancelReason: recorded.cancel_reason?.toUpperCase() ?? null,
    closedAt: recorded.closed_at === null ? null : toTime(recorded.closed_at),
    test: recorded.test ?? false,
    imported: true,
    financialStatus: (recorded.financial_status ?? 'pending').toUpperCase(),
    currencyCode: recorded.currency,
    presentmentCurrencyCode: recorded.presentment_currency ?? recorded.currency,
    sourceName: recorded.source_name ?? 'web',
    customerLocale: recorded.customer_locale,
    customerId: recorded.customer ? exactGid('Customer', recorded.customer) : null,
    email: recorded.email || null,
    phone: recorded.phone,
    note: recorded.note,
    tags: (recorded.tags ?? '').split(',').flatMap((tag) => tag.trim() || []),
    customAttributes: recorded.note_attributes,
    shippingAddress: toAddress(recorded.shipping_address),
    billingAddress: toAddress(recorded.billing_address),
    shippingLines: recorded.shipping_lines.map(({ title, code, source, price }) => ({
      id: store.newGid('ShippingLine'),
      title,
      code,
      source,
      price,
    })),
    lineItems: recorded.line_items.map((line) => toLineItem(store, recorded, line, imported)),
    refunds: recorded.refunds.map((refund) => ({
      id: toGid('Refund', refund.id),
      createdAt: toTime(refund.created_at),
      note: refund.note,
      lines: refund.refund_line_items.map(({ line_item_id, quantity }) => ({
        lineItemId: imported.lineIds.get(line_item_id) ?? toGid('LineItem', line_item_id),
        quantity,
      })),
    })),
  };
}

function toLineItem(store: Store, order: RecordedOrder, line: RecordedLine, imported: ImportedIds): LineItem {
  const refunded = order.refunds
    .flatMap((refund) => refund.refund_line_items)
    .reduce((sum, part) => (part.line_item_id === line.id ? sum + part.quantity : sum), 0);
  const variantId = imported.variantIds.get(line.variant_id ?? '') ?? null;
  return {
    id: imported.lineIds.get(line.id) ?? store.newGid('LineItem'),
    productId: variantId === null ? null : (store.productOf(variantId)?.id ?? null),
    variantId,
    title: line.title,
    variantTitle: line.variant_title,
    sku: line.sku,
    vendor: line.vendor,
    quantity: line.quantity,
    currentQuantity: line.current_quantity ?? line.quantity - refunded,
    price: line.price,
    grams: line.grams ?? 0,
    requiresShipping: line.requires_shipping,
    taxable: line.taxable,
    isGiftCard: line.gift_card,
    customAttributes: line.properties,
  };
}

function toPayable({ clock }: Store, order: Order): Order {
  const now = clock.now().toISOString();
  return {
    ...order,
    createdAt: now,
    processedAt: now,
    cancelledAt: null,
    cancelReason: null,
    closedAt: null,
    test: false,
    risk: 'low',
    financialStatus: 'PAID',
    refunds: [],
    lineItems: order.lineItems.map((line) => ({ ...line, currentQuantity: line.quantity })),
  };
}

function withCancelledFulfillmentOrders(store: Store, shop: Shop, order: Order): Order {
  const routed = withFulfillmentOrders(store, shop, order);
  for (const fulfillmentOrder of routed.fulfillmentOrders) {
    fulfillmentOrder.status = 'CANCELLED';
    for (const line of fulfillmentOrder.lines) line.remainingQuantity = 0;
  }
  return routed;
}

function toAddress(recorded: RecordedAddress | null | undefined): Address | null {
  if (!recorded) return null;
  const { company, address1, address2, city, province, country, zip, phone } = recorded;
  const parts = { company, address1, address2, city, province, country, zip, phone };
  const { first_name: firstName, last_name: lastName } = recorded;
  return { ...parts, firstName, lastName, provinceCode: recorded.province_code, countryCode: recorded.country_code };
}

function exactGid(type: string, recorded: { id: string; admin_graphql_api_id?: string | null | undefined }): string {
  const exact = recorded.admin_graphql_api_id;
  return exact?.startsWith(`gid://shopify/${type}/`) ? exact : toGid(type, recorded.id);
}

function freeGid(store: Store, type: 'Order' | 'LineItem', recorded: Parameters<typeof exactGid>[1]): string {
  const exact = exactGid(type, recorded);
  return (store.order(exact) ?? store.orderOf(exact)) ? store.newGid(type) : exact;
}

function toTime(recorded: string): string {
  return new Date(recorded).toISOString();
}
