import type { EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import type { PrintOrderState } from '../../database/entities/print-orders.ts';
import { describeOutcome } from '../facts/outcome-reasons.ts';
import { IS_UNFINISHED, LOST_JOBS_POLL_SECONDS, toStepKeysSql, UNFINISHED } from './unfinished.ts';
import { isActiveSql } from '../../database/is-active.ts';

/** The seconds between two polls of the store for changed orders, and between two polls for lost pushes (src/polls/start-schedule.ts). */
const STORE_POLL = 600;
const PACKAGES_POLL = 300;

/** Why part of an order is unfinished, and when Platen acts next. */
export interface OrderWait {
  /** The reference of the waiting print order, or null for the order itself. */
  reference: string | null;
  message: string;
  /** When the step started to fail, and the number of tries. Null if no step is failing. */
  since: string | null;
  tries: number | null;
  /** Null if nothing happens until the merchant acts. */
  nextAt: string | null;
}

/** A sentence about the next step in each state, shown unless a step is failing. */
const NEXT: Record<PrintOrderState, string> = {
  planned: 'Next, Platen requests its price and shipping.',
  quoted: 'Next, Platen sends it to the print service.',
  submitting: 'Platen is sending it to the print service.',
  uncertain: 'Platen is checking whether the print service accepted it.',
  submitted: 'The print service has it but has not started to print it.',
  in_production: 'The print service is printing it.',
  shipped: 'It has shipped. Platen marks it as fulfilled once the tracking code is available.',
  shipped_no_tracking: 'It has shipped, but the print service has not provided a tracking code.',
  held: 'It is held.',
  fulfilled: 'It is fulfilled.',
  canceled: 'Platen is verifying that no part of it remains at the print service.',
  failed: 'Platen is verifying that no part of it remains at the print service.',
};

const LEFT = 'Its draft stays at the print service until someone releases it.';

/** Reads each unfinished part of these orders, with the reason why it is waiting and when Platen acts next, by order ID. */
export async function readWaits(
  { clock, config }: Pick<App, 'clock' | 'config'>,
  manager: EntityManager,
  storefrontOrderIds: readonly string[],
): Promise<Map<string, OrderWait[]>> {
  if (storefrontOrderIds.length === 0) return new Map();
  const rows: Row[] = await manager.query(`${ORDERS} union all ${PRINT_ORDERS} order by place, id`, [
    storefrontOrderIds,
  ]);
  const nextPoll = (seconds: number): Date => toNextPoll(clock.now(), config.pollSeconds ?? seconds);
  const found = rows.map((row): [string, OrderWait] => {
    // These polls act only if the job was lost, so their next run does not count if there is a job.
    const isForLostJobs = row.poll_seconds === LOST_JOBS_POLL_SECONDS || row.is_pushed_next;
    const isPolled = row.poll_seconds !== null && (!isForLostJobs || row.job_at === null);
    const times = [row.job_at ?? row.next_at, isPolled ? nextPoll(row.poll_seconds ?? 0) : null];
    const next = times.filter((time) => time !== null).toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null;
    const { reference, since, tries } = row;
    const said = row.words === null ? '' : ` It says: "${row.words}".`;
    const message = row.why === null ? describeNext(row) : `${row.why}${said}`;
    return [
      row.storefront_order_id,
      { reference, message, since: since?.toISOString() ?? null, tries, nextAt: next?.toISOString() ?? null },
    ];
  });
  const byOrder = Map.groupBy(found, ([id]) => id);
  return new Map([...byOrder].map(([id, ofOrder]) => [id, ofOrder.map(([, wait]) => wait)]));
}

function describeNext(row: Row): string {
  const {
    state,
    outcome_reason: reason,
    order_waits: orderWaits,
    is_held: isHeld,
    is_left: staysDraft,
    job_at: job,
    poll_seconds: poll,
  } = row;
  // A held order may have units that were never sent.
  if (isHeld && reason === 'printed_already') return NEXT.held;
  if (orderWaits || state === null) return describeOutcome(reason ?? 'unread');
  if (staysDraft) return LEFT;
  return isHeld && job === null && poll === null ? NEXT.held : NEXT[state];
}

/** Computes when a poll runs next. Polls run at multiples of their period. */
function toNextPoll(now: Date, seconds: number): Date {
  const period = seconds * 1000;
  return new Date((Math.floor(now.getTime() / period) + 1) * period);
}

interface Row {
  id: string;
  storefront_order_id: string;
  reference: string | null;
  state: PrintOrderState | null;
  order_waits: boolean;
  is_held: boolean;
  is_left: boolean;
  outcome_reason: string | null;
  job_at: Date | null;
  /** The time of the next retry, as the failing step recorded it. */
  next_at: Date | null;
  poll_seconds: number | null;
  /** Whether the next step is a push of packages to the store. */
  is_pushed_next: boolean;
  why: string | null;
  words: string | null;
  since: Date | null;
  tries: number | null;
}

const HAS_UNFINISHED = `exists (select from print_orders p where p.storefront_order_id = o.id and ${IS_UNFINISHED})`;
/** SQL: order `o` has units left to fulfill. */
const IS_LEFT_OVER = `exists (select from order_lines l where l.storefront_order_id = o.id and l.decision <> 'not_ours'
  and l.fulfilled_quantity < l.ordered_quantity)`;

/** SQL: order `o` or one of its print orders is held. */
const IS_HELD = 'exists (select from holds h where h.storefront_order_id = o.id and h.resolved_at is null)';

/** SQL: a change in the store can continue order `o`. No poll continues an order that waits for the merchant. */
const IS_STORE_AWAITED = `case when o.outcome = 'planned' then coalesce(o.outcome_reason, 'printed_already') else o.outcome_reason end
  <> 'printed_already'`;

/**
 * The waits of storefront orders, without their print orders. Includes orders whose print orders have all ended although units are left to
 * fulfill, so that no order waits without a reason. While a shop must sign in, or another database acts for its store, Platen does not poll
 * its store.
 */
const ORDERS = `
  select 0 as place, o.id, o.id as storefront_order_id, null as reference, null as state, false as order_waits, ${IS_HELD} as is_held, false as is_left,
    case when s.state = 'needs_sign_in' then 'needs_sign_in' when s.state <> 'installed' then 'platen_left'
      when s.fenced_off_at is not null then 'fenced_off'
      when o.outcome = 'planned' then coalesce(o.outcome_reason, 'printed_already') else o.outcome_reason end as outcome_reason,
    (select min(j.run_at) from graphile_worker.jobs j where j.key in ('plan:' || o.id, 'plan-later:' || o.id)) as job_at,
    null::timestamptz as next_at, case when ${isActiveSql()} and ${IS_STORE_AWAITED} then ${STORE_POLL} end as poll_seconds, false as is_pushed_next,
    w.why, w.words, w.since, w.tries
  from storefront_orders o join shops s on s.id = o.shop_id
    left join step_waits w on w.storefront_order_id = o.id and w.print_order_id is null
  where o.id = any($1::bigint[]) and (o.outcome = 'waiting' or (o.outcome = 'planned' and o.outcome_reason is not null) or w.id is not null
    or (not ${isActiveSql()} and ${HAS_UNFINISHED}) or (o.outcome = 'planned' and ${IS_LEFT_OVER} and not ${HAS_UNFINISHED}))`;

/**
 * The waits of unfinished print orders. The time shown is that of the step that must run next: the failing step or, for packages that the
 * store does not have yet, the push. Without such a step, it is the time of the next job or poll.
 */
const PRINT_ORDERS = `
  select 1, p.id, p.storefront_order_id, p.reference, p.state, p.order_waits, p.is_held, p.is_left, p.outcome_reason,
    case when n.step is null then p.job_at else (select min(j.run_at) from graphile_worker.jobs j
      where j.key = any(${toStepKeysSql('n.step', 'p.storefront_order_id', 'p.id')}) and j.attempts < j.max_attempts) end,
    w.next_at,
    case when n.step = 'push' then ${PACKAGES_POLL} when n.step in ('plan', 'quote') then null else p.poll_seconds end,
    n.step is not distinct from 'push', w.why, w.words, w.since, w.tries
  from (${UNFINISHED}) p
    left join lateral (select * from step_waits w where w.print_order_id = p.id order by w.last_at desc limit 1) w on true
    cross join lateral (select coalesce(w.step, case when exists (select from packages k
      where k.print_order_id = p.id and k.confirmed_at is not null and k.pushed_at is null) then 'push' end) as step) n
  where p.storefront_order_id = any($1::bigint[])`;
