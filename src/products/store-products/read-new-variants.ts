import { IsNull } from 'typeorm';
import type { App } from '../../app.ts';
import { VariantConnections } from '../../database/entities/products.ts';
import { Shops } from '../../database/entities/shops.ts';
import { VARIANTS_ASKED_AT_ONCE } from '../../shopify/calls/store-variants.ts';
import { openAdmin } from '../../shops/tokens/tokens.ts';
import { lookAfterVariants } from './look-after-variants.ts';
import { enqueue } from '../../jobs/enqueue.ts';

/** Calls of one job: it ends after a thousand variants, and another goes on. */
const MOST_CALLS = 4;

/**
 * Reads of which products the variants are that a print link has connected: from then on a change of the product tells what becomes of them,
 * and one that the store does not have is said to be deleted before an order can fail on it. Each call is kept by itself, so that a job that
 * was cut off goes on where it was. Throws ShopifyError, and what `openAdmin` throws.
 */
export async function readNewVariants(app: App, { shopId }: { shopId: number }): Promise<void> {
  const shop = await app.db.manager.findOneBy(Shops, { id: shopId, state: 'installed' });
  if (!shop) return;
  for (let calls = 0; calls < MOST_CALLS; calls += 1) {
    const rows = await app.db.manager.find(VariantConnections, {
      where: { shopId, shopifyProductId: IsNull(), deletedInStoreAt: IsNull() },
      order: { id: 'ASC' },
      take: VARIANTS_ASKED_AT_ONCE,
    });
    if (rows.length > 0) await lookAfterVariants(app, await openAdmin(app, shop, { isBulk: true }), shopId, rows);
    if (rows.length < VARIANTS_ASKED_AT_ONCE) return;
  }
  await enqueue(app.db, 'read_new_variants', { shopId });
}
