import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { OrderLabel } from '../facts/to-order-state.ts';
import { IS_ORDER_IN_STORE, ORDER_LABEL } from './order-state-sql.ts';

/** The data about a shop's orders that its home page shows. */
export interface OrdersOverview {
  /** Open holds, grouped by code. The code with the oldest open hold comes first. */
  holds: {
    code: string;
    orders: number;
    since: string;
    /** The order of the oldest hold. */
    storefrontOrderId: string;
    orderId: string;
    name: string;
  }[];
  /** The orders placed on each of the last 30 days, by what the merchant reads for the state. Days are in the shop's time zone, oldest first. */
  days: { day: string; states: Partial<Record<OrderLabel, number>> }[];
  /** How long the orders placed in the last 30 days took, in total and by day of payment. */
  times: OrderTimes & { days: ({ day: string } & OrderTimes)[] };
}

/**
 * Seconds from an order's payment to its first confirmed print order and to its first shipment. If the store has not reported the payment,
 * the time when the order was placed counts instead. Null if there are no such orders.
 */
interface OrderTimes {
  toPrint: Percentiles | null;
  toShipment: Percentiles | null;
}

interface Percentiles {
  median: number;
  p95: number;
}

const DAYS = 30;
const MAX_REASONS = 20;

/** Reads the overview in one snapshot. */
export async function readOverview(
  app: App,
  { id: shopId, timeZone }: Pick<Shop, 'id' | 'timeZone'>,
): Promise<OrdersOverview> {
  return app.db.transaction('REPEATABLE READ', async (manager) => {
    const holds: HoldRow[] = await manager.query(HOLDS, [shopId, MAX_REASONS]);
    const zone = timeZone ?? 'UTC';
    const days: DayRow[] = await manager.query(BY_DAY, [shopId, zone, app.clock.now(), DAYS]);
    const times: TimesRow[] = await manager.query(TIMES, [shopId, zone, app.clock.now(), DAYS]);
    return {
      holds: holds.map(({ since, ...row }) => ({ ...row, since: since.toISOString() })),
      days: days.map(({ day, states }) => ({ day, states: states ?? {} })),
      times: toTimes(times),
    };
  });
}

interface HoldRow {
  code: string;
  orders: number;
  since: Date;
  storefrontOrderId: string;
  orderId: string;
  name: string;
}

interface DayRow {
  day: string;
  states: Partial<Record<OrderLabel, number>> | null;
}

interface TimesRow {
  /** Null: all days. */
  day: string | null;
  print: number[] | null;
  shipment: number[] | null;
}

function toTimes(rows: readonly TimesRow[]): OrdersOverview['times'] {
  const of = (row: TimesRow | undefined): OrderTimes => ({
    toPrint: toPercentiles(row?.print),
    toShipment: toPercentiles(row?.shipment),
  });
  const days = rows.flatMap((row) => (row.day === null ? [] : [{ day: row.day, ...of(row) }]));
  return { ...of(rows.find(({ day }) => day === null)), days };
}

function toPercentiles(values: number[] | null | undefined): Percentiles | null {
  const [median, p95] = values ?? [];
  return median === undefined || p95 === undefined ? null : { median, p95 };
}

const HOLDS = `
  select h.code, count(distinct h.storefront_order_id)::int as orders, min(h.created_at) as since, (array_agg(o.id order by h.id))[1] as "storefrontOrderId",
    (array_agg(o.shopify_order_id order by h.id))[1] as "orderId", (array_agg(o.name order by h.id))[1] as name
  from holds h join storefront_orders o on o.id = h.storefront_order_id
  where h.shop_id = $1 and h.resolved_at is null
  group by h.code order by since limit $2`;

const BY_DAY = `
  select to_char(d.day, 'YYYY-MM-DD') as day, states.counts as states
  from generate_series(date_trunc('day', $3::timestamptz at time zone $2) - make_interval(days => $4 - 1), date_trunc('day', $3::timestamptz at time zone $2),
    interval '1 day') as d(day)
  left join (
    select placed, jsonb_object_agg(label, orders) as counts from (
      select date_trunc('day', o.placed_at at time zone $2) as placed, s.label, count(*)::int as orders
      from storefront_orders o ${ORDER_LABEL}
      where o.shop_id = $1 and ${IS_ORDER_IN_STORE} and o.placed_at >= $3::timestamptz - make_interval(days => $4 + 1)
      group by 1, 2
    ) as by_label group by placed
  ) as states on states.placed = d.day
  order by d.day`;

// If items are added to an order, the store may report a payment that is later than the print order.
const TIMES = `
  select to_char(day, 'YYYY-MM-DD') as day,
    percentile_cont(array[0.5, 0.95]) within group (order by greatest(0, extract(epoch from first.confirmed - first.paid)::float8))
      filter (where first.confirmed is not null) as print,
    percentile_cont(array[0.5, 0.95]) within group (order by greatest(0, extract(epoch from first.shipped - first.paid)::float8))
      filter (where first.shipped is not null) as shipment
  from (
    select coalesce(o.paid_at, o.placed_at) as paid, date_trunc('day', coalesce(o.paid_at, o.placed_at) at time zone $2) as day,
      min(p.confirmed_at) as confirmed, min(p.shipped_at) as shipped
    from storefront_orders o join print_orders p on p.storefront_order_id = o.id
    where o.shop_id = $1
      and o.placed_at >= (date_trunc('day', $3::timestamptz at time zone $2) - make_interval(days => $4 - 1)) at time zone $2
    group by o.id
  ) as first
  group by grouping sets ((), (day)) order by day`;
