import { In, IsNull, Not, type EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import {
  PrintOrderLines,
  PrintOrders,
  ServiceOrders,
  type ServiceOrder,
} from '../../database/entities/print-orders.ts';
import { Deliveries } from '../../database/entities/deliveries.ts';
import { Packages } from '../../database/entities/packages.ts';
import { parseEvent } from '../../print/events.ts';
import type { FoundOrder, PortOrder } from '../../print/port.ts';
import { handlePrintError } from '../waits/handle-print-error.ts';
import { endStepWaits } from '../waits/end-step-waits.ts';
import { readOrder } from '../submit/draft/adopt-order.ts';
import { searchForOrders } from '../submit/search-for-orders.ts';
import { MAX_EVENTS } from '../rows/order-tables.ts';
import { saveReceipts } from '../costs/save-receipts.ts';
import { enqueueFollow } from '../enqueue/enqueue-follow.ts';
import { resolveUntrackedHold } from './fulfill-untracked-parcels.ts';
import { receivePackages } from './receive/receive-packages.ts';
import { enqueueStoreUpdate } from '../enqueue/enqueue-store-update.ts';
import { replacePackages } from './receive/replace-packages.ts';
import { receiveProductionLog } from './receive/receive-production-log.ts';
import { holdMissingOrder, resolveMissingOrder } from './hold-missing-order.ts';
import { clearReportedItems } from './receive/receive-item-statuses.ts';
import { receiveStatus } from './receive/receive-status.ts';
import { isPrinted } from '../facts/service-trouble.ts';
import { saveEventData } from './receive/save-event-data.ts';
import { settleFromSearch } from '../submit/settle-from-search.ts';
import { openSubmitScope, type SubmitScope } from '../submit/submit-scope.ts';
import { enqueuePush } from '../enqueue/enqueue-push.ts';
import { usesFlow } from '../../shops/flow-triggers.ts';

/**
 * Reads a print order from the service and records its status, parts and packages. Events and polls only trigger this reading, so that
 * every action that costs money or notifies a buyer is based on the service's own response.
 */
export async function followPrintOrder(app: App, { printOrderId }: { printOrderId: string }): Promise<void> {
  const begunAt = app.clock.now();
  const scope = await openSubmitScope(app, printOrderId);
  if (!scope || scope.printOrder.serviceOrderId === null || scope.printOrder.confirmedAt === null) return;
  const { manager } = app.db;
  try {
    const orders = await (scope.port.status === 'unsupported' ? readBySearch(scope) : readByStatus(scope));
    if (orders.length === 0) await findUnderReference(scope);
    await scope.order.change((change) => saveReading(scope, change, orders, begunAt));
  } catch (error) {
    return handlePrintError(app, scope.printOrder, error, {
      step: 'follow',
      doing: 'read the status of the order',
      refused: null,
      again: (_, runAt) => enqueueFollow(manager, scope.printOrder, { runAt }),
    });
  }
}

async function saveReading(
  scope: SubmitScope,
  manager: EntityManager,
  orders: readonly (FoundOrder | PortOrder)[],
  begunAt: Date,
): Promise<void> {
  const { app, printOrder } = scope;
  const { id } = printOrder;
  await handleWaitingEvents(scope, manager);
  if (orders.length > 0) await receiveOrders(scope, manager, orders);
  await manager.update(PrintOrders, { id }, { followedAt: app.clock.now() });
  await endStepWaits(app, manager, { printOrderIds: [id] }, 'follow', begunAt);
}

/**
 * Handles the print order's waiting events before the service's response is recorded, because the response confirms the tracking codes from
 * the events.
 */
async function handleWaitingEvents(scope: SubmitScope, manager: EntityManager): Promise<void> {
  const { app, storefrontOrder, settings } = scope;
  const { id } = scope.printOrder;
  const where = { printOrderId: id, handledAt: IsNull() };
  const waiting = await manager.find(Deliveries, { where, order: { id: 'ASC' } });
  for (const { id: deliveryId, body } of waiting) {
    const printOrder = await manager.findOneByOrFail(PrintOrders, { id });
    const event = parseEvent(body);
    const { extendedCalls } = settings;
    if ('orderReferenceId' in event) await saveEventData({ app, manager, printOrder, extendedCalls }, event);
    // If the order's customer was redacted, the event's body is deleted.
    const kept = storefrontOrder.redactedAt === null ? {} : { body: null };
    await manager.update(Deliveries, { id: deliveryId }, { handledAt: app.clock.now(), result: 'handled', ...kept });
  }
  if (waiting.length === MAX_EVENTS) await enqueueFollow(manager, scope.printOrder);
}

/** Records the orders that were read. Rows are read under the lock, because a print order's events and readings must not overlap. */
async function receiveOrders(
  scope: SubmitScope,
  manager: EntityManager,
  orders: readonly (FoundOrder | PortOrder)[],
): Promise<void> {
  const { id } = scope.printOrder;
  scope.printOrder = await manager.findOneOrFail(PrintOrders, { where: { id }, lock: { mode: 'for_no_key_update' } });
  scope.lines = await manager.find(PrintOrderLines, { where: { printOrderId: id }, order: { id: 'ASC' } });
  const shown = orders.filter((order): order is PortOrder => 'productionLog' in order);
  const isNews = await savePartStatuses(scope, manager, orders);
  await saveReceipts(scope, manager, orders);
  await resolveMissingOrder(scope, manager);
  for (const order of shown) await receivePackages(scope, manager, order);
  for (const order of shown) await replacePackages(scope, manager, order);
  await confirmPackages(scope, manager, orders);
  await resolveUntrackedHold(scope.app, manager, scope.printOrder);
  await receiveStatus(scope, manager, orders, isNews);
  if (scope.port.status === 'unsupported') await clearReportedItems(scope, manager, orders);
  for (const { productionLog } of shown) await receiveProductionLog(scope, manager, productionLog);
  await pushCodes(scope, manager);
}

async function readParts({ order, printOrder }: SubmitScope): Promise<ServiceOrder[]> {
  return order.reader.find(ServiceOrders, {
    where: { printOrderId: printOrder.id, role: In(['chosen', 'part']) },
    order: { id: 'ASC' },
  });
}

async function readByStatus(scope: SubmitScope): Promise<PortOrder[]> {
  const orders: PortOrder[] = [];
  const known = await readParts(scope);
  const ids = new Set(known.map(({ serviceOrderId }) => serviceOrderId));
  // A part may refer to new parts. The loop then also visits the new parts, because the set grows during the iteration.
  for (const id of ids) {
    const order = await readOrder(scope, id);
    if (!order) continue;
    for (const connected of order.connectedOrderIds.slice(0, 50)) ids.add(connected);
    orders.push(order);
  }
  return orders;
}

/**
 * Searches by reference for an order that the service does not show by its IDs, because the IDs may change if the service splits the order.
 */
async function findUnderReference(scope: SubmitScope): Promise<void> {
  // The search, or the status request of an earlier interface, has already used the reference.
  if (scope.port.status === 'unsupported' || scope.port.printInterface !== 'current') return holdMissingOrder(scope);
  const search = await searchForOrders(scope);
  if (search.groups.length > 0) await settleFromSearch(scope, search);
  else await holdMissingOrder(scope);
}

/**
 * Reads the status by search, for accounts without extended calls. A search shows no packages, so tracking codes from events count as
 * confirmed once the order has been printed or shipped.
 */
async function readBySearch(scope: SubmitScope): Promise<FoundOrder[]> {
  const records: FoundOrder[] = [];
  const parts = await readParts(scope);
  const ids = new Set(parts.map(({ serviceOrderId }) => serviceOrderId));
  for await (const record of scope.port.find({ orderReferenceIds: [scope.printOrder.reference] })) {
    if (ids.has(record.id) || record.connectedOrderIds.some((id) => ids.has(id))) records.push(record);
  }
  return records;
}

/** Stores the status of each part. Returns whether a status has changed. */
async function savePartStatuses(
  { app, printOrder, account }: SubmitScope,
  manager: EntityManager,
  orders: readonly FoundOrder[],
): Promise<boolean> {
  const before = await manager.findBy(ServiceOrders, { printOrderId: printOrder.id });
  const isNews = orders.some(
    ({ id, fulfillmentStatus }) =>
      before.find(({ serviceOrderId }) => serviceOrderId === id)?.status !== fulfillmentStatus,
  );
  if (isNews) await enqueueStoreUpdate(manager, printOrder.storefrontOrderId);
  for (const { id, orderType, fulfillmentStatus: status } of orders) {
    const known = before.find(({ serviceOrderId }) => serviceOrderId === id);
    if (known) {
      const isSame = known.orderType === orderType && known.status === status;
      if (!isSame) await manager.update(ServiceOrders, { id: known.id }, { orderType, status });
      continue;
    }
    // A part may already be recorded for another print order.
    await manager.query(
      `insert into service_orders (print_order_id, print_account_id, service_order_id, role, order_type, status, seen_at)
       values ($1, $2, $3, 'part', $4, $5, $6)
       on conflict (print_account_id, service_order_id) do update set order_type = excluded.order_type, status = excluded.status`,
      [printOrder.id, account.id, id, orderType, status, app.clock.now()],
    );
  }
  return isNews;
}

/**
 * Confirms codes that are known only from events if the order has been printed or is further along, and the service itself shows no
 * packages.
 */
async function confirmPackages(
  { app, printOrder }: SubmitScope,
  manager: EntityManager,
  orders: readonly FoundOrder[],
): Promise<void> {
  for (const order of orders) {
    const shows = 'shipment' in order && isShipmentWithPackages(order.shipment);
    if (shows || !isPrinted(order.fulfillmentStatus)) continue;
    const reported = { printOrderId: printOrder.id, serviceOrderId: order.id, confirmedAt: IsNull() };
    await manager.update(Packages, reported, { confirmedAt: app.clock.now() });
  }
}

function isShipmentWithPackages(shipment: unknown): boolean {
  const packages = (shipment as PortOrder['shipment'])?.packages ?? [];
  return packages.some(({ trackingCode }) => trackingCode !== null && trackingCode !== '');
}

/** Enqueues one push for all of an order's tracking codes that arrive within the shop's `gatherSeconds` after the first code. */
async function pushCodes({ shop, printOrder, settings }: SubmitScope, manager: EntityManager): Promise<void> {
  const toPush = { printOrderId: printOrder.id, confirmedAt: Not(IsNull()), pushedAt: IsNull() };
  if (!(await manager.existsBy(Packages, toPush))) return;
  const { storefrontOrderId } = printOrder;
  // A new package changes nothing else in the store, so only a shop with workflows needs an update.
  if (usesFlow(shop)) await enqueueStoreUpdate(manager, storefrontOrderId);
  const waitSeconds = settings.gatherSeconds;
  await enqueuePush(manager, storefrontOrderId, { keyMode: 'preserve_run_at', waitSeconds });
}
