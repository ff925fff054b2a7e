import type { App } from '../../app.ts';
import type { StorefrontOrder } from '../../database/entities/orders.ts';
import { PrintOrders } from '../../database/entities/print-orders.ts';
import type { PrintAccount, Shop } from '../../database/entities/shops.ts';
import type { PrintServiceError } from '../../print/errors.ts';
import { findEach } from '../../print/find-each.ts';
import type { FoundOrder, PrintInterface, PrintPort } from '../../print/port.ts';
import type { InstallationSecrets } from '../../shops/install/installation.ts';
import { openPrintPort } from '../../shops/print-account/print-account.ts';
import { readSettings } from '../../shops/settings/settings.ts';
import { addFulfillmentOrders, isDraft, nextReferences, type PlacedReference } from '../facts/found-orders.ts';
import { describeFailure, formatServiceMessage } from '../waits/describe-failure.ts';
import { recordStepWait } from '../waits/record-step-wait.ts';
import type { StoreReading } from '../facts/store-reading.ts';

/** The longest pause that the service may ask for before a failed search is retried. */
const MAX_SECONDS = 300;

export interface SoldOrder {
  shop: Shop;
  storefrontOrder: StorefrontOrder;
  installation: InstallationSecrets;
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
