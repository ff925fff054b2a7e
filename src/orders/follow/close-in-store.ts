import { In, IsNull, type EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import { Holds, type StorefrontOrder } from '../../database/entities/orders.ts';
import { Packages } from '../../database/entities/packages.ts';
import {
  PrintOrderLines,
  PrintOrders,
  type PrintOrder,
  type PrintOrderLine,
} from '../../database/entities/print-orders.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { NotPossibleError } from '../../errors.ts';
import type { AdminApi } from '../../shopify/admin/admin-api.ts';
import { ShopifyError } from '../../shopify/admin/errors.ts';
import type { FulfillmentOrder } from '../../shopify/calls/fulfillment-orders.ts';
import { closeFulfillmentOrder } from '../../shopify/calls/fulfillment-requests.ts';
import { readOrderForPlan } from '../../shopify/calls/orders.ts';
import { keepFence } from '../../shops/fence.ts';
import { openAdmin } from '../../shops/tokens/tokens.ts';
import { enqueuePlan } from '../enqueue/enqueue-plan.ts';
import { enqueueStoreUpdate } from '../enqueue/enqueue-store-update.ts';
import type { HoldCode } from '../facts/hold-codes.ts';
import { countUndeliverableUnits, willNeverShip, describeLine } from '../facts/service-trouble.ts';
import { UNFULFILLED_STATUSES } from '../facts/store-quantities.ts';
import { writeTimeline } from '../record/write-timeline.ts';

/** An order, and its print orders with lines that will not ship and must be closed in the store. */
interface CloseScope {
  app: App;
  shop: Shop;
  storefrontOrder: StorefrontOrder;
  printOrders: readonly PrintOrder[];
  /** Who requested that the lines be closed. */
  by: string;
}

/** While one of these holds is open, the service may be printing an order that Platen does not follow. */
const UNSETTLED: HoldCode[] = ['several_orders', 'unknown_print_order'];
/** Maximum number of lines that the message to the store lists. */
const MAX_NAMED = 5;
/** Holds for items that will never arrive. */
const ENDED: HoldCode[] = ['service_failed', 'service_canceled', 'fulfillment_canceled', 'payment_refused'];
const ACCEPTED = new Set(['ACCEPTED', 'CANCELLATION_REJECTED']);

/**
 * At the merchant's request, closes the store's fulfillment orders for lines that failed or were canceled at the service. Also resolves the
 * holds of returned parcels. Reads the store first, so that a repeat after a lost response closes nothing twice. Returns sentences for the
 * merchant. Throws ShopifyError. Throws NotPossibleError if nothing has failed, a part is still being printed or only the merchant can
 * close a fulfillment order.
 */
export async function closeInStore(scope: CloseScope): Promise<string[]> {
  const { app, shop, storefrontOrder, printOrders } = scope;
  const { manager } = app.db;
  const canceled = await readCanceled(manager, printOrders);
  const over = await readUndeliverableLines(manager, printOrders, canceled);
  const ids = printOrders.map(({ id }) => id);
  const cameBack = { printOrderId: In(ids), code: 'service_returned', resolvedAt: IsNull() };
  const hasReturned = ids.length > 0 && (await manager.existsBy(Holds, cameBack));
  if (over.length === 0 && !hasReturned) {
    const why = 'No part of this order has failed, has been canceled at the print service or has been returned.';
    throw new NotPossibleError('nothing_to_close', why);
  }
  const open = { storefrontOrderId: storefrontOrder.id, code: In(UNSETTLED), resolvedAt: IsNull() };
  if (await manager.existsBy(Holds, open)) {
    const why =
      'For this order, the print service has another order that may still be printed. Resolve its hold first, then choose "Continue".';
    throw new NotPossibleError('still_printing', why);
  }
  const closed =
    over.length > 0 ? await closeOpenFulfillmentOrders(scope, await openAdmin(app, shop), over, canceled) : [];
  const settled = await app.db.transaction((inside) => recordClosing(scope, inside, over, closed));
  if (closed.length > 0) return closed.map(({ words }) => words);
  if (settled > 0)
    return [
      `Nothing is left to fulfill in the store for these items. ${storefrontOrder.name} is no longer waiting for them.`,
    ];
  return ['The fulfillment was already closed.'];
}

/** Returns print orders with an open hold for a fulfillment that was canceled in the store. */
async function readCanceled(manager: EntityManager, printOrders: readonly PrintOrder[]): Promise<Set<string>> {
  const open = {
    printOrderId: In(printOrders.map(({ id }) => id)),
    code: 'fulfillment_canceled',
    resolvedAt: IsNull(),
  };
  return new Set((await manager.findBy(Holds, open)).flatMap(({ printOrderId }) => printOrderId ?? []));
}

/** Returns the lines with units that will never ship and are not being reprinted. `quantity` counts only these units. */
async function readUndeliverableLines(
  manager: EntityManager,
  printOrders: readonly PrintOrder[],
  canceled: ReadonlySet<string>,
): Promise<PrintOrderLine[]> {
  if (printOrders.length === 0) return [];
  const lines = await manager.findBy(PrintOrderLines, { printOrderId: In(printOrders.map(({ id }) => id)) });
  return printOrders.flatMap((printOrder) =>
    lines
      .filter(({ printOrderId }) => printOrderId === printOrder.id)
      .map((line) => ({ ...line, quantity: unitsToClose(printOrder, line, canceled.has(printOrder.id)) }))
      .filter(({ quantity }) => quantity > 0),
  );
}

/**
 * Counts a line's units that will never ship and are not being reprinted. `isCanceled`: the line's fulfillment was canceled in the store.
 */
export function unitsToClose(printOrder: PrintOrder, line: PrintOrderLine, isCanceled: boolean): number {
  const { state, printAgainAt, closedAt, fencedAt } = printOrder;
  const isReplaced = printAgainAt !== null || closedAt !== null || fencedAt !== null;
  if (isReplaced || line.printAgainAt !== null) return 0;
  return willNeverShip(state) || isCanceled ? line.quantity - line.unitsAgain : countUndeliverableUnits(line);
}

interface ClosedFulfillmentOrder {
  fulfillmentOrderId: string;
  words: string;
}

/** Closes the fulfillment orders after checking that each of them can be closed. */
async function closeOpenFulfillmentOrders(
  scope: CloseScope,
  admin: AdminApi,
  over: readonly PrintOrderLine[],
  canceled: ReadonlySet<string>,
): Promise<ClosedFulfillmentOrder[]> {
  const toClose = await findOpenFulfillmentOrders(scope, admin, over);
  const underWay = await readInProgress(scope, canceled);
  for (const one of toClose) refuseIfNotClosable(scope, one, underWay);
  const closed: ClosedFulfillmentOrder[] = [];
  for (const { id, lines } of toClose) {
    const what = describeUndeliverableUnits(lines, over);
    const isMade = over.some(({ printOrderId }) => canceled.has(printOrderId));
    const why = isMade ? `${what} will not be fulfilled again` : `The print service will not print ${what}`;
    await closeFulfillmentOrderOnce(scope, admin, { id, message: `${why}.`, over });
    closed.push({ fulfillmentOrderId: id, words: `The fulfillment of ${what} is closed in the store.` });
  }
  return closed;
}

/** Lists the units that a fulfillment order still expects but that will never ship. Units that have already shipped do not count. */
function describeUndeliverableUnits(lines: FulfillmentOrder['lines'], over: readonly PrintOrderLine[]): string {
  const named = lines.flatMap(({ remainingQuantity, lineItem }) => {
    const unmade = over.filter(({ shopifyLineItemId }) => shopifyLineItemId === lineItem.id);
    const units = Math.min(
      remainingQuantity,
      unmade.reduce((sum, { quantity }) => sum + quantity, 0),
    );
    return unmade[0] && units > 0 ? [`${units} of ${describeLine(unmade[0])}`] : [];
  });
  const more = named.length > MAX_NAMED ? ` and ${named.length - MAX_NAMED} more lines` : '';
  return `${named.slice(0, MAX_NAMED).join(', ')}${more}`;
}

/** Finds the fulfillment orders that are still waiting for one of the lines, even if the line was planned for another fulfillment order. */
async function findOpenFulfillmentOrders(
  { app, shop, storefrontOrder }: CloseScope,
  admin: AdminApi,
  over: readonly PrintOrderLine[],
): Promise<FulfillmentOrder[]> {
  const order = await readOrderForPlan(admin, storefrontOrder.shopifyOrderId, { withCustomer: false });
  if (order) await keepFence(app, shop, admin, order.fence);
  const wanted = new Set(over.map(({ shopifyLineItemId }) => shopifyLineItemId));
  const hasRemainingUnits = ({ remainingQuantity, lineItem }: FulfillmentOrder['lines'][number]): boolean =>
    remainingQuantity > 0 && wanted.has(lineItem.id);
  return (order?.fulfillmentOrders ?? []).filter(
    ({ status, lines }) => UNFULFILLED_STATUSES.has(status) && lines.some(hasRemainingUnits),
  );
}

/** Returns line items with units in progress (planned, being printed or shipped but not fulfilled), together with their references. */
async function readInProgress(
  { app, storefrontOrder }: CloseScope,
  canceled: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const { manager } = app.db;
  const all = await manager.findBy(PrintOrders, { storefrontOrderId: storefrontOrder.id, fencedAt: IsNull() });
  const underWay = all.filter(
    (printOrder) =>
      !canceled.has(printOrder.id) &&
      !willNeverShip(printOrder.state) &&
      printOrder.state !== 'fulfilled' &&
      printOrder.printAgainAt === null,
  );
  if (underWay.length === 0) return new Map();
  const lines = await manager.findBy(PrintOrderLines, { printOrderId: In(underWay.map(({ id }) => id)) });
  const names = new Map(underWay.map(({ id, reference }) => [id, reference]));
  const pushed = await findFullyPushed(manager, underWay);
  return new Map(
    lines
      .filter(({ serviceStatus, printAgainAt }) => printAgainAt === null && !willNeverShip(serviceStatus))
      // Skips lines whose remaining units have all failed.
      .filter((line) => !(countUndeliverableUnits(line) > 0 && pushed.has(line.printOrderId)))
      .map(({ shopifyLineItemId, printOrderId }) => [shopifyLineItemId, names.get(printOrderId) ?? '']),
  );
}

/** Returns print orders whose parts have all shipped and whose packages have all been pushed to the store. */
async function findFullyPushed(manager: EntityManager, printOrders: readonly PrintOrder[]): Promise<Set<string>> {
  const shipped = printOrders.filter(({ state }) => state === 'shipped').map(({ id }) => id);
  const packages = await manager.findBy(Packages, { printOrderId: In(shipped) });
  const isPushed = (id: string): boolean => {
    const own = packages.filter(({ printOrderId }) => printOrderId === id);
    return own.length > 0 && own.every(({ pushedAt }) => pushedAt !== null);
  };
  return new Set(shipped.filter(isPushed));
}

/** Throws unless Platen has accepted the fulfillment order at its own location and none of its units are in progress. */
function refuseIfNotClosable(
  { shop }: CloseScope,
  { status, requestStatus, assignedLocation, lines }: FulfillmentOrder,
  underWay: ReadonlyMap<string, string>,
): void {
  const { location } = assignedLocation;
  if (location === null || location.id !== shop.locationId) {
    const why =
      'The fulfillment is at another location, so only you can close it. Refund the lines in your store, or fulfill them by hand there.';
    throw new NotPossibleError('not_ours_to_close', `${why} Then choose "Close in the store" again.`);
  }
  const moving = lines.find(({ remainingQuantity, lineItem }) => remainingQuantity > 0 && underWay.has(lineItem.id));
  if (moving) {
    const reference = underWay.get(moving.lineItem.id) ?? '';
    const why = `${reference}, which is part of the same fulfillment, is still in progress. Close the rest after it is fulfilled.`;
    throw new NotPossibleError('still_printing', why);
  }
  if (status === 'IN_PROGRESS' && ACCEPTED.has(requestStatus)) return;
  const current = `${status}, ${requestStatus}`.toLowerCase().replaceAll('_', ' ');
  const why = `The store closes only fulfillments that are accepted and in progress, but this fulfillment is ${current}.`;
  throw new NotPossibleError(
    'not_closable',
    `${why} Refund the lines in your store, or fulfill them by hand there. Then choose "Close in the store" again.`,
  );
}

async function closeFulfillmentOrderOnce(
  scope: CloseScope,
  admin: AdminApi,
  { id, message, over }: { id: string; message: string; over: readonly PrintOrderLine[] },
): Promise<void> {
  try {
    await closeFulfillmentOrder(admin, id, message);
  } catch (error) {
    if (!(error instanceof ShopifyError)) throw error;
    // Someone else, or an earlier request whose response was lost, may have closed the fulfillment order.
    const left = await findOpenFulfillmentOrders(scope, admin, over);
    if (left.every((one) => one.id !== id)) return;
    if (error.kind !== 'user_error') throw error;
    const words = error.userErrors.map((complaint) => complaint.message).join(' ');
    throw new NotPossibleError('close_refused', `The store did not close the fulfillment: ${words}`);
  }
}

/** Resolves the holds about the closed or returned items, and records the result in the timeline. Returns the number of resolved holds. */
async function recordClosing(
  { app, storefrontOrder, printOrders, by }: CloseScope,
  manager: EntityManager,
  over: readonly PrintOrderLine[],
  closed: readonly ClosedFulfillmentOrder[],
): Promise<number> {
  const { id: storefrontOrderId, shopId } = storefrontOrder;
  const resolved = { resolvedAt: app.clock.now() };
  const ids = printOrders.map(({ id }) => id);
  const back = await manager.update(
    Holds,
    { printOrderId: In(ids), code: 'service_returned', resolvedAt: IsNull() },
    resolved,
  );
  const overIds = [...new Set(over.map(({ printOrderId }) => printOrderId))];
  const ended = { printOrderId: In(overIds), code: In(ENDED), resolvedAt: IsNull() };
  const done = overIds.length > 0 ? await manager.update(Holds, ended, resolved) : { affected: 0 };
  const count = (back.affected ?? 0) + (done.affected ?? 0);
  if (count === 0 && closed.length === 0) return 0;
  const entry = { shopId, storefrontOrderId, kind: 'closed_in_store', by };
  for (const { fulfillmentOrderId, words } of closed)
    await writeTimeline(manager, { ...entry, message: words, data: { fulfillmentOrderId } });
  if (closed.length === 0)
    await writeTimeline(manager, {
      ...entry,
      message: 'Nothing is left to fulfill in the store for the items that will not arrive.',
    });
  await enqueueStoreUpdate(manager, storefrontOrderId);
  await enqueuePlan(manager, storefrontOrderId);
  return count;
}
