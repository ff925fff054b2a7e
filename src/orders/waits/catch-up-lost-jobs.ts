import type { App } from '../../app.ts';
import { hasJobSql } from '../../jobs/has-job.ts';
import type { PassResult } from '../../jobs/tasks.ts';
import { enqueuePlan } from '../enqueue/enqueue-plan.ts';
import { planUnreconciledOrders } from '../rebuild/plan-unreconciled-orders.ts';
import type { OutcomeReason } from '../facts/outcome-reasons.ts';
import { STUCK_PRINT_ORDERS } from './unfinished.ts';
import { stateInSql } from '../facts/order-state.ts';
import { isActiveSql } from '../../database/is-active.ts';

/** Maximum number of orders per pass. The next pass finds the rest, because planned orders no longer match. */
const MOST = 500;
/** An order that can continue without the merchant is never without a job for longer than this. */
const LOST_MS = 10 * 60_000;
/** The reasons why orders wait for a point in time rather than for the store or the merchant. A job plans the order at that time. */
const TIMED: readonly OutcomeReason[] = ['delay', 'daily_release', 'risk_pending', 'buyer_pending'];

/**
 * Plans again the orders whose job was lost or failed permanently. An order's job counts as lost in four cases: the order was never read,
 * it waits for a point in time, its plan failed until the queue gave up or it has an unsent print order with no reason to wait. Also plans
 * the unfinished orders of a restored database.
 */
export async function catchUpLostJobs(app: App): Promise<PassResult> {
  const lost: { id: string }[] = await app.db.query(
    `select o.id from (${UNPLANNED} union ${UNSENT} union ${FAILED}) o order by o.id limit $3`,
    [new Date(app.clock.now().getTime() - LOST_MS), TIMED, MOST],
  );
  for (const { id } of lost) await enqueuePlan(app.db.manager, id);
  const found = lost.length + (await planUnreconciledOrders(app));
  return { found, fixed: found };
}

/** Orders that are waiting for their first reading or for a point in time, but have no job. */
const UNPLANNED = `
  select o.id from storefront_orders o join shops s on s.id = o.shop_id and ${isActiveSql()}
  where o.outcome = 'waiting' and o.redacted_at is null
    and ((o.read_at is null and o.received_at < $1) or (o.read_at < $1 and o.outcome_reason = any($2::text[])))
    and not ${hasJobSql(`'plan:' || o.id, 'plan-later:' || o.id`)}`;

/** Orders whose plan has recorded a failure that no job will retry. */
const FAILED = `
  select w.storefront_order_id as id from step_waits w join shops s on s.id = w.shop_id and ${isActiveSql()}
  where w.step = 'plan' and w.next_at < $1 and not ${hasJobSql("'plan:' || w.storefront_order_id")}`;

/** Unsent print orders that are still wanted but have no job, poll or hold. */
const UNSENT = `
  select storefront_order_id as id from (${STUCK_PRINT_ORDERS}) u
  where ${stateInSql('unsent', 'u.state')} and u.read_at < $1 and u.outcome = 'planned' and u.redacted_at is null`;
