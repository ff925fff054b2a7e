import type { EntityManager } from 'typeorm';
import type { App } from '../app.ts';
import { Shops, type Shop } from '../database/shops.ts';
import { enqueuePlan } from './enqueue-plan.ts';
import { enqueueSubmit } from './enqueue-submit.ts';

/** Orders planned again in one step; the rest follow in steps of their own. */
const PAGE = 500;

/**
 * Something of the shop changed that orders waited for, such as its print key or a setting: what is held before anything
 * was sent, and what waits, is planned again; print orders not begun yet take the shop's account.
 */
export async function resumeShop(app: App, { shopId }: { shopId: number }): Promise<void> {
  const shop = await app.db.manager.findOneBy(Shops, { id: shopId, state: 'installed' });
  if (!shop) return;
  await app.db.transaction((manager) => releaseHeld(app, manager, shop));
  let after = '0';
  for (;;) {
    const orders: { id: string }[] = await app.db.query(
      `select o.id from storefront_orders o
       where o.shop_id = $1 and o.id > $2
         and (o.outcome = 'waiting'
           or exists (select from holds h where h.storefront_order_id = o.id and h.resolved_at is null)
           or exists (select from print_orders p where p.storefront_order_id = o.id and p.state in ('planned', 'quoted') and p.closed_at is null))
       order by o.id limit $3`,
      [shopId, after, PAGE],
    );
    for (const { id } of orders) await enqueuePlan(app, app.db.manager, id);
    const last = orders.at(-1);
    if (!last || orders.length < PAGE) return;
    after = last.id;
  }
}

const HARMLESS_ATTEMPTS = `not exists (select from submit_attempts a where a.print_order_id = p.id
  and coalesce(a.outcome, 'unclear') not in ('refused', 'account_refused', 'nothing_made', 'absent'))`;

async function releaseHeld(app: App, manager: EntityManager, shop: Shop): Promise<void> {
  // A promise is of its account: under another one it is asked for anew.
  await manager.query(
    `update print_orders p set print_account_id = $2,
       state = case when p.print_interface <> 'current' and p.state = 'quoted' then 'planned' else p.state end,
       body_sha256 = case when p.print_interface <> 'current' then null else p.body_sha256 end
     where p.shop_id = $1 and p.print_account_id is distinct from $2 and p.state in ('planned', 'quoted', 'held') and p.service_order_id is null and p.fenced_at is null
       and not exists (select from submit_attempts a where a.print_order_id = p.id) and $2::int is not null`,
    [shop.id, shop.printAccountId],
  );
  // The key may work now; a call that is refused says so again.
  await manager.query(
    `update holds set resolved_at = now() where shop_id = $1 and code = 'print_account_refused' and resolved_at is null`,
    [shop.id],
  );
  await closeRefusedPromises(app, manager, shop);
  // A refused body is sent again as it is; a refused quote is asked for anew.
  await manager.query(
    `with released as (
       update print_orders p set state = case when p.body_sha256 is null then 'planned' else 'quoted' end
       where p.shop_id = $1 and p.state = 'held' and p.service_order_id is null and p.closed_at is null and ${HARMLESS_ATTEMPTS}
       returning p.id)
     update holds set resolved_at = now() where print_order_id in (select id from released) and resolved_at is null`,
    [shop.id],
  );
}

/** In the earlier interface what was refused once is not sent again: its reference ends, and its successor is quoted anew. */
async function closeRefusedPromises(app: App, manager: EntityManager, shop: Shop): Promise<void> {
  const [closed]: [{ id: string; storefront_order_id: string }[], number] = await manager.query(
    `update print_orders p set closed_at = now(), closed_reason = 'refused'
     where p.shop_id = $1 and p.state = 'held' and p.print_interface <> 'current' and p.service_order_id is null and p.closed_at is null
       and exists (select from submit_attempts a where a.print_order_id = p.id) and ${HARMLESS_ATTEMPTS}
     returning p.id, p.storefront_order_id`,
    [shop.id],
  );
  for (const { id, storefront_order_id: storefrontOrderId } of closed)
    await enqueueSubmit(app, manager, { id, storefrontOrderId });
}
