import type { EntityManager } from 'typeorm';

/** An uninstall deletes the app's definitions in the store. A new install therefore writes everything to the products again. */
export async function forgetWritten(manager: EntityManager, shopId: number): Promise<void> {
  await manager.query('delete from connection_metafields where shop_id = $1', [shopId]);
}
