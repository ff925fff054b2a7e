import type { EntityManager } from 'typeorm';
import { StorefrontOrders, type StorefrontOrder } from '../../database/entities/orders.ts';
import { PrintOrders } from '../../database/entities/print-orders.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { getTraits } from '../../print/get-traits.ts';
import type { PrintInterface } from '../../print/port.ts';
import type { InstallationSecrets } from '../../shops/install/installation.ts';
import { computeReference } from '../facts/compute-reference.ts';

/** Maximum number of references to skip because they collide with those of other orders. */
const MAX_COLLISIONS = 50;

/**
 * Assigns the next part of a storefront order and the next reference of a fulfillment order, which are never reused. Skips a reference that
 * another order already has, because integer references can collide.
 */
export async function assignReference(
  manager: EntityManager,
  storefrontOrder: StorefrontOrder,
  shopifyFulfillmentOrderId: string,
  {
    shop,
    installation,
    printInterface,
  }: { shop: Shop; installation: InstallationSecrets; printInterface: PrintInterface },
): Promise<{ part: number; reference: string }> {
  const { id, shopifyOrderId, name: orderName, nextPart: part, referenceNumbers } = storefrontOrder;
  const { code, referenceKey: key } = installation;
  const source = { installation: code, key, shop: shop.domain, shopifyOrderId, orderName };
  const { hasIntegerReferences } = getTraits(printInterface);
  const first = (referenceNumbers[shopifyFulfillmentOrderId] ?? 0) + 1;
  for (let number = first; number < first + MAX_COLLISIONS; number += 1) {
    const reference = computeReference(source, { shopifyFulfillmentOrderId, number }, printInterface);
    if (hasIntegerReferences && (await manager.existsBy(PrintOrders, { reference }))) continue;
    const next = { nextPart: part + 1, referenceNumbers: { ...referenceNumbers, [shopifyFulfillmentOrderId]: number } };
    Object.assign(storefrontOrder, next);
    await manager.update(StorefrontOrders, { id }, next);
    return { part, reference };
  }
  throw new Error('no unused reference was found for this order');
}
