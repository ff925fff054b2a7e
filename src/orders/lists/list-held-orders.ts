import { In, IsNull } from 'typeorm';
import type { App } from '../../app.ts';
import { Holds, StorefrontOrders } from '../../database/entities/orders.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { readHoldUrls } from './read-hold-urls.ts';
import { showHold, type ShownHold } from '../facts/show-hold.ts';

/** An order with an open hold. */
export interface HeldOrder {
  /** The order's ID in the store. */
  orderId: string;
  name: string;
  /** Oldest first. */
  holds: (ShownHold & { since: Date })[];
}

export interface HeldOrdersPage {
  orders: HeldOrder[];
  /** The number of orders on all pages. */
  total: number;
  /** The `cursor` for the next page, or null on the last page. */
  nextCursor: string | null;
}

const PAGE = 25;
/** A number of this length always fits into a bigint. */
const CURSOR = /^\d{1,18}$/;

/**
 * Lists one page of a shop's held orders, newest first, each with all of its open holds. Canceled orders with an open hold are included.
 * An invalid cursor returns the first page.
 */
export async function listHeldOrders(
  app: App,
  shop: Pick<Shop, 'id'>,
  { cursor = null }: { cursor?: string | null } = {},
): Promise<HeldOrdersPage> {
  const before = cursor !== null && CURSOR.test(cursor) ? cursor : null;
  return app.db.transaction('REPEATABLE READ', async (manager) => {
    const [counted]: { total: number }[] = await manager.query(
      'select count(distinct storefront_order_id)::int as total from holds where shop_id = $1 and resolved_at is null',
      [shop.id],
    );
    const found: { id: string }[] = await manager.query(
      `select distinct storefront_order_id as id from holds
       where shop_id = $1 and resolved_at is null and ($2::bigint is null or storefront_order_id < $2)
       order by storefront_order_id desc limit $3`,
      [shop.id, before, PAGE + 1],
    );
    const ids = found.slice(0, PAGE).map(({ id }) => id);
    const orders = await manager.find(StorefrontOrders, { where: { id: In(ids) }, order: { id: 'DESC' } });
    const open = { shopId: shop.id, storefrontOrderId: In(ids), resolvedAt: IsNull() };
    const rows = await manager.find(Holds, { where: open, order: { id: 'ASC' } });
    const urls = await readHoldUrls(manager, rows);
    const holds = Map.groupBy(rows, ({ storefrontOrderId }) => storefrontOrderId);
    return {
      orders: orders.map(({ id, shopifyOrderId, name }) => ({
        orderId: shopifyOrderId,
        name,
        holds: (holds.get(id) ?? []).map((hold) => ({ ...showHold(hold, urls), since: hold.createdAt })),
      })),
      total: counted?.total ?? 0,
      nextCursor: found.length > PAGE ? (ids.at(-1) ?? null) : null,
    };
  });
}
