import { toTimestamp, type OrderItem, type OrderRecord } from '../orders/order-record.ts';
import type { ShownOrder } from './legacy-orders.ts';

/**
 * The earlier interface's names for statuses that were added later (docs/rules/print-interface.md#item-status). Other statuses are shown
 * unchanged.
 */
const STATUSES: Readonly<Record<string, string>> = {
  in_production: 'passed',
  in_transit: 'shipped',
  delivered: 'shipped',
};

/** All lines of a production log. An item's log contains the lines up to the item's current status. */
const LOG: readonly (readonly [status: string, message: string])[] = [
  ['created', 'Print job created.'],
  ['passed', 'The print file passed the checks.'],
  ['printed', 'The item is printed.'],
  ['shipped', 'The package is shipped.'],
];
const LOG_STEP_MS = 1000;

/**
 * Returns the response to `GET /v1/order/status/{orderReferenceId}` (docs/rules/print-interface.md#v1-order-status): the status of one
 * item, with integer references.
 */
export function showStatusV1([oldest]: readonly [ShownOrder, ...ShownOrder[]]) {
  const [item] = toItems(oldest);
  return {
    orderReferenceId: Number(oldest.legacy.orderReferenceId),
    orderItem: item && { ...item, itemReferenceId: Number(item.itemReferenceId) },
  };
}

/** Returns the response to `GET /v2/order/status/{orderReferenceId}`: each item once, from the oldest order that contains it. */
export function showStatusV2(orders: readonly [ShownOrder, ...ShownOrder[]]) {
  const [{ legacy, record }] = orders;
  return {
    orderReferenceId: legacy.orderReferenceId,
    productionStatus: toLegacyStatus(record.order.fulfillmentStatus),
    productionFacilityId: record.order.shipment.fulfillmentFacilityId,
    orderItems: orders.flatMap((order, index) => {
      const earlier = orders.slice(0, index);
      return toItems(order).filter((item) => !earlier.some((one) => hasItem(one, item.itemReferenceId)));
    }),
  };
}

function toItems({ legacy, record }: ShownOrder) {
  return record.order.items.map((item) => ({
    itemReferenceId: item.itemReferenceId,
    status: toLegacyStatus(item.fulfillmentStatus),
    trackingCode: toTrackingCodes(record, item),
    productionLog: toProductionLog(record, item, legacy.printJobIds[item.itemReferenceId] ?? 0),
  }));
}

function hasItem({ record }: ShownOrder, itemReferenceId: string): boolean {
  return record.order.items.some((item) => item.itemReferenceId === itemReferenceId);
}

function toLegacyStatus(status: string): string {
  return STATUSES[status] ?? status;
}

/** Returns an item's parcels, or one parcel without a code if the item has no parcels yet. */
function toTrackingCodes({ order }: OrderRecord, item: OrderItem) {
  const packages = order.shipment.packages.filter(({ orderItemIds }) => orderItemIds.includes(item.id));
  if (packages.length === 0) return [{ parcelNumber: 1, trackingCode: '', trackingUrl: '' }];
  return packages.map(({ trackingCode, trackingUrl }, index) => ({
    parcelNumber: index + 1,
    trackingCode,
    trackingUrl,
  }));
}

/**
 * Returns the lines of an item's production log. The books do not record when each step happened, so each line is dated one second after
 * the previous line, and its date never changes.
 */
function toProductionLog({ createdMs }: OrderRecord, item: OrderItem, printJobId: number) {
  const status = toLegacyStatus(item.fulfillmentStatus);
  const reached = LOG.findIndex(([step]) => step === status);
  // Once an item has reached `passed`, its processed file exists, even if the item later fails or is canceled.
  const lines = LOG.slice(0, 1 + Math.max(reached, item.processedFileUrl === null ? 0 : 1));
  const ended = ['failed', 'canceled', 'returned'].includes(status) ? [`The item is ${status}.`] : [];
  return [...lines.map(([, message]) => message), ...ended].map((message, index) => ({
    date: toTimestamp(createdMs + index * LOG_STEP_MS),
    printJobId,
    message,
  }));
}
