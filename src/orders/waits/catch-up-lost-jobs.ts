import type { App } from '../../app.ts';
import { hasJob } from '../../jobs/has-job.ts';
import type { PassResult } from '../../jobs/tasks.ts';
import { enqueuePlan } from '../enqueue/enqueue-plan.ts';
import type { OutcomeReason } from '../facts/outcome-reasons.ts';
import { STUCK } from './unfinished.ts';

/** Of one pass; the next takes the rest, since what is planned again has been read since. */
const MOST = 500;
/** Nothing that goes on by itself lies so long without a job. */
const LOST_MS = 10 * 60_000;
/** What waits for a time, and not for the store or a person: a job has it planned then. */
const TIMED: readonly OutcomeReason[] = ['delay', 'daily_release', 'risk_pending', 'buyer_pending'];

/**
 * Plans again the orders that a job should have taken further, and has not, since it was lost or failed for good: orders that were never
 * read, that wait for a time, or whose plan failed until the queue gave it up, and those with a print order that is not sent though nothing
 * holds it back.
 */
export async function catchUpLostJobs(app: App): Promise<PassResult> {
  const lost: { id: string }[] = await app.db.query(
    `select o.id from (${UNPLANNED} union ${UNSENT} union ${FAILED}) o order by o.id limit $3`,
    [new Date(app.now().getTime() - LOST_MS), TIMED, MOST],
  );
  for (const { id } of lost) await enqueuePlan(app.db.manager, id);
  return { found: lost.length, mended: lost.length };
}

/** A later plan of an order that was read long ago waits for its time: it has its job. */
const UNPLANNED = `
  select o.id from storefront_orders o join shops s on s.id = o.shop_id and s.state = 'installed'
  where o.outcome = 'waiting' and o.redacted_at is null
    and ((o.read_at is null and o.received_at < $1) or (o.read_at < $1 and o.outcome_reason = any($2::text[])))
    and not ${hasJob(`'plan:' || o.id, 'plan-later:' || o.id`)}`;

/** The plan has noted that it failed, and no job retries it. */
const FAILED = `
  select w.storefront_order_id as id from step_waits w join shops s on s.id = w.shop_id and s.state = 'installed'
  where w.step = 'plan' and w.next_at < $1 and not ${hasJob("'plan:' || w.storefront_order_id")}`;

/** What is not sent, is wanted, and no job, poll or person takes up. */
const UNSENT = `
  select storefront_order_id as id from (${STUCK}) u
  where u.state in ('planned', 'quoted') and u.read_at < $1 and u.outcome = 'planned' and u.redacted_at is null`;
