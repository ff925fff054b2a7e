import type { Change } from '../../books.ts';
import type { Ids } from '../../ids.ts';
import { addressesOf } from '../addresses.ts';
import type { StandIn } from '../stand-in.ts';

/**
 * The two payload styles (docs/rules/print-interface.md#older-event-style), named after their field `event` (current) or `object`
 * (older).
 */
type EventStyle = 'event' | 'object';

/** An event, independent of its payload style. `kind` is its name in the current style. */
export interface ServiceEvent {
  id: string;
  kind: string;
  fields: Record<string, unknown>;
}

/** The kinds of events that exist in the older style. Other kinds are sent only in the current style. */
const OBJECT_NAMES: Readonly<Record<string, string>> = {
  order_status_updated: 'orderStatus',
  order_item_status_updated: 'itemStatus',
  order_item_tracking_code_updated: 'trackingCode',
  catalog_product_stock_availability_updated: 'stockRegionAvailability',
};
const OBJECT_ITEM_STATUSES = ['passed', 'failed', 'canceled', 'printed', 'shipped'];
const OBJECT_ORDER_STATUSES = ['created', 'uploading', ...OBJECT_ITEM_STATUSES];

/**
 * Returns the changes that add the deliveries of these events to the books, one for each address of the account. Call `deliveries.wake`
 * afterward to send them.
 */
export function planEvents({ books, deliveries }: StandIn, account: string, events: readonly ServiceEvent[]): Change[] {
  return addressesOf(books, account).flatMap(({ url, headers = {}, style }) =>
    events.flatMap((event) => {
      const payload = toStyle(event, style);
      if (payload === null) return [];
      const body = JSON.stringify(payload);
      return deliveries.plan({ from: account, url, body, headers: { 'content-type': 'application/json', ...headers } });
    }),
  );
}

/** Returns a new ID for an event, such as `os_1a2b3c`. */
export function eventId(prefix: string, ids: Ids): string {
  return `${prefix}_${Number(ids.nextNumber()).toString(16)}`;
}

/**
 * Returns an event's payload in the given style. If the older style does not have the kind of event, uses the current style. Returns null
 * if the older style does not have the event's status.
 */
function toStyle(event: ServiceEvent, style: EventStyle): Record<string, unknown> | null {
  const older = OBJECT_NAMES[event.kind];
  return style === 'object' && older !== undefined ? toOlderStyle(event, older) : toCurrentStyle(event);
}

function toOlderStyle({ id, kind, fields }: ServiceEvent, name: string): Record<string, unknown> | null {
  if (kind === 'catalog_product_stock_availability_updated') {
    const { productAvailability, ...rest } = fields;
    // In the older style, this payload has no ID, and the list of products is named as in the documentation's field list.
    return { object: name, ...rest, productsAvailability: productAvailability };
  }
  const known = kind === 'order_status_updated' ? OBJECT_ORDER_STATUSES : OBJECT_ITEM_STATUSES;
  const status = fields['fulfillmentStatus'] ?? fields['status'];
  if (typeof status === 'string' && !known.includes(status)) return null;
  return { id, object: name, ...fields, ...(kind === 'order_status_updated' ? { items: toOlderItems(fields) } : {}) };
}

/** In the older style, an order can be `uploading`, but its items cannot, so such items are shown as `created`. */
function toOlderItems({ items }: Record<string, unknown>): unknown {
  if (!Array.isArray(items)) return items;
  return items.map((item: Record<string, unknown>) =>
    item['fulfillmentStatus'] === 'uploading' ? { ...item, fulfillmentStatus: 'created' } : item,
  );
}

function toCurrentStyle({ id, kind, fields }: ServiceEvent): Record<string, unknown> {
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
