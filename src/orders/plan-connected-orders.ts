import type { App } from '../app.ts';
import type { HoldCode } from './facts/hold-codes.ts';
import { enqueuePlan } from './enqueue/enqueue-plan.ts';

const PAGE = 500;
const NOT_CONNECTED: HoldCode = 'not_connected';
const NO_LINK: HoldCode[] = ['no_print_link', 'not_linked'];

/**
 * Plans again only the orders whose hold may be outdated: a variant held as not connected now has another status or was deleted in the
 * store, or a variant without a print link is now ignored. Also plans orders with a held line whose variant was never recorded, because
 * such a line may have any variant.
 */
export async function planConnectedOrders(app: App, { shopId }: { shopId: number }): Promise<void> {
  for (let after = '0'; ;) {
    const page: { id: string }[] = await app.db.query(TO_PLAN, [shopId, after, PAGE, NOT_CONNECTED, NO_LINK]);
    for (const { id } of page) await enqueuePlan(app.db.manager, id);
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.id;
  }
}

const TO_PLAN = `
  select distinct h.storefront_order_id as id
  from holds h
    left join order_lines l on l.storefront_order_id = h.storefront_order_id and l.shopify_line_item_id = h.shopify_line_item_id
    left join variant_connections c on c.shop_id = h.shop_id and c.shopify_variant_id = l.shopify_variant_id
  where h.shop_id = $1 and h.resolved_at is null and h.storefront_order_id > $2
    and ((h.code = $4 and (l.shopify_variant_id is null or c.status is distinct from 'not_connected' or c.deleted_in_store_at is not null))
      or (h.code = any($5) and c.status = 'ignored'))
  order by 1 limit $3`;
