import type { App } from '../../app.ts';
import { hasJobSql } from '../../jobs/has-job.ts';
import type { PassResult } from '../../jobs/tasks.ts';
import { stateInSql } from '../facts/order-state.ts';
import { enqueueLostSubmit } from '../enqueue/enqueue-submit.ts';
import { isActiveSql } from '../../database/is-active.ts';

const PAGE = 500;

interface OpenPrintOrder {
  id: string;
  storefrontOrderId: string;
  hasJob: boolean;
}

/**
 * Enqueues the lost submit jobs of print orders that have an unknown outcome, a reference to fence or a cancellation in progress. A job
 * that is waiting or running is not changed.
 */
export async function catchUpUncertain(app: App): Promise<PassResult> {
  const result = { found: 0, fixed: 0 };
  for (let after = '0'; ;) {
    const page: OpenPrintOrder[] = await app.db.query(OPEN, [after, PAGE]);
    const lost = page.filter(({ hasJob }) => !hasJob);
    for (const printOrder of lost) await enqueueLostSubmit(app.db, printOrder);
    result.found += page.length;
    result.fixed += lost.length;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return result;
    after = last.id;
  }
}

const OPEN = `
  select p.id, p.storefront_order_id as "storefrontOrderId",
    ${hasJobSql("'submit:' || p.id")} as "hasJob"
  from print_orders p join shops on shops.id = p.shop_id and ${isActiveSql('shops')}
  where p.id > $1 and (
    (${stateInSql('sending')} and not (p.is_left_as_draft and p.service_order_id is not null))
    or (p.fenced_at is null and (p.closed_at is not null or p.cancel_requested_at is not null)))
  order by p.id limit $2`;
