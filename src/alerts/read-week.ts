import type { App } from '../app.ts';
import type { Shop } from '../database/entities/shops.ts';
import { totalCosts, type CurrencyTotal } from '../orders/costs/total-costs.ts';
import { clockOf, dayOf, toMoment } from '../orders/facts/shop-clock.ts';
import { IS_ORDER_IN_STORE } from '../orders/lists/order-state-sql.ts';

/** The numbers of a shop's week. */
export interface Week {
  orders: number;
  /** The median time in seconds from payment to first shipment of the orders shipped in the week. Null if none was shipped. */
  timeToShip: { median: number; orders: number } | null;
  /** Null if the week has too many print orders to add up their costs. */
  costs: { totals: CurrencyTotal[]; unknown: number } | null;
  /** The orders that were put on hold in the week, by reason. The most frequent reason comes first. */
  holds: { total: number; open: number; reasons: { code: string; orders: number }[] };
}

/** A week from Monday to Sunday in the shop's time zone. `until` is exclusive. */
export interface WeekPeriod {
  since: Date;
  until: Date;
  /** The first and the last day, such as 2026-11-16. */
  days: [first: string, last: string];
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const DIGEST_HOUR = 8;
/**
 * Shipments and holds do not count if their order was placed more than this many days before the week. The limit lets the database use an
 * index.
 */
const MAX_DAYS = 60;
const MAX_REASONS = 10;

/** Returns the last complete week before a moment, or the week before that. */
export function lastWeek(now: Date, timeZone: string | null, weeksBefore: 0 | 1 = 0): WeekPeriod {
  const monday = mondayOf(now, timeZone) - weeksBefore * 7 * DAY_MS;
  const clock = clockOf(timeZone ?? 'UTC');
  const dayAt = (days: number): string => new Date(monday + days * DAY_MS).toISOString().slice(0, 10);
  return {
    since: new Date(toMoment(monday - 7 * DAY_MS, clock)),
    until: new Date(toMoment(monday, clock)),
    days: [dayAt(-7), dayAt(-1)],
  };
}

/** Returns when the next digest is due: at 8:00 on the next Monday in the shop's time zone. */
export function nextDigestAt(now: Date, timeZone: string | null): Date {
  const local = mondayOf(now, timeZone) + DIGEST_HOUR * HOUR_MS;
  const clock = clockOf(timeZone ?? 'UTC');
  const thisWeek = new Date(toMoment(local, clock));
  return thisWeek > now ? thisWeek : new Date(toMoment(local + 7 * DAY_MS, clock));
}

/** Returns midnight of the current week's Monday, expressed as if it were UTC. */
function mondayOf(now: Date, timeZone: string | null): number {
  const today = Date.parse(`${dayOf(now, timeZone)}T00:00:00Z`);
  const daysSinceMonday = (new Date(today).getUTCDay() + 6) % 7;
  return today - daysSinceMonday * DAY_MS;
}

/** Reads the numbers of a week. Orders and costs are counted as on the home page and on the page with the costs. */
export async function readWeek(app: App, { id }: Pick<Shop, 'id'>, { since, until }: WeekPeriod): Promise<Week> {
  const given = [id, since, until, MAX_DAYS];
  const [placed]: { orders: number }[] = await app.db.query(
    `select count(*)::int as orders from storefront_orders o
     where o.shop_id = $1 and ${IS_ORDER_IN_STORE} and o.placed_at >= $2 and o.placed_at < $3`,
    [id, since, until],
  );
  const [shipped]: { median: number | null; orders: number }[] = await app.db.query(SHIPPED, given);
  const { median = null, orders: shippedOrders = 0 } = shipped ?? {};
  const reasons: { code: string; orders: number }[] = await app.db.query(
    `select h.code, count(distinct o.id)::int as orders ${HELD} group by h.code order by orders desc, h.code limit ${MAX_REASONS}`,
    given,
  );
  const [held]: { total: number; open: number }[] = await app.db.query(
    `select count(distinct o.id)::int as total, (count(distinct o.id) filter (where h.resolved_at is null))::int as open ${HELD}`,
    given,
  );
  return {
    orders: placed?.orders ?? 0,
    timeToShip: typeof median === 'number' ? { median, orders: shippedOrders } : null,
    costs: await totalCosts(app, { id }, { since, until }),
    holds: { total: held?.total ?? 0, open: held?.open ?? 0, reasons },
  };
}

const SHIPPED = `
  select percentile_cont(0.5) within group (order by greatest(0, extract(epoch from f.shipped - f.paid)::float8)) as median, count(*)::int as orders
  from (
    select coalesce(o.paid_at, o.placed_at) as paid, min(p.shipped_at) as shipped
    from storefront_orders o join print_orders p on p.storefront_order_id = o.id
    where o.shop_id = $1 and o.placed_at >= $2::timestamptz - make_interval(days => $4) and o.placed_at < $3
    group by o.id
  ) as f
  where f.shipped >= $2 and f.shipped < $3`;

const HELD = `
  from storefront_orders o join holds h on h.storefront_order_id = o.id
  where o.shop_id = $1 and o.placed_at >= $2::timestamptz - make_interval(days => $4) and h.created_at >= $2 and h.created_at < $3`;
