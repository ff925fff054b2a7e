import type { App } from '../../app.ts';
import { hasJobSql } from '../../jobs/has-job.ts';
import { enqueuePlan } from '../enqueue/enqueue-plan.ts';
import { stateInSql } from '../facts/order-state.ts';

/** How many orders a pass rebuilds, so that they do not delay other work. */
const MOST = 100;

/** SQL: the end of the quiet time of shop `s`. */
const QUIET_UNTIL = 'greatest(i.quiet_until, s.quiet_until)';

/**
 * After a restore, plans the orders that are not finished, latest first, because the database may have forgotten what happened to them.
 * Each plan rebuilds its order (rebuild-order.ts). Returns the number of orders.
 */
export async function planUnreconciledOrders(app: App): Promise<number> {
  const orders: { id: string }[] = await app.db.query(UNRECONCILED, [app.clock.now(), MOST]);
  for (const { id } of orders) await enqueuePlan(app.db.manager, id);
  return orders.length;
}

const UNRECONCILED = `
  select o.id from installation i
    join shops s on s.state = 'installed' and s.fenced_off_at is null and s.print_account_id is not null and ${QUIET_UNTIL} <= $1
    cross join lateral (
      select id from storefront_orders where shop_id = s.id and outcome = 'waiting'
      union select id from storefront_orders where shop_id = s.id and outcome = 'planned' and outcome_reason is not null
      union select p.storefront_order_id from print_orders p
        where p.shop_id = s.id and (${stateInSql('unordered')} or ${stateInSql('followed')}) and p.fenced_at is null) unfinished
    join storefront_orders o on o.id = unfinished.id
  where o.placed_at < ${QUIET_UNTIL} and (o.reconciled_at is null or o.reconciled_at < ${QUIET_UNTIL}) and o.redacted_at is null
    and not ${hasJobSql("'plan:' || o.id, 'plan-later:' || o.id")}
  order by o.placed_at desc, o.id desc limit $2`;
