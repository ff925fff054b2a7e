import { buildReceipt } from '../orders/build-receipt.ts';
import type { Ids } from '../../ids.ts';
import { combineStatuses, movesWithOrder } from './next-status.ts';
import { toTimestamp, type OrderItem, type OrderPackage, type OrderRecord } from '../orders/order-record.ts';
import type { StandIn } from '../stand-in.ts';

const FINANCIAL: Readonly<Record<string, string>> = { created: 'pending', passed: 'paid', canceled: 'canceled' };

/**
 * Changes the status of the order and its items, except items that are waiting or have already ended. A draft that becomes `created`
 * turns into an order, is charged and gets a receipt.
 */
export function moveOrder({ clock, ids }: StandIn, record: OrderRecord, to: string): OrderRecord {
  const nowMs = clock.now().getTime();
  const at = toTimestamp(nowMs);
  const { order } = record;
  const leavesDraft = order.orderType === 'draft';
  return {
    ...record,
    movedMs: nowMs,
    order: {
      ...order,
      orderType: 'order',
      fulfillmentStatus: to,
      financialStatus: FINANCIAL[to] ?? order.financialStatus,
      updatedAt: at,
      orderedAt: order.orderedAt ?? at,
      receipts: leavesDraft ? [buildReceipt(order, at, ids)] : order.receipts,
      items: order.items.map((item) =>
        movesWithOrder(item.fulfillmentStatus, order.fulfillmentStatus, to) ? moveItem(item, to) : item,
      ),
    },
  };
}

/** Changes the status of some items. The order's status is derived from all its items. */
export function moveItems(
  { clock }: StandIn,
  record: OrderRecord,
  to: string,
  itemReferenceIds: readonly string[],
): OrderRecord {
  const { order } = record;
  const items = order.items.map((item) =>
    itemReferenceIds.includes(item.itemReferenceId) ? moveItem(item, to) : item,
  );
  const statuses = items.map(({ fulfillmentStatus }) => fulfillmentStatus);
  const fulfillmentStatus = combineStatuses(order.fulfillmentStatus, statuses);
  const isMove = fulfillmentStatus !== order.fulfillmentStatus;
  const financialStatus = (isMove ? FINANCIAL[fulfillmentStatus] : undefined) ?? order.financialStatus;
  const nowMs = clock.now().getTime();
  const moved = { ...order, items, fulfillmentStatus, financialStatus, updatedAt: toTimestamp(nowMs) };
  return { ...record, movedMs: nowMs, order: moved };
}

function moveItem(item: OrderItem, to: string): OrderItem {
  return {
    ...item,
    fulfillmentStatus: to,
    processedFileUrl: to === 'passed' ? item.fileUrl : item.processedFileUrl,
    previews: to === 'passed' && item.fileUrl ? [{ type: 'preview_default', url: item.fileUrl }] : item.previews,
  };
}

/** Removes the packages with these codes. */
export function unpackOrder(record: OrderRecord, trackingCodes: readonly string[]): OrderRecord {
  const { order } = record;
  const packages = order.shipment.packages.filter(({ trackingCode }) => !trackingCodes.includes(trackingCode));
  return { ...record, order: { ...order, shipment: { ...order.shipment, packages } } };
}

/** Adds packages. */
export function packOrder({ clock }: StandIn, record: OrderRecord, packages: readonly OrderPackage[]): OrderRecord {
  const { order } = record;
  const all = [...order.shipment.packages, ...packages];
  const shipment = { ...order.shipment, packages: all, packagesCount: all.length };
  return { ...record, order: { ...order, updatedAt: toTimestamp(clock.now().getTime()), shipment } };
}

/**
 * Creates default packages for shipped items without a package: one package for a single item, or two packages with half of the items each
 * for several items.
 */
export function defaultPackages(record: OrderRecord, ids: Ids): OrderPackage[] {
  const { items, shipment } = record.order;
  const packed = new Set(shipment.packages.flatMap(({ orderItemIds }) => orderItemIds));
  const toPack = items.filter(({ id, fulfillmentStatus }) => fulfillmentStatus === 'shipped' && !packed.has(id));
  const itemIds = toPack.map((item) => item.id);
  const half = Math.ceil(itemIds.length / 2);
  return [itemIds.slice(0, half), itemIds.slice(half)]
    .filter((group) => group.length > 0)
    .map((orderItemIds) =>
      createPackage(orderItemIds, `PLT${Number(ids.nextNumber()).toString(36).toUpperCase()}`, ids),
    );
}

/** Creates a package with its tracking. If the tracking has no URL, the stand-in adds one. */
export function createPackage(
  orderItemIds: string[],
  trackingCode: string,
  ids: Ids,
  trackingUrl?: string,
): OrderPackage {
  const url = trackingUrl ?? `https://tracking.example/${encodeURIComponent(trackingCode)}`;
  return { id: ids.nextUuid(), orderItemIds, trackingCode, trackingUrl: url };
}
