import { In, type EntityManager } from 'typeorm';
import type { App } from '../app.ts';
import { TimelineEntries } from '../database/orders.ts';
import { PackageItems, Packages } from '../database/packages.ts';
import { PrintOrderLines, PrintOrders, ServiceOrders, type PrintOrder } from '../database/print-orders.ts';
import type { Shop } from '../database/shops.ts';
import { hasDueJob } from '../jobs/has-job.ts';
import { enqueueSubmit } from '../orders/enqueue-submit.ts';
import { enqueueFollow } from '../orders/follow/follow-print-order.ts';
import { enqueueTellStore } from '../orders/enqueue-tell-store.ts';
import { receiveComment } from '../orders/follow/receive-comment.ts';
import { receiveToldItemStatus } from '../orders/follow/receive-item-statuses.ts';
import { keepPackage } from '../orders/follow/receive-packages.ts';
import { secondsToGather } from '../orders/follow/seconds-to-gather.ts';
import { openOrder } from '../orders/rows/order-session.ts';
import { writeTimeline } from '../orders/write-timeline.ts';
import type { PrintEvent } from '../print/events.ts';
import { readDelivery } from '../print/read-day.ts';
import { findShop } from '../shops/find-shop.ts';
import { readSettings } from '../shops/settings.ts';
import { toReading } from './to-reading.ts';

/** An event about an order. */
type OrderEvent = Extract<PrintEvent, { orderReferenceId: string | null }>;

/** A tracking code that an event tells of an item. */
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

/**
 * Takes in an event of the print service that came to the shop's address. It bears no signature: so it says only that there is
 * something to read, and its tracking codes are kept until the service's own answer bears them out (design, "The print service's
 * webhooks"). An event of an order that is not the chosen one nor a part of it changes no state and has its reference searched for
 * (created-once page, "Events"). Any order of arrival and any repetition end in the same.
 */
export async function receivePrintEvent(app: App, shop: Shop, event: PrintEvent): Promise<void> {
  if (!('orderReferenceId' in event)) return;
  const printOrder = await findPrintOrder(app, shop, event.orderReferenceId);
  if (!printOrder) {
    const ids = { shopId: shop.id, event: event.kind, serviceOrderId: event.orderId?.slice(0, MOST_LOGGED) };
    app.log.info(ids, 'an event of no order of this account is kept and changes nothing');
    return;
  }
  const owner = printOrder.shopId === shop.id ? shop : await findShop(app, printOrder.shopId);
  const settings = readSettings(owner);
  const { extendedCalls } = settings;
  const waitSeconds = secondsToGather(event, settings);
  // Most events are such, several at each step of an order: nothing is locked for them.
  if (isReadAnyway(event, printOrder, extendedCalls)) {
    if (!(await isReadNext(app, printOrder))) await readAgain(app, app.db.manager, printOrder, waitSeconds);
    return;
  }
  const order = await openOrder(app, { printOrderId: printOrder.id });
  // Events of one print order take turns: the codes of an item are counted.
  await order?.change(async (manager) => {
    const current = await manager.findOneOrFail(PrintOrders, {
      where: { id: printOrder.id },
      lock: { mode: 'for_no_key_update' },
    });
    // The earlier interface never tells the id that its events bear, and shows its codes itself.
    const isLegacy = current.printInterface !== 'current';
    const isKnown = isLegacy || (await isKnownPart(manager, current, event.orderId));
    // A part that is new to us may not show its codes again where they cannot be read from the service.
    if (!isLegacy && (isKnown || !extendedCalls))
      await keepCodes({ app, manager, printOrder: current, extendedCalls }, event);
    if (isKnown) await keepComments(manager, current, event);
    // Where no call shows the items, nothing else tells that one of them fails.
    if (isKnown && !isLegacy && !extendedCalls) await receiveItem(app, manager, current, event);
    if (isKnown) await noteEstimate(manager, current, event);
    await readAgain(app, manager, current, waitSeconds);
  });
}

