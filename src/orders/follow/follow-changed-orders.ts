import type { App } from '../../app.ts';
import { enqueueFollow } from '../enqueue/enqueue-follow.ts';
import { isActiveSql } from '../../database/is-active.ts';

/** The number of orders that one query compares. */
const PAGE = 500;

interface ChangedOrder {
  id: string;
  fulfillmentStatus: string | null;
}

/** Follows print orders whose status at the service differs from the last known status, including print orders that have ended. */
export async function followChangedOrders(app: App, accountId: number, seen: readonly ChangedOrder[]): Promise<void> {
  for (let start = 0; start < seen.length; start += PAGE) {
    const page = seen.slice(start, start + PAGE);
    const changed: { id: string; storefrontOrderId: string }[] = await app.db.query(
      `select distinct p.id, p.storefront_order_id as "storefrontOrderId" from print_orders p
       join service_orders s on s.print_order_id = p.id and s.role in ('chosen', 'part')
       join unnest($2::text[], $3::text[]) as shown (id, status) on shown.id = s.service_order_id
       where s.print_account_id = $1 and p.confirmed_at is not null and shown.status is distinct from s.status
         and exists (select from shops a where a.id = p.shop_id and ${isActiveSql('a')})`,
      [accountId, page.map(({ id }) => id), page.map(({ fulfillmentStatus }) => fulfillmentStatus)],
    );
    for (const printOrder of changed) await enqueueFollow(app.db.manager, printOrder);
  }
}
