import { In } from 'typeorm';
import type { App } from '../../app.ts';
import { PrintedLines, StorefrontOrders } from '../../database/entities/orders.ts';
import {
  PrintOrderLines,
  PrintOrders,
  ServiceOrders,
  type PrintOrderState,
} from '../../database/entities/print-orders.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { PrintServiceError } from '../../print/errors.ts';
import { parseTimestamp } from '../../print/parse-timestamp.ts';
import { findEach } from '../../print/find-each.ts';
import type { FoundOrder, PortOrder, PrintInterface, PrintPort } from '../../print/port.ts';
import { markPrintAccountRefused, openPrintPort } from '../../shops/print-account/print-account.ts';
import { readSettings } from '../../shops/settings/settings.ts';
import { enqueueFollow } from '../enqueue/enqueue-follow.ts';
import { computeItemReference } from '../facts/compute-reference.ts';
import { hashLineItem } from '../facts/hash-line-item.ts';
import { isAtTestHost } from '../facts/print-order-predicates.ts';
import { toPrintOrderState } from '../facts/order-state.ts';
import { countFulfilled, countLeftToFulfill, locationOf, UNFULFILLED_STATUSES } from '../facts/store-quantities.ts';
import { changeState } from '../record/change-state.ts';
import {
  addFulfillmentOrders,
  groupConnected,
  isDraft,
  isLive,
  nextReferences,
  type PlacedReference,
} from '../facts/found-orders.ts';
import { readOrders, type SoldOrder } from '../rebuild/find-forgotten-orders.ts';
import { describeFailure, formatServiceMessage } from '../waits/describe-failure.ts';
import { recordStepWait } from '../waits/record-step-wait.ts';
import type { OwnRows } from '../rows/own-rows.ts';
import type { EarlierSearch } from './decide/plan.ts';
import { countForgottenUnits } from './read/read-plan-facts.ts';
import type { StoreReading } from '../facts/store-reading.ts';

/** The longest pause that the service may ask for before a failed search is retried. */
const MAX_SECONDS = 300;

/** The result of the search for print orders that an earlier installation sent. */
export interface Recovery {
  earlierSearch: EarlierSearch;
  /** Whether the order's rows changed, so that they must be loaded again. */
  isChanged: boolean;
  nextAt: Date | null;
}

/**
 * Recovers print orders that an earlier installation sent and whose rows were deleted with the shop's data. The units of these print orders
 * still count as printed, so no step would search for them. Platen adds the rows of a print order only if it is certain which units it
 * contains and that none of them has left. Everything else is held (`printed_before`), because nobody knows which parcels the store already
 * has. The next reference of a fulfillment order follows every reference that was found, so that none is used twice. Returns null if no
 * units were forgotten.
 */
