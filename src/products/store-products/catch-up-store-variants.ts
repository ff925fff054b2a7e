import { IsNull, LessThan } from 'typeorm';
import type { App } from '../../app.ts';
import { VariantConnections } from '../../database/entities/products.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { openAdmin } from '../../shops/tokens/tokens.ts';
import { checkVariants } from './check-variants.ts';

/** Maximum number of variants checked in one pass. This covers 10,000 variants a day, at a cost that a shop does not notice. */
const MOST_CHECKED = 500;
/** A variant is checked at most once an hour, however often the polls run. */
const CHECK_AGAIN_MS = 50 * 60_000;

/**
 * Checks in the store the connected variants that were checked longest ago, because a deletion's webhook may be lost. Variants that no
 * longer exist are disconnected. Returns their number. Throws ShopifyError, and the errors of `openAdmin`.
 */
export async function catchUpStoreVariants(app: App, shop: Shop): Promise<number> {
  const { manager } = app.db;
  const shopId = shop.id;
  const ofShop = { shopId, deletedInStoreAt: IsNull() };
  // Variants with only a print link, which the store did not show yet when they were checked.
  const missing = { shopId, storeProductId: IsNull(), reason: 'deleted_in_store' };
  const due = LessThan(new Date(app.now().getTime() - CHECK_AGAIN_MS));
  const rows = await manager.find(VariantConnections, {
    where: [
      { ...ofShop, checkedAt: IsNull() },
      { ...ofShop, checkedAt: due },
      { ...missing, checkedAt: due },
    ],
    order: { checkedAt: { direction: 'ASC', nulls: 'FIRST' }, id: 'ASC' },
    take: MOST_CHECKED,
  });
  return rows.length === 0 ? 0 : checkVariants(app, await openAdmin(app, shop, { isBulk: true }), shopId, rows);
}
