import { IsNull } from 'typeorm';
import type { App } from '../../app.ts';
import { VariantConnections } from '../../database/entities/products.ts';
import { Shops } from '../../database/entities/shops.ts';
import { VARIANT_IDS_PER_CALL } from '../../shopify/calls/store-variants.ts';
import { openAdmin } from '../../shops/tokens/tokens.ts';
import { checkVariants } from './check-variants.ts';
import { enqueueReadNewVariants } from '../../shops/enqueue-shop-jobs.ts';

/** Maximum number of calls in one job. The job ends after 1,000 variants, and another job continues. */
const MAX_CALLS = 4;

/**
 * Reads the products of variants that a print link has connected. From then on, changes in these products update the variants. A variant
 * that the store does not have is marked as deleted before an order can fail because of it. Each call is saved separately, so an
 * interrupted job resumes where it was interrupted. Throws ShopifyError, and the errors of `openAdmin`.
 */
export async function readNewVariants(app: App, { shopId }: { shopId: number }): Promise<void> {
  const shop = await app.db.manager.findOneBy(Shops, { id: shopId, state: 'installed' });
  if (!shop) return;
  for (let calls = 0; calls < MAX_CALLS; calls += 1) {
    const rows = await app.db.manager.find(VariantConnections, {
      where: { shopId, shopifyProductId: IsNull(), deletedInStoreAt: IsNull() },
      order: { id: 'ASC' },
      take: VARIANT_IDS_PER_CALL,
    });
    if (rows.length > 0) await checkVariants(app, await openAdmin(app, shop, { isBulk: true }), shopId, rows);
    if (rows.length < VARIANT_IDS_PER_CALL) return;
  }
  await enqueueReadNewVariants(app.db, shopId);
}
