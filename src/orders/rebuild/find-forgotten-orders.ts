import { In } from 'typeorm';
import type { App } from '../../app.ts';
import type { StorefrontOrder } from '../../database/entities/orders.ts';
import { PrintOrders } from '../../database/entities/print-orders.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { PrintServiceError } from '../../print/errors.ts';
import { findEach } from '../../print/find-each.ts';
import type { FoundOrder, PortOrder, PrintPort } from '../../print/port.ts';
import {
  addFulfillmentOrders,
  groupConnected,
  isDraft,
  isLive,
  nextReferences,
  raiseNumbers,
  type PlacedReference,
} from '../facts/found-orders.ts';
import type { StoreReading } from '../facts/store-reading.ts';
import type { InstallationSecrets } from '../../shops/install/installation.ts';

/** How often the search continues because it has found an order under one of the last references. */
const MAX_ROUNDS = 20;

/** How many references of each fulfillment order a search includes after the last one that exists, if one request can name many. */
const FAR_AHEAD = 50;

/** A storefront order with the data from which its references are computed. */
export interface SoldOrder {
  shop: Shop;
  storefrontOrder: StorefrontOrder;
  installation: InstallationSecrets;
}

/** What the search has found. */
export interface Found {
  /** Oldest references first. */
  orders: ForgottenOrder[];
  /** The references of all orders and drafts that were found, even deleted drafts. */
  used: PlacedReference[];
}

/** An order at the print service for which the database has no print order. */
export interface ForgottenOrder extends PlacedReference {
  /** The order and its connected parts. The first is live if any order under the reference is. */
  parts: FoundOrder[];
  /** The same parts with their items and packages. Null if the interface shows none. */
  orders: PortOrder[] | null;
  /** Whether the service has several live orders under the reference. */
  isAmbiguous: boolean;
}

/**
 * Searches the print account for orders under all references that the order's fulfillment orders can have had, and deletes the drafts that
 * no print order explains. `reading` is null if the store no longer has the order. Throws PrintServiceError.
 */
export async function findForgottenOrders(
  app: App,
  sold: SoldOrder,
  reading: StoreReading | null,
  port: PrintPort,
): Promise<Found> {
  const { places, records } = await searchAllReferences(app, sold, reading, port);
  for (const draft of records.filter(isDraft)) await deleteDraft(port, draft);
  const forgotten: ForgottenOrder[] = [];
  const groups = groupConnected(records.filter((record) => !isDraft(record)));
  for (const [reference, ofReference] of Map.groupBy(groups, ([first]) => first?.orderReferenceId ?? '')) {
    const place = places.get(reference);
    const live = ofReference.filter(isLive);
    const parts = live[0] ?? ofReference[0];
    if (place && parts)
      forgotten.push({ ...place, parts, orders: await readOrders(port, parts), isAmbiguous: live.length > 1 });
  }
  const used = [...new Set(records.map(({ orderReferenceId }) => orderReferenceId))].flatMap(
    (one) => places.get(one) ?? [],
  );
  return { orders: forgotten.toSorted((a, b) => a.number - b.number), used };
}

async function searchAllReferences(
  app: App,
  { shop, storefrontOrder, installation }: SoldOrder,
  reading: StoreReading | null,
  port: PrintPort,
): Promise<{ places: Map<string, PlacedReference>; records: FoundOrder[] }> {
  const name = storefrontOrder.name || (reading?.name ?? '');
  const known = storefrontOrder.referenceNumbers;
  let numbers = reading ? addFulfillmentOrders(known, reading) : known;
  const ahead = port.foundPerRequest > 1 ? { count: FAR_AHEAD } : {};
  const places = new Map<string, PlacedReference>();
  const records: FoundOrder[] = [];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const complete = { shop, storefrontOrder: { ...storefrontOrder, name, referenceNumbers: numbers }, installation };
    const all = nextReferences(complete, port.printInterface, { fromFirst: true, ...ahead });
    const next = all.filter(({ reference }) => !places.has(reference));
    for (const place of next) places.set(place.reference, place);
    const asked = await omitKnown(app, next);
    const found: FoundOrder[] = [];
    // The service may ignore case or spaces, so it may return orders that nobody asked for.
    for await (const record of findEach(app.clock, port, asked))
      if (asked.includes(record.orderReferenceId)) found.push(record);
    records.push(...found);
    numbers = raiseNumbers(
      numbers,
      found.flatMap(({ orderReferenceId }) => places.get(orderReferenceId) ?? []),
    );
    if (found.length === 0) break;
  }
  return { places, records };
}

/** Returns the references that no print order has. */
async function omitKnown(app: App, places: readonly PlacedReference[]): Promise<string[]> {
  const references = places.map(({ reference }) => reference);
  const rows = await app.db.manager.findBy(PrintOrders, { reference: In(references) });
  return references.filter((reference) => rows.every((row) => row.reference !== reference));
}

/** Throws PrintServiceError if the draft may still exist, or if it has become an order. */
async function deleteDraft(port: PrintPort, { id }: FoundOrder): Promise<void> {
  if (port.deleteDraft === 'unsupported') return;
  await port.deleteDraft(id).catch((error: unknown) => {
    if (!(error instanceof PrintServiceError) || error.outcome !== 'not_found') throw error;
  });
}

/** Reads all parts of an order. Returns null if a part cannot be read. */
async function readOrders({ status }: PrintPort, parts: readonly FoundOrder[]): Promise<PortOrder[] | null> {
  if (status === 'unsupported') return null;
  const orders: PortOrder[] = [];
  for (const id of new Set(parts.flatMap((part) => [part.id, ...part.connectedOrderIds]))) {
    const order = await status(id).catch((error: unknown) => {
      if (error instanceof PrintServiceError && error.outcome === 'not_found') return null;
      throw error;
    });
    if (order === null) return null;
    orders.push(order);
  }
  return orders;
}
