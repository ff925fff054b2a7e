import { In, type EntityManager } from 'typeorm';
import type { App } from '../../../app.ts';
import { TimelineEntries } from '../../../database/entities/orders.ts';
import { PackageItems, Packages } from '../../../database/entities/packages.ts';
import {
  PrintOrderLines,
  PrintOrders,
  ServiceOrders,
  type PrintOrder,
} from '../../../database/entities/print-orders.ts';
import type { PrintEvent } from '../../../print/events.ts';
import { parseDeliveryDays } from '../../../print/parse-day.ts';
import { enqueueStoreUpdate } from '../../enqueue/enqueue-store-update.ts';
import { writeTimeline } from '../../record/write-timeline.ts';
import { receiveComment } from './receive-comment.ts';
import { receiveReportedItemStatus } from './receive-item-statuses.ts';
import { savePackage } from './receive-packages.ts';
import { truncateText } from '../../../truncate-text.ts';

export type OrderEvent = Extract<PrintEvent, { orderReferenceId: string | null }>;

/** A tracking code that an event reports for an item. */
interface ReportedCode {
  itemReferenceId: string;
  trackingCode: string;
  trackingUrl: string | null;
  shipmentMethodUid: string | null;
  shipmentMethodName: string | null;
}

/** Appended to the timeline message for a code that only an event has reported, because events are not signed. */
const ONLY_REPORTED_BY_EVENT =
  ' Only an event has reported the code, so it is added to the store once the print service shows the order as printed.';
const MAX_CODES = 20;
const MAX_ESTIMATES = 20;
const MAX_LOGGED = 64;
/** Maximum length of an event's order ID, which may be any text. The index cannot contain a longer ID. */
const MAX_ID_LENGTH = 200;

interface EventScope {
  app: App;
  manager: EntityManager;
  printOrder: PrintOrder;
  /** Whether the shop's interface shows items and packages when an order is read. */
  extendedCalls: boolean;
}

/**
 * Stores the data of an event that a reading would not show: comments on a status, delivery estimates and tracking codes that no reading
 * has confirmed yet. An event about an unknown order does not change any state. Events may arrive in any order and more than once.
 */
export async function saveEventData(scope: EventScope, event: OrderEvent): Promise<void> {
  const { app, manager, printOrder, extendedCalls } = scope;
  // In the earlier interfaces, events never contain the order's ID, but readings show the codes.
  const isLegacy = printOrder.printInterface !== 'current';
  const isKnown = isLegacy || (await isKnownPart(manager, printOrder, event.orderId));
  // If the account cannot read codes, an event about a new part may be the only report of its codes.
  if (!isLegacy && (isKnown || !extendedCalls)) await saveCodes(scope, event);
  if (!isKnown) return;
  await saveComments(manager, printOrder, event);
  // If the account cannot read items, only events report that an item has failed.
  if (!isLegacy && !extendedCalls) await receiveItem(app, manager, printOrder, event);
  await recordEstimate(manager, printOrder, event);
}

async function isKnownPart(manager: EntityManager, printOrder: PrintOrder, orderId: string | null): Promise<boolean> {
  if (orderId === null) return false;
  if (orderId === printOrder.serviceOrderId) return true;
  const part = { printOrderId: printOrder.id, serviceOrderId: orderId, role: In(['chosen', 'part'] as const) };
  return manager.existsBy(ServiceOrders, part);
}

async function saveCodes(scope: EventScope, event: OrderEvent): Promise<void> {
  const { app, manager, printOrder, extendedCalls } = scope;
  const codes = toCodes(event);
  if (codes.length === 0 || event.orderId === null || event.orderId.length > MAX_ID_LENGTH) return;
  const lines = await manager.findBy(PrintOrderLines, { printOrderId: printOrder.id });
  const references = new Set(lines.map(({ itemReferenceId }) => itemReferenceId));
  for (const { itemReferenceId, ...reported } of codes) {
    const ids = { reference: printOrder.reference, itemReferenceId: truncateText(itemReferenceId, MAX_LOGGED) };
    if (!references.has(itemReferenceId)) {
      app.log.warn(ids, 'dropped a tracking code for an item that is not in the print order');
      continue;
    }
    if (await isConfirmed(scope, event.orderId, reported.trackingCode)) continue;
    if (await hasMaxCodes(manager, printOrder, itemReferenceId, reported.trackingCode)) {
      app.log.warn(ids, 'dropped a tracking code for an item that already has the maximum number of codes');
      continue;
    }
    // A forged URL would be emailed to the buyer, so the event's URL is dropped if a reading can provide the URL.
    const trackingUrl = extendedCalls ? null : reported.trackingUrl;
    const items = [{ itemReferenceId, quantity: null }];
    const seen = { ...reported, trackingUrl, serviceOrderId: event.orderId, items };
    await savePackage({ printOrder }, manager, seen, null, extendedCalls ? '' : ONLY_REPORTED_BY_EVENT);
  }
}

