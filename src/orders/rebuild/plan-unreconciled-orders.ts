import type { App } from '../../app.ts';
import { hasJobSql } from '../../jobs/has-job.ts';
import { enqueuePlan } from '../enqueue/enqueue-plan.ts';
import { stateInSql } from '../facts/order-state.ts';
import { isActiveSql } from '../../database/is-active.ts';

/** How many orders a pass rebuilds, so that they do not delay other work. */
const MOST = 100;

/** SQL: the end of the quiet time of shop `s`. */
const QUIET_UNTIL = 'greatest(i.quiet_until, s.quiet_until)';

/** SQL: the unfinished orders `o` of shops `s` that have not been rebuilt since the last restore. */
const UNRECONCILED = `
  from installation i
    join shops s on ${isActiveSql()} and s.print_account_id is not null and ${QUIET_UNTIL} is not null
    cross join lateral (
      select id from storefront_orders where shop_id = s.id and outcome = 'waiting'
      union select id from storefront_orders where shop_id = s.id and outcome = 'planned' and outcome_reason is not null
      union select storefront_order_id from holds where shop_id = s.id and resolved_at is null
      union select p.storefront_order_id from print_orders p
        where p.shop_id = s.id and (${stateInSql('unordered')} or ${stateInSql('followed')}) and p.fenced_at is null) unfinished
    join storefront_orders o on o.id = unfinished.id
  where o.placed_at < ${QUIET_UNTIL} and (o.reconciled_at is null or o.reconciled_at < ${QUIET_UNTIL}) and o.redacted_at is null`;

/**
 * After a restore, plans the orders that are not finished, latest first, because the database may have forgotten what happened to them.
 * Each plan rebuilds its order (rebuild-order.ts). Returns the number of orders.
 */
export async function planUnreconciledOrders(app: App): Promise<number> {
  const orders: { id: string }[] = await app.db.query(
    `select o.id ${UNRECONCILED} and ${QUIET_UNTIL} <= $1 and not ${hasJobSql("'plan:' || o.id, 'plan-later:' || o.id")}
     order by o.placed_at desc, o.id desc limit $2`,
    [app.clock.now(), MOST],
  );
  for (const { id } of orders) await enqueuePlan(app.db.manager, id);
  return orders.length;
}

/** How many orders have been rebuilt since the last restore. */
export interface RebuildProgress {
  left: number;
  rebuilt: number;
  /** Rebuilt orders for which the print service has an order whose units are not certain. */
  held: number;
}

/** Counts the orders of all shops or of one shop. Returns null once all orders are rebuilt. */
export async function readRebuildProgress(
  { db }: Pick<App, 'db'>,
  shop: { id: number } | null = null,
): Promise<RebuildProgress | null> {
  const shopId = shop?.id ?? null;
  const [unreconciled]: { left: number }[] = await db.query(
    `select count(*)::int as left ${UNRECONCILED} and ($1::int is null or s.id = $1)`,
    [shopId],
  );
  const left = unreconciled?.left ?? 0;
  if (left === 0) return null;
  const [done]: { rebuilt: number; held: number }[] = await db.query(REBUILT, [shopId]);
  return { left, rebuilt: done?.rebuilt ?? 0, held: done?.held ?? 0 };
}

const REBUILT = `
  select count(*)::int as rebuilt, count(*) filter (where exists (
      select from holds h where h.storefront_order_id = o.id and h.code = 'unknown_print_order' and h.resolved_at is null))::int as held
  from installation i cross join shops s
    join storefront_orders o on o.shop_id = s.id and o.reconciled_at >= ${QUIET_UNTIL}
  where $1::int is null or s.id = $1`;
