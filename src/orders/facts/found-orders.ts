import type { PrintInterface } from '../../print/port.ts';
import { computeReference } from './compute-reference.ts';
import type { StorefrontOrder } from '../../database/entities/orders.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { InstallationSecrets } from '../../shops/install/installation.ts';
import { willNeverShip } from './service-trouble.ts';

/** A search includes up to this many parts after the last part in the database, because a restored database may have lost parts. */
const PARTS_AHEAD = 10;

/** A storefront order with the data from which its parts' references are computed. */
interface SoldOrder {
  shop: Pick<Shop, 'domain'>;
  storefrontOrder: Pick<StorefrontOrder, 'shopifyOrderId' | 'name' | 'nextPart'>;
  installation: InstallationSecrets;
}

/**
 * Returns whether the database may lack parts of an order. A restore was noticed or reported, and the order was placed before the end of its
 * quiet time.
 */
export function mayLackParts({ quietUntil }: Pick<InstallationSecrets, 'quietUntil'>, placedAt: Date): boolean {
  return quietUntil !== null && placedAt < quietUntil;
}

/**
 * Returns the references of the parts from `firstPart`, which is by default the next part, up to the `count` parts that would follow those in
 * the database.
 */
export function nextPartReferences(
  { shop, storefrontOrder, installation }: SoldOrder,
  printInterface: PrintInterface,
  { firstPart = storefrontOrder.nextPart, count = PARTS_AHEAD } = {},
): string[] {
  const { shopifyOrderId, name: orderName, nextPart } = storefrontOrder;
  const { code, referenceKey: key } = installation;
  const source = { installation: code, key, shop: shop.domain, shopifyOrderId, orderName };
  const length = nextPart - firstPart + count;
  return Array.from({ length }, (_, index) => computeReference(source, firstPart + index, printInterface));
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
