import type { App } from '../app.ts';
import { hasJobSql } from '../jobs/has-job.ts';
import type { PassResult } from '../jobs/tasks.ts';
import { enqueueUpdateJob } from '../orders/enqueue/enqueue-store-update.ts';
import { isActiveSql } from '../database/is-active.ts';

/**
 * The maximum number of orders per pass. Orders that have waited longest are processed first. The remaining orders are processed in the
 * next pass.
 */
const MAX_ORDERS = 1_000;
/** An update that has no job and has been due for longer than this period was lost. */
const GRACE_MS = 2 * 60_000;

/** Enqueues store updates whose job was lost or failed permanently, and updates that the store refused some time ago. */
export async function catchUpStoreUpdates(app: App): Promise<PassResult> {
  const due: { id: string; tries: number }[] = await app.db.query(
    `select d.storefront_order_id as id, d.tries from store_updates_due d
       join storefront_orders o on o.id = d.storefront_order_id join shops s on s.id = o.shop_id and ${isActiveSql()}
     where d.due_at < $1 and not ${hasJobSql("'update_store:' || d.storefront_order_id")}
     order by d.due_at limit $2`,
    [new Date(app.clock.now().getTime() - GRACE_MS), MAX_ORDERS],
  );
  for (const { id } of due) await enqueueUpdateJob(app.db, id);
  return { found: due.length, fixed: due.filter(({ tries }) => tries === 0).length };
}
