import type { App } from '../../app.ts';
import { stateInSql } from '../facts/order-state.ts';

/** The states of `toOrderState` that an unfinished order can have. */
const OPEN_STATES = ['held', 'waiting', 'printing'] as const;

export interface OpenOrders {
  orders: Record<(typeof OPEN_STATES)[number], number>;
  /** The number of open holds, by code. */
  holds: Record<string, number>;
}

/** Each branch uses a partial index, so finished orders do not slow down the query. */
const OPEN = `
  select h.storefront_order_id as id, true as held, false as printing from holds h where h.resolved_at is null
  union all
  select p.storefront_order_id, false, true from print_orders p
    where ${stateInSql('followed')}
  union all
  select p.storefront_order_id, false, p.confirmed_at is not null from print_orders p where ${stateInSql('sending')}
  union all
  select p.storefront_order_id, false, false from print_orders p where ${stateInSql('unsent')} and p.closed_at is null
  union all
  select o.id, false, false from storefront_orders o where o.outcome = 'waiting'`;

/** Counts the open orders and open holds of all installed shops. */
export async function countOpenOrders({ db }: Pick<App, 'db'>): Promise<OpenOrders> {
  const orders: { state: (typeof OPEN_STATES)[number]; orders: number }[] = await db.query(
    `select case when open.held then 'held' when open.printing then 'printing' else 'waiting' end as state, count(*)::int as orders
     from (select id, bool_or(held) as held, bool_or(printing) as printing from (${OPEN}) as found group by id) as open
     join storefront_orders o on o.id = open.id and o.canceled_at is null
     join shops s on s.id = o.shop_id and s.state = 'installed'
     group by 1`,
  );
  const holds: { code: string; holds: number }[] = await db.query(
    `select h.code, count(*)::int as holds from holds h join shops s on s.id = h.shop_id and s.state = 'installed'
     where h.resolved_at is null group by h.code`,
  );
  const zero = Object.fromEntries(OPEN_STATES.map((state) => [state, 0]));
  const counted = Object.fromEntries(orders.map(({ state, orders: count }) => [state, count]));
  return {
    orders: { ...zero, ...counted } as OpenOrders['orders'],
    holds: Object.fromEntries(holds.map(({ code, holds: count }) => [code, count])),
  };
}
