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
import { readDelivery } from '../../../print/read-day.ts';
import { enqueueTellStore } from '../../enqueue/enqueue-tell-store.ts';
import { writeTimeline } from '../../record/write-timeline.ts';
import { receiveComment } from './receive-comment.ts';
import { receiveToldItemStatus } from './receive-item-statuses.ts';
import { keepPackage } from './receive-packages.ts';

/** An event about an order. */
export type OrderEvent = Extract<PrintEvent, { orderReferenceId: string | null }>;

/** A tracking code that an event reports for an item. */
interface ToldCode {
  itemReferenceId: string;
  trackingCode: string;
  trackingUrl: string | null;
  shipmentMethodUid: string | null;
  shipmentMethodName: string | null;
}

/** Nobody signs an event. */
const TOLD_ALONE =
  ' The store receives the code once the print service shows the order as printed: only an event reported it.';
const MOST_CODES = 20;
const MOST_ESTIMATES = 20;
const MOST_LOGGED = 64;
/** Of an order: an event's may be anything, and a longer one no index takes. */
const LONGEST_ID = 200;

interface EventScope {
  app: App;
  manager: EntityManager;
  printOrder: PrintOrder;
  /** Whether the shop's interface shows items and packages when an order is read. */
  extendedCalls: boolean;
}

/**
 * Keeps what an event says that no reading shows: tracking codes, until the service's own answer confirms them, its words on a status, and
 * an estimate. An event of an order that is not the chosen one nor a part of it changes no state. Any order of arrival and any repetition
 * have the same result.
 */
export async function takeInEvent(scope: EventScope, event: OrderEvent): Promise<void> {
  const { app, manager, printOrder, extendedCalls } = scope;
  // The earlier interface never shows the id that its events have, and shows its codes when an order is read.
  const isLegacy = printOrder.printInterface !== 'current';
  const isKnown = isLegacy || (await isKnownPart(manager, printOrder, event.orderId));
  // A new part may not show its codes again where they cannot be read from the service.
  if (!isLegacy && (isKnown || !extendedCalls)) await keepCodes(scope, event);
  if (!isKnown) return;
  await keepComments(manager, printOrder, event);
  // Where no call shows the items, only an event says that one of them fails.
  if (!isLegacy && !extendedCalls) await receiveItem(app, manager, printOrder, event);
  await noteEstimate(manager, printOrder, event);
}

async function isKnownPart(manager: EntityManager, printOrder: PrintOrder, orderId: string | null): Promise<boolean> {
  if (orderId === null) return false;
  if (orderId === printOrder.serviceOrderId) return true;
  const part = { printOrderId: printOrder.id, serviceOrderId: orderId, role: In(['chosen', 'part'] as const) };
  return manager.existsBy(ServiceOrders, part);
}

async function keepCodes(scope: EventScope, event: OrderEvent): Promise<void> {
  const { app, manager, printOrder, extendedCalls } = scope;
  const codes = toCodes(event);
  if (codes.length === 0 || event.orderId === null || event.orderId.length > LONGEST_ID) return;
  const lines = await manager.findBy(PrintOrderLines, { printOrderId: printOrder.id });
  const references = new Set(lines.map(({ itemReferenceId }) => itemReferenceId));
  for (const { itemReferenceId, ...told } of codes) {
    const ids = { reference: printOrder.reference, itemReferenceId: itemReferenceId.slice(0, MOST_LOGGED) };
    if (!references.has(itemReferenceId)) {
      app.log.warn(ids, 'a tracking code of an item that the print order does not have was dropped');
      continue;
    }
    if (await isConfirmed(scope, event.orderId, told.trackingCode)) continue;
    if (await hasEnough(manager, printOrder, itemReferenceId, told.trackingCode)) {
      app.log.warn(ids, 'a tracking code of an item that has as many as one can have was dropped');
      continue;
    }
    // A forged URL would be mailed to the buyer: where the service can be asked for it, its own answer is taken.
    const trackingUrl = extendedCalls ? null : told.trackingUrl;
    const items = [{ itemReferenceId, quantity: null }];
    const seen = { ...told, trackingUrl, serviceOrderId: event.orderId, items };
    await keepPackage({ printOrder }, manager, seen, null, extendedCalls ? '' : TOLD_ALONE);
  }
}

function toCodes(event: OrderEvent): ToldCode[] {
  if (event.kind === 'order_item_tracking_code_updated') return [event].map(toCode);
  if (event.kind !== 'order_status_updated') return [];
  return event.items.flatMap(({ itemReferenceId, fulfillments }) =>
    fulfillments.flatMap(({ trackingCode, ...told }) =>
      trackingCode ? [toCode({ ...told, itemReferenceId, trackingCode })] : [],
    ),
  );
}

/** Without what else the event bears. */
function toCode({ itemReferenceId, trackingCode, trackingUrl, shipmentMethodUid, shipmentMethodName }: ToldCode) {
  return { itemReferenceId, trackingCode, trackingUrl, shipmentMethodUid, shipmentMethodName };
}

/** An event adds nothing to a package that the service itself has shown, where it can be read again. */
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

/** At most 20 codes an item: more are not parcels. */
async function hasEnough(
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
  return codes.size >= MOST_CODES;
}

/** The service's words on a status; the order's own come with its items', which may have words of their own. */
async function keepComments(manager: EntityManager, printOrder: PrintOrder, event: OrderEvent): Promise<void> {
  if (event.kind === 'order_item_status_updated') await receiveComment(manager, printOrder, event);
  if (event.kind !== 'order_status_updated') return;
  const { fulfillmentStatus: status, comment } = event;
  await receiveComment(manager, printOrder, { itemReferenceId: null, status, comment });
}

async function receiveItem(app: App, manager: EntityManager, printOrder: PrintOrder, event: OrderEvent): Promise<void> {
  if (event.kind !== 'order_item_status_updated' || printOrder.confirmedAt === null) return;
  const lines = await manager.findBy(PrintOrderLines, { printOrderId: printOrder.id });
  await receiveToldItemStatus({ app, printOrder, lines }, manager, event);
}

/** The latest word is kept with the print order. The dates are for the merchant to read; days, in no time zone. */
async function noteEstimate(manager: EntityManager, printOrder: PrintOrder, event: OrderEvent): Promise<void> {
  if (event.kind !== 'order_delivery_estimate_updated') return;
  const { from, to } = readDelivery(event);
  if (from === null || to === null) return;
  if (printOrder.minDeliveryDate === from && printOrder.maxDeliveryDate === to) return;
  const { id: printOrderId, shopId, storefrontOrderId, reference } = printOrder;
  const kind = 'delivery_estimate';
  const data = { minDeliveryDate: from, maxDeliveryDate: to };
  const told = await manager.find(TimelineEntries, {
    where: { printOrderId, kind },
    order: { id: 'DESC' },
    take: MOST_ESTIMATES,
  });
  // Nobody signs an event: what it says fills no timeline.
  if (told.length >= MOST_ESTIMATES) return;
  await manager.update(PrintOrders, { id: printOrderId }, data);
  await enqueueTellStore(manager, storefrontOrderId);
  const message = `${reference} is expected to arrive from ${from} to ${to}.`;
  await writeTimeline(manager, { shopId, storefrontOrderId, printOrderId, kind, message, data, by: 'print service' });
}
