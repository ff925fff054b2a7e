import type { EntityManager } from 'typeorm';

/**
 * Locks orders for a transaction that writes rows of them. It changes their version, too, so that a job that has read an order before does
 * not write over it: a lock alone leaves the version as it was. Orders come before their print orders, as in each write of a job.
 */
export async function lockOrders(manager: EntityManager, storefrontOrderIds: readonly string[]): Promise<void> {
  await manager.query(
    `with locked as materialized (
       select id from storefront_orders where id = any($1::bigint[]) order by id for no key update)
     update storefront_orders o set next_part = o.next_part from locked l where o.id = l.id`,
    [storefrontOrderIds],
  );
}
