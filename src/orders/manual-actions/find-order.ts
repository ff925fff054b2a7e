import { In, IsNull, Not } from 'typeorm';
import type { App } from '../../app.ts';
import { Holds, StorefrontOrders, type StorefrontOrder } from '../../database/entities/orders.ts';
import { PrintOrders, type PrintOrder } from '../../database/entities/print-orders.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { NotFoundError } from '../../errors.ts';
import { toOrderGid } from '../facts/order-gid.ts';
import { truncateText } from '../../truncate-text.ts';

const MAX_NAME_LENGTH = 255;

/** Finds one of the shop's orders by its name such as `#1001` (or `1001`), its GID or its digits. Throws NotFoundError. */
export async function findOrder(app: App, shop: Pick<Shop, 'id'>, named: string): Promise<StorefrontOrder> {
  const shopifyOrderId = toOrderGid(named);
  const shopId = shop.id;
  if (shopifyOrderId !== null) {
    const byId = await app.db.manager.findOneBy(StorefrontOrders, { shopId, shopifyOrderId });
    if (byId) return byId;
  }
  const isName = named !== '' && named.length <= MAX_NAME_LENGTH;
  const names = isName ? [named, `#${named}`] : [];
  const found = await app.db.manager.find(StorefrontOrders, { where: { shopId, name: In(names) }, take: 2 });
  const [order] = found;
  if (!order)
    throw new NotFoundError(
      `This shop has no order ${truncateText(shopifyOrderId?.split('/').at(-1) ?? named, MAX_NAME_LENGTH)}.`,
    );
  if (found.length > 1) throw new NotFoundError(`Several orders are named ${named}. Use the ID of one of them.`);
  return order;
}

/**
 * Returns the order with a name that sentences can use. The stored name is empty until the first plan reads it from the store. `Order` is
 * capitalized so that translations keep the word as part of the name.
 */
export function withName(order: StorefrontOrder): StorefrontOrder {
  return { ...order, name: order.name || `Order ${order.shopifyOrderId.split('/').at(-1)}` };
}

/**
 * Finds the print order with this reference. Without a reference, finds all of the order's print orders that are not closed permanently
 * or still have an open hold. Throws NotFoundError.
 */
export async function findPrintOrders(
  app: App,
  { id: storefrontOrderId, name }: StorefrontOrder,
  reference: string | null,
): Promise<PrintOrder[]> {
  const { manager } = app.db;
  const open = { storefrontOrderId, printOrderId: Not(IsNull()), resolvedAt: IsNull() };
  const held = reference === null ? await manager.findBy(Holds, open) : [];
  const ids = held.flatMap(({ printOrderId }) => printOrderId ?? []);
  const ofOrder = [
    { storefrontOrderId, fencedAt: IsNull() },
    { storefrontOrderId, id: In(ids) },
  ];
  const where = reference === null ? ofOrder : { storefrontOrderId, reference };
  const found = await manager.find(PrintOrders, { where, order: { part: 'ASC' } });
  if (reference !== null && found.length === 0)
    throw new NotFoundError(`${name} has no print order ${truncateText(reference, MAX_NAME_LENGTH)}.`);
  return found;
}