function toCodes(event: OrderEvent): ReportedCode[] {
  if (event.kind === 'order_item_tracking_code_updated') return [event].map(toCode);
  if (event.kind !== 'order_status_updated') return [];
  return event.items.flatMap(({ itemReferenceId, fulfillments }) =>
    fulfillments.flatMap(({ trackingCode, ...reported }) =>
      trackingCode ? [toCode({ ...reported, itemReferenceId, trackingCode })] : [],
    ),
  );
}

/** Copies only the code's fields from the event. */
function toCode({ itemReferenceId, trackingCode, trackingUrl, shipmentMethodUid, shipmentMethodName }: ReportedCode) {
  return { itemReferenceId, trackingCode, trackingUrl, shipmentMethodUid, shipmentMethodName };
}

/**
 * Returns whether a response of the service has shown the package. If the account can read packages, events add nothing to such a package.
 */
async function isConfirmed(
  { manager, printOrder, extendedCalls }: EventScope,
  serviceOrderId: string,
  code: string,
): Promise<boolean> {
  if (!extendedCalls) return false;
  const where = { printOrderId: printOrder.id, serviceOrderId, trackingCode: code.trim() };
  const known = await manager.findOneBy(Packages, where);
  return known !== null && known.confirmedAt !== null;
}

/** Returns whether an item already has the maximum number of codes. No real item has more parcels. */
async function hasMaxCodes(
  manager: EntityManager,
  printOrder: PrintOrder,
  itemReferenceId: string,
  code: string,
): Promise<boolean> {
  const packages = await manager.findBy(Packages, { printOrderId: printOrder.id });
  const others = packages.filter(({ trackingCode }) => trackingCode !== code.trim());
  const where = { packageId: In(others.map(({ id }) => id)), itemReferenceId };
  const inside = new Set((await manager.findBy(PackageItems, where)).map(({ packageId }) => packageId));
  const codes = new Set(others.filter(({ id }) => inside.has(id)).map(({ trackingCode }) => trackingCode));
  return codes.size >= MAX_CODES;
}

async function saveComments(manager: EntityManager, printOrder: PrintOrder, event: OrderEvent): Promise<void> {
  if (event.kind === 'order_item_status_updated') await receiveComment(manager, printOrder, event);
  if (event.kind !== 'order_status_updated') return;
  const { fulfillmentStatus: status, comment } = event;
  await receiveComment(manager, printOrder, { itemReferenceId: null, status, comment });
}

async function receiveItem(app: App, manager: EntityManager, printOrder: PrintOrder, event: OrderEvent): Promise<void> {
  if (event.kind !== 'order_item_status_updated' || printOrder.confirmedAt === null) return;
  const lines = await manager.findBy(PrintOrderLines, { printOrderId: printOrder.id });
  await receiveReportedItemStatus({ app, printOrder, lines }, manager, event);
}

/** Stores the latest delivery estimate as dates without a time zone, so that the merchant can read them. */
async function recordEstimate(manager: EntityManager, printOrder: PrintOrder, event: OrderEvent): Promise<void> {
  if (event.kind !== 'order_delivery_estimate_updated') return;
  const { from, to } = parseDeliveryDays(event);
  if (from === null || to === null) return;
  if (printOrder.minDeliveryDate === from && printOrder.maxDeliveryDate === to) return;
  const { id: printOrderId, shopId, storefrontOrderId, reference } = printOrder;
  const kind = 'delivery_estimate';
  const data = { minDeliveryDate: from, maxDeliveryDate: to };
  const noted = await manager.find(TimelineEntries, {
    where: { printOrderId, kind },
    order: { id: 'DESC' },
    take: MAX_ESTIMATES,
  });
  // Events are not signed, so a sender of forged events must not be able to flood the timeline.
  if (noted.length >= MAX_ESTIMATES) return;
  await manager.update(PrintOrders, { id: printOrderId }, data);
  await enqueueStoreUpdate(manager, storefrontOrderId);
  const message = `${reference} is expected to arrive between ${from} and ${to}.`;
  await writeTimeline(manager, { shopId, storefrontOrderId, printOrderId, kind, message, data, by: 'print service' });
}
