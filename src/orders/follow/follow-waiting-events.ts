import type { App } from '../../app.ts';
import { hasJobSql } from '../../jobs/has-job.ts';
import type { PassResult } from '../../jobs/tasks.ts';
import { enqueueFollow } from '../enqueue/enqueue-follow.ts';
import { isActiveSql } from '../../database/is-active.ts';

/** Maximum number of print orders in one pass. The next pass handles the rest. */
const MOST = 500;

/** Enqueues a reading for each print order that has unhandled events and whose job failed permanently or ended without a reading. */
export async function followWaitingEvents(app: App): Promise<PassResult> {
  const waiting: { id: string; storefrontOrderId: string }[] = await app.db.query(WAITING, [MOST, app.clock.now()]);
  for (const printOrder of waiting) await enqueueFollow(app.db, printOrder);
  return { found: waiting.length, fixed: waiting.length };
}

/**
 * If an event has no job after a minute, its job was lost. `resumeShop` handles the events of shops that are active again.
 */
const WAITING = `
  select p.id, p.storefront_order_id as "storefrontOrderId"
  from (select distinct print_order_id as id from deliveries
    where handled_at is null and print_order_id is not null and received_at < $2::timestamptz - interval '1 minute') d
  join print_orders p on p.id = d.id
  join shops s on s.id = p.shop_id and ${isActiveSql()}
  where p.confirmed_at is not null and p.print_account_id is not null and not ${hasJobSql("'follow:' || p.id")}
  order by p.id limit $1`;
