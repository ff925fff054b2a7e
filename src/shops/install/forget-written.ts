import type { EntityManager } from 'typeorm';

/** The store takes an app's definitions with it: after a new install everything is written to its products anew. */
export async function forgetWritten(manager: EntityManager, shopId: number): Promise<void> {
  await manager.query('delete from connection_metafields where shop_id = $1', [shopId]);
}
