import type { Ids } from '../ids.ts';
import { toTimestamp, type OrderItem, type OrderPackage, type OrderRecord } from './order-record.ts';

/** The two styles of payload (interface page, Events): named by `event`, or by the older `object`. */
type EventStyle = 'event' | 'object';

/** An event before it takes a style. */
export interface OrderEvent {
  id: string;
  kind: 'order_status_updated' | 'order_item_status_updated' | 'order_item_tracking_code_updated';
  fields: Record<string, unknown>;
}

const OBJECT_NAMES = {
  order_status_updated: 'orderStatus',
  order_item_status_updated: 'itemStatus',
  order_item_tracking_code_updated: 'trackingCode',
} as const;
const OBJECT_ITEM_STATUSES = ['passed', 'failed', 'canceled', 'printed', 'shipped'];
const OBJECT_ORDER_STATUSES = ['created', 'uploading', ...OBJECT_ITEM_STATUSES];

/** The events of an order's new status: one for each item and one for the order. */
export function toStatusEvents({ order }: OrderRecord, comment: string | null, ids: Ids): OrderEvent[] {
  const created = toTimestamp(Date.now());
  return [
    ...order.items.map((item): OrderEvent => {
      const fields = { itemReferenceId: item.itemReferenceId, status: item.fulfillmentStatus, comment, created };
      const id = eventId('is', ids);
      return { id, kind: 'order_item_status_updated', fields: { ...about(order), ...fields, ...madeAt(order) } };
    }),
    {
      id: eventId('os', ids),
      kind: 'order_status_updated',
      fields: {
        ...about(order),
        fulfillmentStatus: order.fulfillmentStatus,
        comment,
        items: order.items.map((item) => ({
          itemReferenceId: item.itemReferenceId,
          fulfillmentStatus: item.fulfillmentStatus,
          fulfillments: packagesOf(order, item).map(({ trackingCode, trackingUrl }) => ({
            trackingCode,
            trackingUrl,
            ...shippedBy(order),
            ...madeAt(order),
          })),
        })),
      },
    },
  ];
}

/** One event for each item of each of these packages. */
export function toTrackingEvents({ order }: OrderRecord, packages: readonly OrderPackage[], ids: Ids): OrderEvent[] {
  const created = toTimestamp(Date.now());
  return packages.flatMap(({ orderItemIds, trackingCode, trackingUrl }) =>
    order.items
      .filter((item) => orderItemIds.includes(item.id))
      .map((item): OrderEvent => {
        const tracking = { itemReferenceId: item.itemReferenceId, trackingCode, trackingUrl, ...shippedBy(order) };
        const fields = { ...about(order), ...tracking, created, ...madeAt(order) };
        return { id: eventId('tc', ids), kind: 'order_item_tracking_code_updated', fields };
      }),
  );
}

/** The payload of an event in a style, or null for a status that the older style does not know. */
export function inStyle({ id, kind, fields }: OrderEvent, style: EventStyle): Record<string, unknown> | null {
  if (style === 'object') {
    const known = kind === 'order_status_updated' ? OBJECT_ORDER_STATUSES : OBJECT_ITEM_STATUSES;
    const status = fields['fulfillmentStatus'] ?? fields['status'];
    return typeof status === 'string' && !known.includes(status) ? null : { id, object: OBJECT_NAMES[kind], ...fields };
  }
  if (kind !== 'order_item_tracking_code_updated') return { id, event: kind, ...fields };
  const { fulfillmentCountry, fulfillmentStateProvince, fulfillmentFacilityId, ...rest } = fields;
  return {
    id,
    event: kind,
    ...rest,
    productionCountry: fulfillmentCountry,
    productionStateProvince: fulfillmentStateProvince,
    productionFacilityId: fulfillmentFacilityId,
  };
}

function eventId(prefix: string, ids: Ids): string {
  return `${prefix}_${Number(ids.nextNumber()).toString(16)}`;
}

function about(order: OrderRecord['order']) {
  return { orderId: order.id, storeId: order.storeId, orderReferenceId: order.orderReferenceId };
}

function shippedBy({ shipment }: OrderRecord['order']) {
  return { shipmentMethodName: shipment.shipmentMethodName, shipmentMethodUid: shipment.shipmentMethodUid };
}

function madeAt({ shipment }: OrderRecord['order']) {
  const { fulfillmentCountry, fulfillmentStateProvince, fulfillmentFacilityId } = shipment;
  return { fulfillmentCountry, fulfillmentStateProvince, fulfillmentFacilityId };
}

function packagesOf(order: OrderRecord['order'], item: OrderItem): OrderPackage[] {
  return order.shipment.packages.filter((parcel) => parcel.orderItemIds.includes(item.id));
}
