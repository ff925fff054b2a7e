import { IsNull, type EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import { Holds, StorefrontOrders, type StorefrontOrder } from '../../database/entities/orders.ts';
import { PrintOrders } from '../../database/entities/print-orders.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { PrintServiceError } from '../../print/errors.ts';
import { findEach } from '../../print/find-each.ts';
import type { InstallationSecrets } from '../../shops/install/installation.ts';
import { openPrintPort } from '../../shops/print-account/print-account.ts';
import { readSettings } from '../../shops/settings/settings.ts';
import type { HoldCode } from '../facts/hold-codes.ts';
import { holdUnknownOrder } from '../record/hold-unknown-order.ts';
import { isDraft, isLive, mayLackParts, nextPartReferences } from '../facts/found-orders.ts';
import type { Plan } from './decide/plan.ts';
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
    const named = { ...storefrontOrder, name: storefrontOrder.name || reading.name };
    for (const reference of await searchForNextParts(app, { ...sold, storefrontOrder: named }, shop.printAccountId))
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

/** Returns the references of later parts that have a live order at the service. */
async function searchForNextParts(app: App, sold: SoldOrder, accountId: number): Promise<ReadonlySet<string>> {
  const { shop, storefrontOrder } = sold;
  const settings = readSettings(shop);
  const { port } = await openPrintPort(app, accountId, { ...settings, shopId: shop.id });
  const references = nextPartReferences(sold, settings.printInterface);
  const known = await app.db.manager.findBy(PrintOrders, { storefrontOrderId: storefrontOrder.id });
  const found = new Set<string>();
  for await (const record of findEach(port, references))
    if (!isDraft(record) && isLive([record])) found.add(record.orderReferenceId);
  return found.difference(new Set(known.map(({ reference }) => reference)));
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
