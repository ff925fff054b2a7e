import type { EntityManager } from 'typeorm';

/**
 * Forgets which metafields were written to a shop's products. An uninstall deletes them in the store, so a new install must write them
 * again.
 */
export async function forgetConnectionMetafields(manager: EntityManager, shopId: number): Promise<void> {
  await manager.query('delete from connection_metafields where shop_id = $1', [shopId]);
}
