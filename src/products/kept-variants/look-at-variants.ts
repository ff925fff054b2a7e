import type { App } from '../../app.ts';
import { findPrintLinks } from '../../database/find-print-links.ts';
import type { PrintLink } from '../../database/entities/products.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { VariantInStore } from '../../database/entities/variants-in-store.ts';
import type { AdminApi } from '../../shopify/admin/admin-api.ts';
import { readForStocking, type StockedVariant } from '../../shopify/calls/stocking.ts';

/** A variant that is to be looked at: what is kept of it, and whether the print service has it as connected. */
export interface Candidate extends Pick<VariantInStore, 'shopifyVariantId' | 'stockedAt' | 'locationId'> {
  isConnected: boolean;
}

/** A candidate as the store has it now. */
export interface Look<Row extends Candidate = Candidate> {
  row: Row;
  variant: StockedVariant;
  /** The print link by which it is printed. */
  link: PrintLink | null;
  /** It is connected and has a print link. */
  isPrinted: boolean;
  isStocked: boolean;
  /** Platen has stocked it at the location that it has now. */
  isOurs: boolean;
}

/** No location of a store: where Platen has none any more, a variant is stocked nowhere. */
export const NOWHERE = 'gid://shopify/Location/0';

/**
 * Reads candidates, 100 at most, from the store: one call and one query. Those that the store does not have any more are `gone`.
 * Throws ShopifyError.
 */
export async function lookAtVariants<Row extends Candidate>(
  app: App,
  admin: AdminApi,
  shop: Pick<Shop, 'id' | 'locationId'>,
  rows: readonly Row[],
): Promise<{ looks: Look<Row>[]; gone: Row[] }> {
  const ids = rows.map(({ shopifyVariantId }) => shopifyVariantId);
  const variants = await readForStocking(admin, ids, shop.locationId ?? NOWHERE);
  const links = await findPrintLinks(app.db.manager, shop, variants);
  const known = new Map(variants.map((variant) => [variant.id, variant]));
  const looks = rows.flatMap((row) => {
    const variant = known.get(row.shopifyVariantId);
    if (!variant) return [];
    const link = links.get(variant.id) ?? null;
    return [
      {
        row,
        variant,
        link,
        isPrinted: row.isConnected && link !== null,
        isStocked: variant.inventoryItem.inventoryLevel?.isActive === true,
        isOurs: row.stockedAt !== null && row.locationId !== null && row.locationId === shop.locationId,
      },
    ];
  });
  return { looks, gone: rows.filter(({ shopifyVariantId }) => !known.has(shopifyVariantId)) };
}

/** A variant as a list shows it: its product and itself. */
export function titleOf({ product, title }: StockedVariant): string {
  return title === 'Default Title' ? product.title : `${product.title}, ${title}`;
}