/** Whether the event tells nothing but what the service shows when the order is read. */
function isReadAnyway(event: OrderEvent, { printInterface }: PrintOrder, extendedCalls: boolean): boolean {
  const reading = toReading(event);
  return reading !== null && (!reading.isOfItem || printInterface !== 'current' || extendedCalls);
}

/** The reading that waits for its turn is of a later moment than this event. */
async function isReadNext({ db }: App, { id, confirmedAt }: PrintOrder): Promise<boolean> {
  const key = `${confirmedAt === null ? 'submit' : 'follow'}:${id}`;
  const [row]: { next: boolean }[] = await db.query(`select ${hasDueJob('$1')} as next`, [key]);
  return row?.next === true;
}

/** What is an order there is read; of what may be none yet the reference is searched for. */
async function readAgain(app: App, manager: EntityManager, printOrder: PrintOrder, waitSeconds: number): Promise<void> {
  if (printOrder.confirmedAt !== null) await enqueueFollow(app, manager, printOrder, { waitSeconds });
  else await enqueueSubmit(app, manager, printOrder);
}

/** By reference, among the orders of this shop and of those that share its print account. */
function findPrintOrder(app: App, shop: Shop, reference: string | null): Promise<PrintOrder | null> | null {
  if (reference === null) return null;
  const ofShop = { reference, shopId: shop.id };
  const ofAccount = shop.printAccountId === null ? [] : [{ reference, printAccountId: shop.printAccountId }];
  return app.db.manager.findOneBy(PrintOrders, [ofShop, ...ofAccount]);
}

async function isKnownPart(manager: EntityManager, printOrder: PrintOrder, orderId: string | null): Promise<boolean> {
  if (orderId === null) return false;
  if (orderId === printOrder.serviceOrderId) return true;
  const part = { printOrderId: printOrder.id, serviceOrderId: orderId, role: In(['chosen', 'part'] as const) };
  return manager.existsBy(ServiceOrders, part);
}

interface EventScope {
  app: App;
  manager: EntityManager;
  printOrder: PrintOrder;
  extendedCalls: boolean;
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
    if (await isBorneOut(scope, event.orderId, told.trackingCode)) continue;
    if (await hasEnough(manager, printOrder, itemReferenceId, told.trackingCode)) {
      app.log.warn(ids, 'a tracking code of an item that has as many as one can have was dropped');
      continue;
    }
    // A forged URL would be mailed to the buyer: where the service can be asked for it, its own answer tells it.
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

/** What the service itself has shown of a package is not added to by an event, where it can be read again. */
async function isBorneOut(
  { manager, printOrder, extendedCalls }: EventScope,
  serviceOrderId: string,
  code: string,
): Promise<boolean> {
  if (!extendedCalls) return false;
  const where = { printOrderId: printOrder.id, serviceOrderId, trackingCode: code.trim() };
  const known = await manager.findOneBy(Packages, where);
  return known !== null && known.confirmedAt !== null;
}

/** At most 20 codes an item: more would be no parcels (reliability page, 2.10). */
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
  const { id: printOrderId, shopId, storefrontOrderId, reference } = printOrder;
  const kind = 'delivery_estimate';
  const data = { minDeliveryDate: from, maxDeliveryDate: to };
  const told = await manager.find(TimelineEntries, {
    where: { printOrderId, kind },
    order: { id: 'DESC' },
    take: MOST_ESTIMATES,
  });
  const [last] = told;
  // Nobody signs an event: what it says fills no timeline.
  if (told.length === MOST_ESTIMATES) return;
  if (last?.data['minDeliveryDate'] === from && last.data['maxDeliveryDate'] === to) return;
  await manager.update(PrintOrders, { id: printOrderId }, data);
  await enqueueTellStore(manager, storefrontOrderId);
  const message = `${reference} is expected to arrive from ${from} to ${to}.`;
  await writeTimeline(manager, { shopId, storefrontOrderId, printOrderId, kind, message, data, by: 'print service' });
}
