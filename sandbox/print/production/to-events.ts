import type { Ids } from '../../ids.ts';
import { eventId, type ServiceEvent } from './plan-events.ts';
import {
  toTimestamp,
  type OrderItem,
  type OrderPackage,
  type OrderRecord,
  type OrderShipment,
} from '../orders/order-record.ts';
import type { StandIn } from '../stand-in.ts';

/**
 * Returns the events of an order that has moved from `before`: one for each moved item, and one for the order if its status has changed.
 */
export function toStatusEvents(
  standIn: StandIn,
  before: OrderRecord,
  { order }: OrderRecord,
  comment: string | null,
): ServiceEvent[] {
  const statuses = new Map(before.order.items.map(({ id, fulfillmentStatus }) => [id, fulfillmentStatus]));
  const moved = order.items.filter(({ id, fulfillmentStatus }) => statuses.get(id) !== fulfillmentStatus);
  const isOrderMoved = before.order.fulfillmentStatus !== order.fulfillmentStatus;
  return [
    ...toItemEvents(standIn, order, moved, comment),
    ...(isOrderMoved ? [toOrderEvent(order, comment, standIn.ids)] : []),
  ];
}

function toItemEvents(
  { clock, ids }: StandIn,
  order: OrderRecord['order'],
  items: readonly OrderItem[],
  comment: string | null,
) {
  const created = toTimestamp(clock.now().getTime());
  return items.map((item): ServiceEvent => {
    const fields = { itemReferenceId: item.itemReferenceId, status: item.fulfillmentStatus, comment, created };
    const id = eventId('is', ids);
    return { id, kind: 'order_item_status_updated', fields: { ...toOrderIds(order), ...fields, ...toFacility(order) } };
  });
}

function toOrderEvent(order: OrderRecord['order'], comment: string | null, ids: Ids): ServiceEvent {
  return {
    id: eventId('os', ids),
    kind: 'order_status_updated',
    fields: {
      ...toOrderIds(order),
      fulfillmentStatus: order.fulfillmentStatus,
      comment,
      items: order.items.map((item) => ({
        itemReferenceId: item.itemReferenceId,
        fulfillmentStatus: item.fulfillmentStatus,
        fulfillments: packagesOf(order, item).map(({ trackingCode, trackingUrl }) => ({
          trackingCode,
          trackingUrl,
          ...toShipmentMethod(order),
          ...toFacility(order),
        })),
      })),
    },
  };
}

/** Returns one event for each item in each package. */
export function toTrackingEvents(
  { clock, ids }: StandIn,
  { order }: OrderRecord,
  packages: readonly OrderPackage[],
): ServiceEvent[] {
  const created = toTimestamp(clock.now().getTime());
  return packages.flatMap(({ orderItemIds, trackingCode, trackingUrl }) =>
    order.items
      .filter((item) => orderItemIds.includes(item.id))
      .map((item): ServiceEvent => {
        const tracking = {
          itemReferenceId: item.itemReferenceId,
          trackingCode,
          trackingUrl,
          ...toShipmentMethod(order),
        };
        const fields = { ...toOrderIds(order), ...tracking, created, ...toFacility(order) };
        return { id: eventId('tc', ids), kind: 'order_item_tracking_code_updated', fields };
      }),
  );
}

/** Delivery dates as YYYY-MM-DD. */
export type DeliveryEstimate = Pick<OrderShipment, 'minDeliveryDate' | 'maxDeliveryDate'>;

/** Returns the event for a changed delivery estimate. */
export function toEstimateEvent(
  { clock, ids }: StandIn,
  { order }: OrderRecord,
  estimate: DeliveryEstimate,
): ServiceEvent {
  const fields = { ...toOrderIds(order), ...estimate, created: toTimestamp(clock.now().getTime()) };
  return { id: eventId('de', ids), kind: 'order_delivery_estimate_updated', fields };
}

function toOrderIds(order: OrderRecord['order']) {
  return { orderId: order.id, storeId: order.storeId, orderReferenceId: order.orderReferenceId };
}

function toShipmentMethod({ shipment }: OrderRecord['order']) {
  return { shipmentMethodName: shipment.shipmentMethodName, shipmentMethodUid: shipment.shipmentMethodUid };
}

function toFacility({ shipment }: OrderRecord['order']) {
  const { fulfillmentCountry, fulfillmentStateProvince, fulfillmentFacilityId } = shipment;
  return { fulfillmentCountry, fulfillmentStateProvince, fulfillmentFacilityId };
}

function packagesOf(order: OrderRecord['order'], item: OrderItem): OrderPackage[] {
  return order.shipment.packages.filter((parcel) => parcel.orderItemIds.includes(item.id));
}
