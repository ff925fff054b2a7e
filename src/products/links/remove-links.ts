import type { EntityManager } from 'typeorm';
import type { LinkSource } from '../../database/entities/products.ts';
import { enqueueConnectionUpdate } from '../connection-metafields/enqueue-connection-update.ts';
import { enqueueSyncVariants } from '../../shops/enqueue-shop-jobs.ts';

/**
 * Deletes variants' print links that came from `source`, in the caller's transaction. A connection that exists only because of its link is
 * also deleted. Connections from the print service remain. Returns the number of deleted links.
 */
export async function removeLinks(
  manager: EntityManager,
  shopId: number,
  shopifyVariantIds: readonly string[],
  source: LinkSource,
): Promise<number> {
  if (shopifyVariantIds.length === 0) return 0;
  const [removed]: [{ id: string }[], number] = await manager.query(
    `delete from print_links where shop_id = $1 and shopify_variant_id = any($2::text[]) and source = $3
     returning shopify_variant_id as id`,
    [shopId, shopifyVariantIds, source],
  );
  if (removed.length > 0)
    await deleteLinkOnlyConnections(
      manager,
      shopId,
      removed.map(({ id }) => id),
    );
  return removed.length;
}

/** Deletes those of these variants' connections that existed only because of the deleted print links. */
export async function deleteLinkOnlyConnections(
  manager: EntityManager,
  shopId: number,
  shopifyVariantIds: readonly string[],
): Promise<void> {
  await manager.query(
    `delete from variant_connections
     where shop_id = $1 and shopify_variant_id = any($2::text[]) and store_product_id is null
       and (status = 'connected' or reason = 'deleted_in_store')`,
    [shopId, shopifyVariantIds],
  );
  await enqueueConnectionUpdate(manager, shopId);
  await enqueueSyncVariants(manager, shopId);
}
