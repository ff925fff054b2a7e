import { In, IsNull, type EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import { Holds, PrintedLines, StorefrontOrders, type StorefrontOrder } from '../../database/entities/orders.ts';
import { PrintOrderLines, PrintOrders, ServiceOrders } from '../../database/entities/print-orders.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { PrintServiceError } from '../../print/errors.ts';
import { findEach } from '../../print/find-each.ts';
import type { FoundOrder, PortOrder, PrintPort } from '../../print/port.ts';
import type { InstallationSecrets } from '../../shops/install/installation.ts';
import { openPrintPort } from '../../shops/print-account/print-account.ts';
import { readSettings } from '../../shops/settings/settings.ts';
import { enqueueFollow } from '../enqueue/enqueue-follow.ts';
import { computeItemReference } from '../facts/compute-reference.ts';
import { hashLineItem } from '../facts/hash-line-item.ts';
import type { HoldCode } from '../facts/hold-codes.ts';
import { countFulfilled } from '../facts/store-quantities.ts';
import { changeState } from '../record/change-state.ts';
import { holdUnknownOrder } from '../record/hold-unknown-order.ts';
import { groupConnected, isDraft, isLive, mayLackParts, nextPartReferences } from '../facts/found-orders.ts';
import type { OwnRows } from '../rows/own-rows.ts';
import type { Plan } from './decide/plan.ts';
import { countForgottenUnits } from './read/read-plan-facts.ts';
import type { StoreReading } from '../facts/store-reading.ts';

/** Delay before a failed search is retried. */
const RETRY_SECONDS = 60;

interface SoldOrder {
  shop: Shop;
  storefrontOrder: StorefrontOrder;
  installation: InstallationSecrets;
}

/**
 * After a restore, searches for print orders that are missing from the database, if the order was canceled or is being canceled. Platen
 * sends no further create requests for such an order, so the search that precedes a create request cannot find these print orders. Once the
 * quiet time has passed, this function searches the account and opens a hold for each live print order, so that someone cancels it. Returns
 * when to plan again if the search was not possible yet, or null.
 */
export async function searchForForgottenOrders(app: App, sold: SoldOrder, reading: StoreReading): Promise<Date | null> {
  const { shop, storefrontOrder, installation } = sold;
  const { quietUntil } = installation;
  if (quietUntil === null || !mayLackParts(installation, new Date(reading.createdAt))) return null;
  if (shop.printAccountId === null || !isToEnd(reading, storefrontOrder)) return null;
  if (storefrontOrder.searchedAt !== null && storefrontOrder.searchedAt >= quietUntil) return null;
  const now = app.now();
  if (now < quietUntil) return quietUntil;
  try {
    // References contain the order's name, but the row of an order that was never planned has no name yet.
    const { records } = await searchForNextParts(app, sold, reading, shop.printAccountId);
    const live = records.filter((record) => isLive([record]));
    for (const reference of new Set(live.map(({ orderReferenceId }) => orderReferenceId)))
      await holdUnknownOrder(app, storefrontOrder, reference);
  } catch (error) {
    if (!(error instanceof PrintServiceError)) throw error;
    return new Date(now.getTime() + RETRY_SECONDS * 1000);
  }
  await app.db.manager.update(StorefrontOrders, { id: storefrontOrder.id }, { searchedAt: now });
  return null;
}

function isToEnd({ cancelledAt, fulfillmentOrders }: StoreReading, { cancelAskedAt }: StorefrontOrder): boolean {
  const isAsked = fulfillmentOrders.some(({ requestStatus }) => requestStatus === 'CANCELLATION_REQUESTED');
  return cancelledAt !== null || cancelAskedAt !== null || isAsked;
}

/** Returns the account's orders, without drafts, of later parts that the database does not know, and the port that found them. */
async function searchForNextParts(
  app: App,
  { shop, storefrontOrder, installation }: SoldOrder,
  reading: StoreReading,
  accountId: number,
): Promise<{ port: PrintPort; references: string[]; records: FoundOrder[] }> {
  const settings = readSettings(shop);
  const { port } = await openPrintPort(app, accountId, { ...settings, shopId: shop.id });
  // References contain the order's name, but the row of an order that was never planned has no name yet.
  const named = { ...storefrontOrder, name: storefrontOrder.name || reading.name };
  const references = nextPartReferences({ shop, storefrontOrder: named, installation }, settings.printInterface);
  const rows = await app.db.manager.findBy(PrintOrders, { storefrontOrderId: storefrontOrder.id });
  const known = new Set(rows.map(({ reference }) => reference));
  const records: FoundOrder[] = [];
  for await (const record of findEach(port, references))
    if (!isDraft(record) && !known.has(record.orderReferenceId)) records.push(record);
  return { port, references, records };
}

/**
 * Recovers print orders that an earlier installation sent and whose rows were deleted with the shop's data. The units of these print orders
 * still count as printed, so no step would search for them. Platen finds their orders under the same references, adds their rows again and
 * follows them. Orders that have ended are recovered only if no other order explains their units. Returns 'recovered' if rows were added,
 * when to try again if the search failed, or null.
 */
export async function recoverForgottenOrders(
  app: App,
  sold: SoldOrder,
  reading: StoreReading,
  rows: OwnRows,
): Promise<'recovered' | Date | null> {
  const { shop } = sold;
  // All rows of an order that was placed after the installation still exist.
  if (shop.printAccountId === null || Date.parse(reading.createdAt) >= shop.installedAt.getTime()) return null;
  const lineItemHash = In(reading.lineItems.map(({ id }) => hashLineItem(id)));
  const printed = await app.db.manager.findBy(PrintedLines, { lineItemHash });
  const missing = countForgottenUnits(printed, reading, rows);
  if ([...missing].every(([lineItemId, units]) => countFulfilled(reading, lineItemId) >= units)) return null;
  try {
    const { port, references, records } = await searchForNextParts(app, sold, reading, shop.printAccountId);
    // Without the order's items, Platen does not know which units the order contains.
    if (port.status === 'unsupported') return null;
    const groups = groupConnected(records).toSorted((a, b) => Number(isLive(b)) - Number(isLive(a)));
    let isAnyAdded = false;
    for (const group of groups) {
      const items = await readItems(port, group, reading, missing);
      const isExplained =
        items !== null &&
        (isLive(group) || items.every((item) => item.quantity <= (missing.get(item.lineItemId) ?? 0)));
      if (!isExplained) continue;
      const part = sold.storefrontOrder.nextPart + references.indexOf(group[0]?.orderReferenceId ?? '');
      if (!(await addPrintOrder(app, sold, reading, { group, part, items, port }))) continue;
      isAnyAdded = true;
      for (const { lineItemId, quantity } of items) missing.set(lineItemId, (missing.get(lineItemId) ?? 0) - quantity);
    }
    return isAnyAdded ? 'recovered' : null;
  } catch (error) {
    if (!(error instanceof PrintServiceError)) throw error;
    return new Date(app.now().getTime() + RETRY_SECONDS * 1000);
  }
}

interface RecoveredItem {
  lineItemId: string;
  sku: string | null;
  variantId: string | null;
  productUid: string;
  quantity: number;
}

/**
 * Reads the items of a found order's parts. The earlier interfaces report no quantities, so an item then has all the line's `missing` units.
 * Returns null if the order's lines cannot be recognized.
 */
async function readItems(
  { status, printInterface }: PrintPort,
  group: readonly FoundOrder[],
  { lineItems }: StoreReading,
  missing: ReadonlyMap<string, number>,
): Promise<RecoveredItem[] | null> {
  if (status === 'unsupported') return null;
  const orders: PortOrder[] = [];
  for (const id of new Set(group.flatMap((part) => [part.id, ...part.connectedOrderIds]))) {
    const order = await status(id).catch((error: unknown) => {
      if (error instanceof PrintServiceError && error.outcome === 'not_found') return null;
      throw error;
    });
    if (order !== null) orders.push(order);
  }
  const items = new Map<string, RecoveredItem>();
  for (const { itemReferenceId, productUid, quantity } of orders.flatMap((order) => order.items)) {
    const line = lineItems.find(({ id }) => computeItemReference(id, printInterface) === itemReferenceId);
    if (!line) return null;
    const before = items.get(line.id)?.quantity ?? 0;
    const { id: lineItemId, sku, variant } = line;
    const units = before + (quantity ?? missing.get(lineItemId) ?? 0);
    items.set(lineItemId, {
      lineItemId,
      sku,
      variantId: variant?.id ?? null,
      productUid: productUid ?? '',
      quantity: units,
    });
  }
  return items.size > 0 ? [...items.values()] : null;
}

/** Adds the rows of a recovered print order. Returns false if a step has added the print order since the search. */
async function addPrintOrder(
  app: App,
  { shop, storefrontOrder: { id: storefrontOrderId } }: SoldOrder,
  reading: StoreReading,
  { group, part, items, port }: { group: readonly FoundOrder[]; part: number; items: RecoveredItem[]; port: PrintPort },
): Promise<boolean> {
  const [chosen] = group;
  const { submit: submitWay, legacyHost } = readSettings(shop);
  if (!chosen || shop.printAccountId === null) return false;
  const { orderReferenceId: reference, createdAt } = chosen;
  const printAccountId = shop.printAccountId;
  const placedAt = new Date(reading.createdAt);
  const sentAt = createdAt === null ? placedAt : new Date(createdAt);
  return app.db.transaction(async (manager) => {
    const lock = { mode: 'for_no_key_update' } as const;
    await manager.findOneOrFail(StorefrontOrders, { where: { id: storefrontOrderId }, lock });
    if (await manager.existsBy(PrintOrders, { reference })) return false;
    const { identifiers } = await manager.insert(PrintOrders, {
      shopId: shop.id,
      storefrontOrderId,
      printAccountId,
      shopifyFulfillmentOrderId: findFulfillmentOrder(reading, items),
      part,
      reference,
      state: 'planned',
      submitWay,
      printInterface: port.printInterface,
      legacyHost,
      // A sent print order is never compared with the plan.
      planSha256: '',
      serviceOrderId: chosen.id,
      confirmStartedAt: sentAt,
      confirmedAt: sentAt,
      // The plan must recognize that the current installation did not send the print order.
      createdAt: placedAt,
    });
    const printOrderId = String(identifiers[0]?.['id']);
    await manager.insert(
      PrintOrderLines,
      items.map(({ lineItemId: shopifyLineItemId, variantId: shopifyVariantId, ...item }) => ({
        printOrderId,
        itemReferenceId: computeItemReference(shopifyLineItemId, port.printInterface),
        shopifyLineItemId,
        shopifyVariantId,
        ...item,
      })),
    );
    await manager.insert(
      ServiceOrders,
      [...new Set(group.flatMap(({ id, connectedOrderIds }) => [id, ...connectedOrderIds]))].map((serviceOrderId) => ({
        printOrderId,
        printAccountId,
        serviceOrderId,
        role: serviceOrderId === chosen.id ? ('chosen' as const) : ('part' as const),
        orderType: chosen.orderType,
      })),
    );
    await manager.query('update storefront_orders set next_part = greatest(next_part, $2) where id = $1', [
      storefrontOrderId,
      part + 1,
    ]);
    const printOrder = await manager.findOneByOrFail(PrintOrders, { id: printOrderId });
    const message = `${reference} was sent by an earlier installation. Platen found it at the print service and follows it again.`;
    await changeState(manager, printOrder, { to: 'submitted', kind: 'recovered', message });
    await enqueueFollow(manager, printOrder);
    return true;
  });
}

/** Returns the fulfillment order that the items ship from: the first one that has units of them left, or else the first with the line. */
function findFulfillmentOrder({ fulfillmentOrders }: StoreReading, items: readonly RecoveredItem[]): string {
  const unitsIn = (one: StoreReading['fulfillmentOrders'][number]): number[] =>
    one.lineItems
      .filter(({ lineItem }) => items.some(({ lineItemId }) => lineItemId === lineItem.id))
      .map(({ remainingQuantity }) => remainingQuantity);
  const home =
    fulfillmentOrders.find((one) => unitsIn(one).some((units) => units > 0)) ??
    fulfillmentOrders.find((one) => unitsIn(one).length > 0);
  return home?.id ?? '';
}

/**
 * Delays the acceptance of cancellation requests until `searchForForgottenOrders` has finished and no hold for an unknown print order is open
 * (docs/rules/created-once.md#cancellation). `nextSearchAt` is the result of `searchForForgottenOrders`.
 */
export async function delayAcceptances(
  manager: EntityManager,
  { id: storefrontOrderId }: StorefrontOrder,
  plan: Plan,
  nextSearchAt: Date | null,
): Promise<void> {
  const accepted = plan.cancellations.filter(({ answer }) => answer === 'accept');
  if (accepted.length === 0) return;
  const code: HoldCode = 'unknown_print_order';
  const isHeld = await manager.existsBy(Holds, { storefrontOrderId, code, resolvedAt: IsNull() });
  if (!isHeld && nextSearchAt === null) return;
  const message = isHeld
    ? 'The print service has a print order for this order that Platen does not know. Someone must resolve the hold for that print order first.'
    : 'The database was restored, so Platen must first search the print service for unknown print orders of this order.';
  for (const cancellation of accepted) Object.assign(cancellation, { answer: 'wait', message });
}
