import type { App } from '../app.ts';
import { UNSENT } from './catch-up-lost-jobs.ts';

/** A poll has tried to take it up many times by then. */
const STUCK_MS = 60 * 60_000;
/** Ids of one log line. */
const MOST_NAMED = 50;

/** The poll of open print orders reads it. */
const IS_FOLLOWED = `(p.confirmed_at is not null
  and exists (select from service_orders o where o.print_order_id = p.id and o.role in ('chosen', 'part')))`;

/**
 * Print orders that are not over and that nothing takes up: no job, no poll and no person, since none of these is told of them. There
 * should never be one. The polls take up, by their own conditions, what is being submitted, closed or followed.
 */
const STUCK = `
  select p.id from print_orders p join shops s on s.id = p.shop_id and s.state = 'installed'
  where p.fenced_at is null and p.closed_at is null and p.cancel_requested_at is null and p.updated_at < $1 and p.print_again_at is null
    and (
      (p.state in ('submitted', 'in_production', 'shipped', 'shipped_no_tracking') and not ${IS_FOLLOWED})
      or (p.state = 'held' and not ${IS_FOLLOWED} and not exists (
        select from holds h where h.storefront_order_id = p.storefront_order_id and h.resolved_at is null))
      or (p.state = 'submitting' and p.is_left_as_draft and p.service_order_id is not null
        and (p.submit_way <> 'draft' or p.print_interface <> 'current')))
  union
  select p.id from print_orders p where p.storefront_order_id in (${UNSENT})
    and p.state in ('planned', 'quoted') and p.closed_at is null`;

/**
 * The daily check of what must always hold: a print order that is not over has a job, a poll or a hold that a person sees. Each one that
 * has not is an error in the log. Returns how many there are.
 */
export async function checkStuck(app: App): Promise<number> {
  const before = new Date(app.now().getTime() - STUCK_MS);
  const stuck: { id: string }[] = await app.db.query(`${STUCK} limit 1000`, [before]);
  if (stuck.length > 0) {
    const printOrderIds = stuck.slice(0, MOST_NAMED).map(({ id }) => id);
    app.log.error({ printOrderIds, count: stuck.length }, 'print orders that nothing takes up: retry them by hand');
  }
  return stuck.length;
}