export async function recoverForgottenOrders(
  app: App,
  sold: SoldOrder,
  reading: StoreReading,
  rows: OwnRows,
): Promise<Recovery | null> {
  const { shop, storefrontOrder } = sold;
  // All rows of an order that was placed after the installation still exist.
  if (Date.parse(reading.createdAt) >= shop.installedAt.getTime()) return null;
  const lineItemHash = In(reading.lineItems.map(({ id }) => hashLineItem(id)));
  const missing = countForgottenUnits(await app.db.manager.findBy(PrintedLines, { lineItemHash }), reading, rows);
  if (missing.size === 0) return null;
  const { printAccountId: accountId } = shop;
  const before = storefrontOrder.earlierSearch;
  const known = before !== null && before.accountId === accountId ? before.result : null;
  const unsearched = { earlierSearch: known ?? ('not_searched' as const), isChanged: false, nextAt: null };
  if (accountId === null) return unsearched;
  if (known !== null && [...missing.keys()].every((id) => countLeftToFulfill(reading, id) === 0)) return unsearched;
  const { account, port } = await openPrintPort(app, accountId, { ...readSettings(shop), shopId: shop.id });
  if (account.state === 'refused') return unsearched;
  try {
    const references = toReferences(sold, reading, port.printInterface);
    const records = await searchForParts(
      app,
      sold,
      port,
      references.map(({ reference }) => reference),
    );
    const groups = await readGroups(port, groupConnected(records), reading);
    const certain = findCertainGroups(groups, missing, reading, shop);
    let isChanged = false;
    for (const one of certain) if (await addPrintOrder(app, sold, reading, { ...one, port })) isChanged = true;
    const left = groups.filter(({ reference }) => certain.every((one) => one.reference !== reference));
    const unclear = left.some(({ isOver }) => !isOver) ? 'unclear' : 'over';
    const result = left.length === 0 ? 'not_found' : unclear;
    const found = new Set(records.map(({ orderReferenceId }) => orderReferenceId));
    const referenceNumbers = { ...storefrontOrder.referenceNumbers };
    for (const { reference, shopifyFulfillmentOrderId: id, number } of references)
      if (found.has(reference)) referenceNumbers[id] = Math.max(referenceNumbers[id] ?? 0, number);
    const isSkipping = Object.entries(referenceNumbers).some(
      ([id, number]) => number > (storefrontOrder.referenceNumbers[id] ?? 0),
    );
    if (result !== known || isSkipping) {
      isChanged = true;
      const { id } = storefrontOrder;
      await app.db.manager.update(StorefrontOrders, { id }, { referenceNumbers, earlierSearch: { accountId, result } });
    }
    return { earlierSearch: result, isChanged, nextAt: null };
  } catch (error) {
    if (!(error instanceof PrintServiceError)) throw error;
    const isRefused = error.outcome === 'account_refused';
    // A key that the test host refuses may still be valid on the live hosts.
    if (isRefused && !isAtTestHost(readSettings(shop)))
      await markPrintAccountRefused(app, accountId, error.serviceMessage);
    if (known !== null || isRefused) return unsearched;
    return { earlierSearch: 'pending', isChanged: false, nextAt: await waitToSearch(app, sold, error) };
  }
}

/** The orders found under one reference. */
interface FoundGroup {
  reference: string;
  parts: FoundOrder[];
  /** Whether a part has shipped, ended or was not paid. */
  isOver: boolean;
  /**
   * Units by LineItem, null where the interface reports no quantity. Null if the items cannot be read or recognized, or if the reference has
   * several live orders.
   */
  units: Map<string, number | null> | null;
  productUids: Map<string, string>;
}

const FOLLOWABLE: ReadonlySet<PrintOrderState> = new Set(['submitted', 'in_production', 'held']);

async function readGroups(
  port: PrintPort,
  groups: readonly FoundOrder[][],
  reading: StoreReading,
): Promise<FoundGroup[]> {
  const read: FoundGroup[] = [];
  for (const [reference, ofReference] of Map.groupBy(groups, ([first]) => first?.orderReferenceId ?? '')) {
    const parts = ofReference.flat();
    const orders = await readOrders(port, parts);
    const shown: FoundOrder[] = [...parts, ...(orders ?? [])];
    const states = shown.map(({ fulfillmentStatus }) => toPrintOrderState(fulfillmentStatus ?? ''));
    const isOver =
      states.some((state) => state !== null && !FOLLOWABLE.has(state)) ||
      shown.some(({ financialStatus }) => financialStatus === 'refused') ||
      (orders ?? []).some(({ shipment }) => (shipment?.packages.length ?? 0) > 0);
    const isUnclear = states.includes(null) || ofReference.filter(isLive).length > 1;
    read.push({ reference, parts, isOver, ...recognizeItems(port, isUnclear ? null : orders, reading) });
  }
  return read;
}

function recognizeItems(
  { printInterface }: PrintPort,
  orders: readonly PortOrder[] | null,
  { lineItems }: StoreReading,
): Pick<FoundGroup, 'units' | 'productUids'> {
  const units = new Map<string, number | null>();
  const productUids = new Map<string, string>();
  for (const { itemReferenceId, productUid, quantity } of (orders ?? []).flatMap(({ items }) => items)) {
    const line = lineItems.find(({ id }) => computeItemReference(id, printInterface) === itemReferenceId);
    if (!line) return { units: null, productUids };
    const before = units.get(line.id) ?? 0;
    units.set(line.id, quantity === null || units.get(line.id) === null ? null : before + quantity);
    productUids.set(line.id, productUid ?? '');
  }
  return { units: units.size > 0 ? units : null, productUids };
}

