import type { PrintInterface } from '../../print/port.ts';
import { computeReference, type ReferencePlace } from './compute-reference.ts';
import type { StorefrontOrder } from '../../database/entities/orders.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { InstallationSecrets } from '../../shops/install/installation.ts';
import { willNeverShip } from './service-trouble.ts';
import type { StoreReading } from './store-reading.ts';

/**
 * A search includes up to this many print orders of each fulfillment order after the last one in the database, because a restored database
 * may have lost some.
 */
const AHEAD = 10;

/** A storefront order with the data from which its references are computed. */
interface SoldOrder {
  shop: Pick<Shop, 'domain'>;
  storefrontOrder: Pick<StorefrontOrder, 'shopifyOrderId' | 'name' | 'referenceNumbers'>;
  installation: InstallationSecrets;
}

/**
 * Returns whether the database may lack parts of an order. A restore was noticed or reported, and the order was placed before the end of its
 * quiet time.
 */
export function mayLackParts({ quietUntil }: Pick<InstallationSecrets, 'quietUntil'>, placedAt: Date): boolean {
  return quietUntil !== null && placedAt < quietUntil;
}

/** A reference and its place. */
export interface PlacedReference extends ReferencePlace {
  reference: string;
}

/**
 * Returns the next `count` references of each of the order's fulfillment orders. With `fromFirst`, also returns the references before them.
 */
export function nextReferences(
  { shop, storefrontOrder, installation }: SoldOrder,
  printInterface: PrintInterface,
  { fromFirst = false, count = AHEAD } = {},
): PlacedReference[] {
  const { shopifyOrderId, name: orderName, referenceNumbers } = storefrontOrder;
  const { code, referenceKey: key } = installation;
  const source = { installation: code, key, shop: shop.domain, shopifyOrderId, orderName };
  return Object.entries(referenceNumbers).flatMap(([shopifyFulfillmentOrderId, last]) => {
    const first = fromFirst ? 1 : last + 1;
    return Array.from({ length: last + count - first + 1 }, (_, index): PlacedReference => {
      const place = { shopifyFulfillmentOrderId, number: first + index };
      return { ...place, reference: computeReference(source, place, printInterface) };
    });
  });
}

/** Adds the fulfillment orders in the store to the numbers of the last references. */
export function addFulfillmentOrders(
  numbers: StorefrontOrder['referenceNumbers'],
  { fulfillmentOrders }: Pick<StoreReading, 'fulfillmentOrders'>,
): StorefrontOrder['referenceNumbers'] {
  return { ...Object.fromEntries(fulfillmentOrders.map(({ id }) => [id, 0])), ...numbers };
}

/** Returns the numbers of the last references, at least as high as the numbers of these references, so that none is used again. */
export function raiseNumbers(
  numbers: StorefrontOrder['referenceNumbers'],
  used: readonly ReferencePlace[],
): StorefrontOrder['referenceNumbers'] {
  const raised = { ...numbers };
  for (const { shopifyFulfillmentOrderId: id, number } of used) raised[id] = Math.max(raised[id] ?? 0, number);
  return raised;
}

/** Returns whether a record is a draft, which is never printed or charged. */
export function isDraft(record: { orderType: string | null; fulfillmentStatus: string | null }): boolean {
  return record.orderType === 'draft' || (record.orderType === null && record.fulfillmentStatus === 'draft');
}

/** Groups records that refer to each other, directly or through other records, because they are parts of one order. */
export function groupConnected<Part extends { id: string; connectedOrderIds: string[] }>(
  records: readonly Part[],
): Part[][] {
  const groups: { ids: Set<string>; parts: Part[] }[] = [];
  for (const record of records) {
    const ids = new Set([record.id, ...record.connectedOrderIds]);
    const touching = groups.filter((group) => [...ids].some((id) => group.ids.has(id)));
    for (const group of touching) groups.splice(groups.indexOf(group), 1);
    groups.push({
      ids: new Set([...touching.flatMap((group) => [...group.ids]), ...ids]),
      parts: [...touching.flatMap((group) => group.parts), record],
    });
  }
  return groups.map(({ parts }) => parts);
}

/** Returns whether at least one part of the group is neither canceled nor failed. */
export function isLive(group: readonly { fulfillmentStatus: string | null }[]): boolean {
  return group.some(({ fulfillmentStatus }) => !willNeverShip(fulfillmentStatus));
}
