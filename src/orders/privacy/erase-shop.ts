import type { EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import { Shops, type Shop } from '../../database/entities/shops.ts';

const MAX_ORDERS_PER_STEP = 200;
const MAX_DELIVERIES_PER_STEP = 5_000;
const MAX_STORE_PRODUCTS_PER_STEP = 1_000;

/**
 * Deletes all data about a shop that has removed Platen: its orders, deliveries and settings, and print accounts that no other shop uses.
 * Printed quantities stay, each with the hash of its line item (docs/rules/planning.md#printed-units), so that a later install prints
 * nothing twice. Deletes the data in several transactions, so a call after a crash resumes the deletion. Stops and returns false if the
 * shop has installed Platen again.
 */
export async function eraseShop(app: App, shop: Pick<Shop, 'id'>): Promise<boolean> {
  for (;;) {
    const step = await app.db.transaction(async (manager) => {
      const current = await manager.findOne(Shops, { where: { id: shop.id }, lock: { mode: 'for_no_key_update' } });
      if (!current) return 'erased';
      if (current.state !== 'uninstalled') return 'installed';
      if (await eraseStoreProducts(manager, current)) return 'more';
      if ((await eraseOrders(manager, current)) || (await eraseDeliveries(manager, current))) return 'more';
      await manager.delete(Shops, { id: current.id });
      await deleteUnusedAccounts(manager, [current.printAccountId]);
      return 'erased';
    });
    if (step !== 'more') return step === 'erased';
  }
}

async function eraseOrders(manager: EntityManager, shop: Shop): Promise<boolean> {
  const orders: { id: string }[] = await manager.query(
    `select id from storefront_orders where shop_id = $1 order by id limit $2`,
    [shop.id, MAX_ORDERS_PER_STEP],
  );
  if (orders.length === 0) return false;
  const ids = orders.map(({ id }) => id);
  const accounts: { id: number | null }[] = await manager.query(
    `select distinct print_account_id as id from print_orders where storefront_order_id = any($1::bigint[])`,
    [ids],
  );
  const accountIds = accounts.map(({ id }) => id);
  // Shops that share a print account receive each other's events.
  await manager.query(
    `update deliveries set body = null
     where source = 'print' and body is not null
       and shop_id in (select id from shops where print_account_id = any($2::int[]) and id <> $3)
       and body ->> 'orderReferenceId' in (select reference from print_orders where storefront_order_id = any($1::bigint[]))`,
    [ids, accountIds, shop.id],
  );
  await manager.query(`delete from storefront_orders where id = any($1::bigint[])`, [ids]);
  await deleteUnusedAccounts(manager, accountIds);
  return true;
}

/** Deletes store products before the orders, because store products refer to the print account through which they were read. */
async function eraseStoreProducts(manager: EntityManager, shop: Shop): Promise<boolean> {
  const [, count]: [unknown[], number] = await manager.query(
    'delete from store_products where id in (select id from store_products where shop_id = $1 limit $2)',
    [shop.id, MAX_STORE_PRODUCTS_PER_STEP],
  );
  await manager.query('delete from store_product_templates where shop_id = $1', [shop.id]);
  return count > 0;
}

async function eraseDeliveries(manager: EntityManager, shop: Shop): Promise<boolean> {
  const [, count]: [unknown[], number] = await manager.query(
    `delete from deliveries where id in (
       select id from deliveries where source in ('shopify', 'print') and shop_id = $1 limit $2)`,
    [shop.id, MAX_DELIVERIES_PER_STEP],
  );
  return count > 0;
}

async function deleteUnusedAccounts(manager: EntityManager, ids: (number | null)[]): Promise<void> {
  await manager.query(
    `delete from print_accounts a where a.id = any($1::int[])
       and not exists (select from shops s where s.print_account_id = a.id)
       and not exists (select from print_orders p where p.print_account_id = a.id)
       and not exists (select from service_orders o where o.print_account_id = a.id)
       and not exists (select from store_products p where p.print_account_id = a.id)
       and not exists (select from store_product_templates t where t.print_account_id = a.id)`,
    [ids.filter((id) => id !== null)],
  );
}
