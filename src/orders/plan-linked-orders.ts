import type { App } from '../app.ts';
import { SPACES } from '../database/find-print-links.ts';
import { Shops } from '../database/entities/shops.ts';
import type { UnlinkedDecision } from '../jobs/tasks.ts';
import { readSettings } from '../shops/settings/settings.ts';
import { enqueuePlan } from './enqueue/enqueue-plan.ts';
import { releaseUnlinkedLines } from './unlinked/release-unlinked-lines.ts';
import { isLinkedSql } from './unlinked/unlinked-lines-sql.ts';

const PAGE = 500;

/**
 * Plans again only the orders that are held for a print link that now exists (docs/rules/planning.md#which-lines) or for a product that the
 * shop now ships itself. For lines that were not linked when they were ordered, `word` is the merchant's decision to print the lines or to
 * leave them to the merchant. Without `word`, such lines are printed only if the setting `printsWaitingOrders` is on.
 */
export async function planLinkedOrders(
  app: App,
  { shopId, word }: { shopId: number; word?: UnlinkedDecision },
): Promise<void> {
  const shop = await app.db.manager.findOneBy(Shops, { id: shopId, state: 'installed' });
  if (!shop) return;
  if (word) return releaseUnlinkedLines(app, shopId, word);
  if (readSettings(shop).printsWaitingOrders) await releaseUnlinkedLines(app, shopId, { word: 'print', by: 'platen' });
  for (let after = '0'; ;) {
    const page: { id: string }[] = await app.db.query(HELD, [shopId, after, PAGE, SPACES]);
    for (const { id } of page) await enqueuePlan(app.db.manager, id);
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.id;
  }
}

/**
 * A line whose variant was never recorded may have any variant, so its order is planned whenever it is held. For a deleted variant, only a
 * link for the SKU counts.
 */
const HELD = `
  select distinct h.storefront_order_id as id
  from holds h left join order_lines l
    on l.storefront_order_id = h.storefront_order_id and l.shopify_line_item_id = h.shopify_line_item_id
  where h.shop_id = $1 and h.code in ('no_print_link', 'not_linked', 'variant_deleted') and h.resolved_at is null and h.storefront_order_id > $2
    and (h.code = 'no_print_link' and (l.shopify_variant_id is null
        or exists (select from print_links p where p.shop_id = $1 and p.shopify_variant_id = l.shopify_variant_id))
      or h.code = 'not_linked' and not ${isLinkedSql('l', '$4')}
        and exists (select from own_products w where w.shop_id = $1 and w.shopify_id in (l.shopify_variant_id, l.shopify_product_id))
      or h.code <> 'not_linked' and exists (select from print_links p where p.shop_id = $1 and p.shopify_variant_id is null and p.sku = btrim(l.sku, $4)))
  order by h.storefront_order_id limit $3`;
