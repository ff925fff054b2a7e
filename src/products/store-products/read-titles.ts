import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { readVariantTitles } from '../../shopify/calls/store-variants.ts';
import { openAdmin } from '../../shops/tokens/tokens.ts';
import { titleOf } from '../variant-sync/read-variants.ts';

/** Maximum number of variants in one request. No page of a list has more. */
export const MAX_TITLES = 100;

/** A variant of the shop. `variantId` consists of the digits of its ID in the store. */
export interface TitledVariant {
  variantId: string;
  title: string;
}

/**
 * Reads the titles of variants from the store with one call. Variants that the shop does not have are omitted. Throws ShopifyError, and the
 * errors of `openAdmin`.
 */
export async function readTitles(app: App, shop: Shop, variantIds: readonly string[]): Promise<TitledVariant[]> {
  const admin = await openAdmin(app, shop);
  const ids = variantIds.map((id) => `gid://shopify/ProductVariant/${id}`);
  const variants = await readVariantTitles(admin, ids);
  return variants.map((variant) => ({ variantId: variant.id.split('/').at(-1) ?? '', title: titleOf(variant) }));
}
