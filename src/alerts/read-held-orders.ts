import type { App } from '../app.ts';
import { UNREPORTED_HOLD_CODES, type Channel } from './read-channels.ts';

/** The orders on hold that no alert has reported. */
export interface HeldOrders {
  total: number;
  /** The most frequent reason comes first. An order with several reasons counts for each of them. */
  reasons: { code: string; orders: number; first: { orderId: string; name: string }[] }[];
}

/** The maximum number of orders that one message names. */
const MAX_NAMED = 10;
const MAX_REASONS = 50;

/** Reads a shop's orders that were put on hold after the last alert of a channel, up to `until`. Names the 10 oldest. */
export async function readHeldOrders(
  app: App,
  { shopId, reportedUntil }: Pick<Channel, 'shopId' | 'reportedUntil'>,
  until: Date,
): Promise<HeldOrders> {
  const given = [shopId, reportedUntil, until, UNREPORTED_HOLD_CODES];
  return app.db.transaction('REPEATABLE READ', async (manager) => {
    const counted: { code: string; orders: number }[] = await manager.query(
      `select h.code, count(distinct h.storefront_order_id)::int as orders from holds h where ${NEW_HOLDS}
       group by h.code order by orders desc, h.code limit $5`,
      [...given, MAX_REASONS],
    );
    const [whole]: { orders: number }[] = await manager.query(
      `select count(distinct h.storefront_order_id)::int as orders from holds h where ${NEW_HOLDS}`,
      given,
    );
    const named: { code: string; orderId: string; name: string }[] = await manager.query(
      `select o.shopify_order_id as "orderId", o.name, f.code from (
         select h.storefront_order_id as id, (array_agg(h.code order by h.id))[1] as code, min(h.id) as first from holds h
         where ${NEW_HOLDS} group by h.storefront_order_id order by first limit $5
       ) f join storefront_orders o on o.id = f.id order by f.first`,
      [...given, MAX_NAMED],
    );
    const firstOf = (code: string) =>
      named.filter((order) => order.code === code).map(({ orderId, name }) => ({ orderId, name }));
    return {
      total: whole?.orders ?? 0,
      reasons: counted.map(({ code, orders }) => ({ code, orders, first: firstOf(code) })),
    };
  });
}

const NEW_HOLDS = `h.shop_id = $1 and h.resolved_at is null and h.created_at > coalesce($2::timestamptz, '-infinity') and h.created_at <= $3
  and h.code <> all($4)`;