/** A print order to recover, whose units are certain. */
interface CertainGroup extends Pick<FoundGroup, 'reference' | 'parts'> {
  items: { lineItemId: string; productUid: string; quantity: number }[];
  shopifyFulfillmentOrderId: string;
}

/**
 * Returns the found print orders that can be recovered: nothing of them has left, and their units are all forgotten and all left to fulfill.
 * Where the interface reports no quantities, a print order has all forgotten units of its line if no other print order has the line. Pure.
 */
export function findCertainGroups(
  groups: readonly FoundGroup[],
  missing: ReadonlyMap<string, number>,
  reading: StoreReading,
  shop: Pick<Shop, 'locationId'>,
): CertainGroup[] {
  const open = groups.flatMap(({ isOver, units, ...group }) => {
    if (isOver || units === null) return [];
    const items = [...units].map(([lineItemId, quantity]) => {
      const isAlone = groups.every((one) => one.units !== null && (one.units === units || !one.units.has(lineItemId)));
      const known = quantity ?? (isAlone ? (missing.get(lineItemId) ?? 0) : 0);
      return { lineItemId, productUid: group.productUids.get(lineItemId) ?? '', quantity: known };
    });
    return [{ ...group, items }];
  });
  const totals = new Map<string, number>();
  for (const { lineItemId, quantity } of open.flatMap(({ items }) => items))
    totals.set(lineItemId, (totals.get(lineItemId) ?? 0) + quantity);
  return open.flatMap(({ reference, parts, items }) => {
    const isCertain = items.every(({ lineItemId, quantity }) => {
      const most = Math.min(missing.get(lineItemId) ?? 0, countLeftToFulfill(reading, lineItemId));
      return quantity >= 1 && (totals.get(lineItemId) ?? 0) <= most;
    });
    const shopifyFulfillmentOrderId = isCertain ? findFulfillmentOrder(reading, items, shop) : null;
    return shopifyFulfillmentOrderId === null ? [] : [{ reference, parts, items, shopifyFulfillmentOrderId }];
  });
}

/** Returns the fulfillment order that has all these units left, preferably one at Platen's location. */
function findFulfillmentOrder(
  { fulfillmentOrders }: StoreReading,
  items: CertainGroup['items'],
  { locationId }: Pick<Shop, 'locationId'>,
): string | null {
  const fitting = fulfillmentOrders.filter(
    ({ status, lineItems }) =>
      UNFULFILLED_STATUSES.has(status) &&
      items.every(({ lineItemId, quantity }) =>
        lineItems.some(
          ({ lineItem, remainingQuantity }) => lineItem.id === lineItemId && remainingQuantity >= quantity,
        ),
      ),
  );
  return (fitting.find((one) => locationOf(one, locationId) === 'ours') ?? fitting[0])?.id ?? null;
}

