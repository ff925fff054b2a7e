import type { EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import { PrintLinks } from '../../database/entities/products.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { NotFoundError } from '../../errors.ts';
import { whereTarget } from './find-link.ts';
import { describeTarget, type LinkTarget } from './parse-link.ts';
import { deleteLinkOnlyConnections } from './remove-links.ts';
import { enqueueCatchUpLinkMetafields, enqueueSyncVariants } from '../../shops/enqueue-shop-jobs.ts';
import { enqueueReadProduct } from '../store-products/enqueue-readings.ts';

/**
 * Deletes a variant's or SKU's print link. A connection that exists only because of the link is also deleted. A connection from the print
 * service remains. If the shop stores links in metafields, the variant's metafields then apply. Print orders that are already planned do
 * not change. Throws NotFoundError.
 */
export async function deleteLink(app: App, shop: Pick<Shop, 'id'>, target: LinkTarget): Promise<void> {
  await app.db.transaction(async (manager) => {
    const { affected } = await manager.delete(PrintLinks, whereTarget(shop, target));
    if (!affected) throw new NotFoundError(`There is no print link for ${describeTarget(target)}.`);
    await enqueueSyncVariants(manager, shop.id);
    if (target.shopifyVariantId === null) return;
    await readMetafields(manager, shop, target.shopifyVariantId);
    await deleteLinkOnlyConnections(manager, shop.id, [target.shopifyVariantId]);
  });
}

/**
 * Enqueues an immediate reading of the variant's metafields, because Platen does not print orders for the variant until its metafields are
 * read. If the variant's product is unknown, the metafields of all variants are read.
 */
async function readMetafields(
  manager: EntityManager,
  { id: shopId }: Pick<Shop, 'id'>,
  shopifyVariantId: string,
): Promise<void> {
  const [kept]: { productId: string | null }[] = await manager.query(
    `select c.shopify_product_id as "productId"
     from shops s left join variant_connections c on c.shop_id = s.id and c.shopify_variant_id = $2
     where s.id = $1 and s.settings ->> 'printLinkMetafields' is not null`,
    [shopId, shopifyVariantId],
  );
  if (!kept) return;
  const { productId: shopifyProductId } = kept;
  if (shopifyProductId !== null) return enqueueReadProduct(manager, { shopId, shopifyProductId }, { waitSeconds: 0 });
  await manager.query('update shops set link_metafields_read_to = null where id = $1', [shopId]);
  await enqueueCatchUpLinkMetafields(manager, shopId);
}
