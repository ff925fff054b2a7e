import type { App } from '../../app.ts';
import type { Shop } from '../../database/shops.ts';
import { NotPossibleError } from '../../errors.ts';
import { actByHand, type DoneByHand } from './act-by-hand.ts';
import type { Speaker } from './hand-scope.ts';

const PAGE = 100;

/** Approves every order of a shop that waits for approval, oldest first; high risks and what was held by hand are approved one by one. */
export async function* approveAll(app: App, shop: Shop, by: Speaker): AsyncGenerator<DoneByHand> {
  for (let after = '0'; ;) {
    const page: { id: string; order: string }[] = await app.db.query(
      `select o.id, o.shopify_order_id as "order" from storefront_orders o
       where o.shop_id = $1 and o.id > $2 and exists (
         select from holds h where h.storefront_order_id = o.id and h.code = 'needs_approval' and h.resolved_at is null)
       and not exists (
         select from holds h where h.storefront_order_id = o.id and h.code in ('high_risk', 'held_by_hand') and h.resolved_at is null)
       order by o.id limit $3`,
      [shop.id, after, PAGE],
    );
    for (const { order } of page) {
      try {
        yield await actByHand(app, shop, { order, action: 'approve', printOrder: null, by });
      } catch (error) {
        // Cancelled in the store meanwhile: the next plan says so.
        if (!(error instanceof NotPossibleError)) throw error;
      }
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.id;
  }
}