/** Adds the rows of a recovered print order. Returns false if a step has added the print order since the search. */
async function addPrintOrder(
  app: App,
  { shop, storefrontOrder: { id: storefrontOrderId } }: SoldOrder,
  reading: StoreReading,
  { reference, parts, items, shopifyFulfillmentOrderId, port }: CertainGroup & { port: PrintPort },
): Promise<boolean> {
  const [chosen] = parts;
  const { submit: submitWay, legacyHost } = readSettings(shop);
  if (!chosen || shop.printAccountId === null) return false;
  const { createdAt, financialStatus } = chosen;
  const printAccountId = shop.printAccountId;
  const placedAt = new Date(reading.createdAt);
  const sentAt = parseTimestamp(createdAt ?? '') ?? placedAt;
  return app.db.transaction(async (manager) => {
    const lock = { mode: 'for_no_key_update' } as const;
    const { nextPart: part } = await manager.findOneOrFail(StorefrontOrders, {
      where: { id: storefrontOrderId },
      lock,
    });
    if (await manager.existsBy(PrintOrders, { reference })) return false;
    await manager.update(StorefrontOrders, { id: storefrontOrderId }, { nextPart: part + 1 });
    const { identifiers } = await manager.insert(PrintOrders, {
      shopId: shop.id,
      storefrontOrderId,
      printAccountId,
      shopifyFulfillmentOrderId,
      part,
      reference,
      state: 'planned',
      submitWay,
      printInterface: port.printInterface,
      legacyHost,
      financialStatus,
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
      items.map(({ lineItemId, productUid, quantity }) => {
        const line = reading.lineItems.find(({ id }) => id === lineItemId);
        return {
          printOrderId,
          itemReferenceId: computeItemReference(lineItemId, port.printInterface),
          shopifyLineItemId: lineItemId,
          shopifyVariantId: line?.variant?.id ?? null,
          sku: line?.sku ?? null,
          productUid,
          quantity,
          // No unit of the print order has left, so the store's fulfilled units belong to other print orders.
          fulfilledBefore: countFulfilled(reading, lineItemId),
        };
      }),
    );
    await manager.insert(
      ServiceOrders,
      [...new Set(parts.flatMap(({ id, connectedOrderIds }) => [id, ...connectedOrderIds]))].map((serviceOrderId) => ({
        printOrderId,
        printAccountId,
        serviceOrderId,
        role: serviceOrderId === chosen.id ? ('chosen' as const) : ('part' as const),
        orderType: chosen.orderType,
      })),
    );
    const printOrder = await manager.findOneByOrFail(PrintOrders, { id: printOrderId });
    const message = `${reference} was sent by an earlier installation. Platen found it at the print service and follows it again.`;
    await changeState(manager, printOrder, { to: 'submitted', kind: 'recovered', message });
    await enqueueFollow(manager, printOrder);
    return true;
  });
}

/** Returns the account's orders, without drafts, of parts that the database does not know. `references` names the parts to search for. */
async function searchForParts(
  app: App,
  { storefrontOrder }: SoldOrder,
  port: PrintPort,
  references: readonly string[],
): Promise<FoundOrder[]> {
  const rows = await app.db.manager.findBy(PrintOrders, { storefrontOrderId: storefrontOrder.id });
  const known = new Set(rows.map(({ reference }) => reference));
  const asked = new Set(references.filter((reference) => !known.has(reference)));
  const records: FoundOrder[] = [];
  // The service may ignore case or spaces, so it may return orders that nobody asked for.
  for await (const record of findEach(app.clock, port, [...asked]))
    if (!isDraft(record) && asked.has(record.orderReferenceId)) records.push(record);
  return records;
}

/** Returns all references that the fulfillment orders in the store may have. The row of an order that was never planned has no name yet. */
function toReferences(
  { shop, storefrontOrder, installation }: SoldOrder,
  reading: StoreReading,
  printInterface: PrintInterface,
): PlacedReference[] {
  const name = storefrontOrder.name || reading.name;
  const referenceNumbers = addFulfillmentOrders(storefrontOrder.referenceNumbers, reading);
  const complete = { ...storefrontOrder, name, referenceNumbers };
  return nextReferences({ shop, storefrontOrder: complete, installation }, printInterface, { fromFirst: true });
}

/** Records that the search failed, and returns when it is retried. */
function waitToSearch(app: App, { shop, storefrontOrder }: SoldOrder, error: PrintServiceError): Promise<Date> {
  const why = describeFailure(error, "search for the order's earlier print orders");
  const order = { shopId: shop.id, storefrontOrderId: storefrontOrder.id, printOrder: null };
  const asked = error.retryAfterSeconds === null ? {} : { seconds: Math.min(error.retryAfterSeconds, MAX_SECONDS) };
  return recordStepWait(app, app.db.manager, order, {
    step: 'plan',
    why,
    words: formatServiceMessage(error),
    ...asked,
  });
}
