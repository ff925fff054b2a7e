import { In } from 'typeorm';
import type { App } from '../../app.ts';
import { StorefrontOrders } from '../../database/entities/orders.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { isEndedByApproval } from '../facts/outcome-reasons.ts';
import { IS_UNFINISHED } from './unfinished.ts';
import { readWaits, type OrderWait } from './read-waits.ts';

/** Waiting orders, newest first, with the reasons and the times at which Platen acts next. */
export interface WaitingOrders {
  orders: { orderId: string; name: string; waits: OrderWait[]; isEndedByApproval: boolean }[];
  /** The number of waiting orders, including those that are not listed. */
  total: number;
}

const MAX_SHOWN = 25;

/** Lists a shop's newest orders that have no hold and are waiting for the store, a point in time or a failing step. */
export async function listWaitingOrders(app: App, { id: shopId }: Pick<Shop, 'id'>): Promise<WaitingOrders> {
  return app.db.transaction('REPEATABLE READ', async (manager) => {
    const found: { id: string; total: number }[] = await manager.query(
      `select o.id, count(*) over ()::int as total from storefront_orders o
       where o.shop_id = $1 and o.redacted_at is null and o.name <> ''
         and (o.outcome = 'waiting' or exists (
           select from step_waits w left join print_orders p on p.id = w.print_order_id
           where w.storefront_order_id = o.id and (p.id is null or ${IS_UNFINISHED})))
         and not exists (select from holds h where h.storefront_order_id = o.id and h.resolved_at is null)
       order by o.id desc limit $2`,
      [shopId, MAX_SHOWN],
    );
    const ids = found.map(({ id }) => id);
    const waits = await readWaits(app, manager, ids);
    const orders = await manager.find(StorefrontOrders, { where: { id: In(ids) }, order: { id: 'DESC' } });
    return {
      orders: orders.map(({ id, shopifyOrderId: orderId, name, outcomeReason }) => ({
        orderId,
        name,
        waits: waits.get(id) ?? [],
        isEndedByApproval: isEndedByApproval(outcomeReason),
      })),
      total: found[0]?.total ?? 0,
    };
  });
}
