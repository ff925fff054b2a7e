import type { EntityManager } from 'typeorm';

/**
 * Locks orders and their print orders for a transaction, in the same sequence as jobs do. Also changes the orders' versions, so that a job
 * that read an order before the lock cannot overwrite this transaction's changes.
 */
export async function lockOrders(manager: EntityManager, storefrontOrderIds: readonly string[]): Promise<void> {
  await manager.query(
    `with locked as materialized (
       select id from storefront_orders where id = any($1::bigint[]) order by id for no key update),
     changed as (
       update storefront_orders o set next_part = o.next_part from locked l where o.id = l.id returning o.id)
     select p.id from changed c join print_orders p on p.storefront_order_id = c.id order by p.id for no key update of p`,
    [storefrontOrderIds],
  );
}
