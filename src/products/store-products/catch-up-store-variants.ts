import { IsNull, LessThan } from 'typeorm';
import type { App } from '../../app.ts';
import { VariantConnections } from '../../database/entities/products.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { openAdmin } from '../../shops/tokens/tokens.ts';
import { lookAfterVariants } from './look-after-variants.ts';

/** Variants asked after in one pass: ten thousand are looked at within a day, at a cost that a shop does not notice. */
const MOST_CHECKED = 500;
/** A variant is looked after once an hour at most, however often the polls run. */
const CHECK_AGAIN_MS = 50 * 60_000;

/**
 * Looks in the store after the connected variants that were looked at least recently: a webhook of a deletion may be lost. Those that are
 * gone are disconnected. Returns how many. Throws ShopifyError, and what `openAdmin` throws.
 */
export async function catchUpStoreVariants(app: App, shop: Shop): Promise<number> {
  const { manager } = app.db;
  const shopId = shop.id;
  const ofShop = { shopId, deletedInStoreAt: IsNull() };
  // One with a print link alone, which the store had not shown yet when it was looked after.
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
  return rows.length === 0 ? 0 : lookAfterVariants(app, await openAdmin(app, shop, { isBulk: true }), shopId, rows);
}
