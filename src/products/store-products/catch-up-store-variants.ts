import { IsNull, LessThan } from 'typeorm';
import type { App } from '../../app.ts';
import { VariantConnections } from '../../database/entities/products.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { openAdmin } from '../../shops/tokens/tokens.ts';
import { checkVariants } from './check-variants.ts';

/** Maximum number of variants checked in one pass. This covers more than 10,000 variants a day without a noticeable load on the store. */
const MAX_CHECKED = 500;
/** A variant is checked at most once an hour, regardless of how often the polls run. */
const CHECK_AGAIN_MS = 50 * 60_000;

/**
 * Checks whether the connected variants that were checked longest ago still exist in the store, because the webhook for a deletion may be
 * lost. Disconnects variants that no longer exist, and returns their number. Throws ShopifyError, and the errors of `openAdmin`.
 */
export async function catchUpStoreVariants(app: App, shop: Shop): Promise<number> {
  const { manager } = app.db;
  const shopId = shop.id;
  const ofShop = { shopId, deletedInStoreAt: IsNull() };
  // Variants that have only a print link and that the store did not show yet when they were checked.
  const missing = { shopId, storeProductId: IsNull(), reason: 'deleted_in_store' };
  const due = LessThan(new Date(app.clock.now().getTime() - CHECK_AGAIN_MS));
  const rows = await manager.find(VariantConnections, {
    where: [
      { ...ofShop, checkedAt: IsNull() },
      { ...ofShop, checkedAt: due },
      { ...missing, checkedAt: due },
    ],
    order: { checkedAt: { direction: 'ASC', nulls: 'FIRST' }, id: 'ASC' },
    take: MAX_CHECKED,
  });
  return rows.length === 0 ? 0 : checkVariants(app, await openAdmin(app, shop, { isBulk: true }), shopId, rows);
}
