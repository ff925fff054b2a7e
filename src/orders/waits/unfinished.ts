import { hasJobSql } from '../../jobs/has-job.ts';
import { stateInSql } from '../facts/order-state.ts';
import { isActiveSql } from '../../database/is-active.ts';

/** Seconds between the passes that resume a print order (src/polls/start-schedule.ts). */
export const LOST_JOBS_POLL_SECONDS = 60;
const FOLLOW_POLL_SECONDS = 300;

const IS_SETTLING = `(p.closed_at is not null or p.cancel_requested_at is not null
  or (${stateInSql('sending')} and not (p.is_left_as_draft and p.service_order_id is not null)))`;
/** SQL: the poll of open print orders reads print order `p`. */
const IS_FOLLOWED = `(p.confirmed_at is not null and ${stateInSql('polled')}
  and exists (select from service_orders o where o.print_order_id = p.id and o.role in ('chosen', 'part')))`;
/** SQL: print order `p` has a draft that stays at the service until someone releases it there. */
const IS_LEFT_DRAFT = `(p.submit_way = 'draft' and p.print_interface = 'current' and p.service_order_id is not null and p.confirmed_at is null
  and p.state = 'submitting' and p.is_left_as_draft)`;

/** SQL: the keys of the jobs that advance print order `p`. */
const KEYS = `'submit:' || p.id, 'follow:' || p.id, 'quote:' || p.storefront_order_id, 'push:' || p.storefront_order_id,
  'plan:' || p.storefront_order_id, 'plan-later:' || p.storefront_order_id`;

/**
 * SQL: the keys of the jobs that take a failing step again. `step` is the step's name, and `storefrontOrderId` and `printOrderId` are the
 * IDs of its order and print order. The poll of open print orders repeats the step `search`.
 */
export const toStepKeysSql = (step: string, storefrontOrderId: string, printOrderId: string): string => `case ${step}
  when 'push' then array['push:' || ${storefrontOrderId}]
  when 'follow' then array['follow:' || ${printOrderId}]
  when 'submit' then array['submit:' || ${printOrderId}, 'plan:' || ${storefrontOrderId}, 'plan-later:' || ${storefrontOrderId}]
  when 'quote' then array['quote:' || ${storefrontOrderId}, 'plan:' || ${storefrontOrderId}, 'plan-later:' || ${storefrontOrderId}]
  when 'plan' then array['plan:' || ${storefrontOrderId}, 'plan-later:' || ${storefrontOrderId}]
  else array[]::text[] end`;

/** SQL: print order `p` is unfinished. */
export const IS_UNFINISHED = `p.fenced_at is null
    and (p.closed_at is not null or p.cancel_requested_at is not null
      or (p.print_again_at is null and not ${stateInSql('ended')}))`;

/**
 * SQL: every unfinished print order with its next step. Each must have a job (`job_at`), a poll (`poll_seconds`), a waiting order that
 * shows the reason (`order_waits`) or a hold for the merchant (`is_held`). `is_failing` means that the only hold is that of a failing step,
 * which Platen retries. `is_left` means that the print order's draft awaits release at the service.
 */
export const UNFINISHED = `
  select p.id, p.storefront_order_id, p.reference, p.state, p.updated_at,
    case when ${hasJobSql(KEYS)} then (select min(j.run_at) from graphile_worker.jobs j where j.key in (${KEYS})) end as job_at,
    case when ${IS_SETTLING} then ${LOST_JOBS_POLL_SECONDS}
      when ${IS_FOLLOWED} or ${IS_LEFT_DRAFT} then ${FOLLOW_POLL_SECONDS} end as poll_seconds,
    ${stateInSql('unsent')} and u.outcome = 'waiting' as order_waits,
    coalesce(h.codes <> '{}', false) as is_held,
    ${IS_LEFT_DRAFT} as is_left,
    coalesce(h.codes <@ array['step_failing'], false) as is_failing,
    u.read_at, u.outcome, u.outcome_reason, u.redacted_at
  from print_orders p
    join storefront_orders u on u.id = p.storefront_order_id
    join shops s on s.id = p.shop_id and ${isActiveSql()}
    left join lateral (
      select array_agg(h.code) as codes from holds h where h.storefront_order_id = p.storefront_order_id and h.resolved_at is null
        and (h.print_order_id is null or h.print_order_id = p.id)
    ) h on true
  where ${IS_UNFINISHED}`;

/** SQL: unfinished print orders that have no next step and were last changed before $1. */
export const STUCK_PRINT_ORDERS = `
  select * from (${UNFINISHED}) w
  where w.updated_at < $1 and w.job_at is null and w.poll_seconds is null and not w.order_waits and (not w.is_held or w.is_failing)`;
