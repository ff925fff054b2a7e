import { IsNull, type EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import { Holds, StorefrontOrders, type StorefrontOrder } from '../../database/entities/orders.ts';
import { PrintOrders } from '../../database/entities/print-orders.ts';
import type { PrintAccount, Shop } from '../../database/entities/shops.ts';
import { PrintServiceError } from '../../print/errors.ts';
import { findEach } from '../../print/find-each.ts';
import type { FoundOrder, PrintInterface, PrintPort } from '../../print/port.ts';
import type { InstallationSecrets } from '../../shops/install/installation.ts';
import { openPrintPort } from '../../shops/print-account/print-account.ts';
import { readSettings } from '../../shops/settings/settings.ts';
import type { HoldCode } from '../facts/hold-codes.ts';
import { holdUnknownOrder } from '../record/hold-unknown-order.ts';
import {
  addFulfillmentOrders,
  isDraft,
  isLive,
  mayLackParts,
  nextReferences,
  type PlacedReference,
} from '../facts/found-orders.ts';
import { describeFailure, formatServiceMessage } from '../waits/describe-failure.ts';
import { recordStepWait } from '../waits/record-step-wait.ts';
import type { Plan } from './decide/plan.ts';
import type { StoreReading } from '../facts/store-reading.ts';

/** The longest pause that the service may ask for before a failed search is retried. */
const MAX_SECONDS = 300;

export interface SoldOrder {
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
  const now = app.clock.now();
  if (now < quietUntil) return quietUntil;
  try {
    const { port } = await openPort(app, shop, shop.printAccountId);
    const references = toReferences(sold, reading, port.printInterface).map(({ reference }) => reference);
    const records = await searchForParts(app, sold, port, references);
    const live = records.filter((record) => isLive([record]));
    for (const reference of new Set(live.map(({ orderReferenceId }) => orderReferenceId)))
      await holdUnknownOrder(app, storefrontOrder, reference);
  } catch (error) {
    if (!(error instanceof PrintServiceError)) throw error;
    return waitToSearch(app, sold, error);
  }
  await app.db.manager.update(StorefrontOrders, { id: storefrontOrder.id }, { searchedAt: now });
  return null;
}

function isToEnd({ cancelledAt, fulfillmentOrders }: StoreReading, { cancelAskedAt }: StorefrontOrder): boolean {
  const isAsked = fulfillmentOrders.some(({ requestStatus }) => requestStatus === 'CANCELLATION_REQUESTED');
  return cancelledAt !== null || cancelAskedAt !== null || isAsked;
}

/** Returns the account's orders, without drafts, of parts that the database does not know. `references` names the parts to search for. */
export async function searchForParts(
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

/**
 * Returns the references that the fulfillment orders in the store may have, from the next one on or from the first one on. The row of an
 * order that was never planned has no name yet.
 */
export function toReferences(
  { shop, storefrontOrder, installation }: SoldOrder,
  reading: StoreReading,
  printInterface: PrintInterface,
  { fromFirst = false } = {},
): PlacedReference[] {
  const name = storefrontOrder.name || reading.name;
  const referenceNumbers = addFulfillmentOrders(storefrontOrder.referenceNumbers, reading);
  const complete = { ...storefrontOrder, name, referenceNumbers };
  return nextReferences({ shop, storefrontOrder: complete, installation }, printInterface, { fromFirst });
}

export async function openPort(
  app: App,
  shop: Shop,
  accountId: number,
): Promise<{ account: PrintAccount; port: PrintPort }> {
  return openPrintPort(app, accountId, { ...readSettings(shop), shopId: shop.id });
}

/** Records that the search failed, and returns when it is retried. */
export function waitToSearch(app: App, { shop, storefrontOrder }: SoldOrder, error: PrintServiceError): Promise<Date> {
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
