import type { App } from '../../app.ts';
import { PrintLinks } from '../../database/products.ts';
import type { Shop } from '../../database/shops.ts';
import { NotFoundError } from '../../errors.ts';
import { enqueueKeepVariants } from '../../shops/enqueue-keep-variants.ts';
import { whereTarget } from './find-link.ts';
import { describeTarget, type LinkTarget } from './parse-link.ts';
import { forgetConnections } from './remove-links.ts';

/**
 * Takes away the print link of a variant or of a SKU. A variant that was connected by its link alone is then as if it had never had one:
 * what the print service says of a variant stands. Print orders that are planned are not touched. Throws NotFoundError.
 */
export async function deleteLink(app: App, shop: Pick<Shop, 'id'>, target: LinkTarget): Promise<void> {
  await app.db.transaction(async (manager) => {
    const { affected } = await manager.delete(PrintLinks, whereTarget(shop, target));
    if (!affected) throw new NotFoundError(`There is no print link of ${describeTarget(target)}.`);
    await enqueueKeepVariants(app, manager, shop);
    if (target.shopifyVariantId === null) return;
    await forgetConnections(app, manager, shop.id, [target.shopifyVariantId]);
  });
}
