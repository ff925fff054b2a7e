import type { App } from '../../app.ts';
import { findPrintLinks } from '../../database/find-print-links.ts';
import type { PrintLink } from '../../database/entities/products.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { VariantInStore } from '../../database/entities/variants-in-store.ts';
import type { AdminApi } from '../../shopify/admin/admin-api.ts';
import { readVariantsForStocking, type StockedVariant } from '../../shopify/calls/stocking.ts';

/** A variant to check: its stored state, and whether it is connected at the print service. */
export interface Candidate extends Pick<VariantInStore, 'shopifyVariantId' | 'stockedAt' | 'locationId'> {
  isConnected: boolean;
}

/** A candidate with its current state in the store. */
export interface VariantReading<Row extends Candidate = Candidate> {
  row: Row;
  variant: StockedVariant;
  /** The print link with which the variant is printed. */
  link: PrintLink | null;
  /** Whether the variant is connected and has a print link. */
  isPrinted: boolean;
  isStocked: boolean;
  /** Whether Platen has stocked the variant at Platen's current location. */
  isOurs: boolean;
}

/**
 * An ID that belongs to no location. Used if Platen has no location in the store, so that no variant counts as stocked at Platen's
 * location.
 */
export const NO_LOCATION_ID = 'gid://shopify/Location/0';

/**
 * Reads up to 100 candidates from the store with one call and one query. Variants that are no longer in the store are `gone`. Throws
 * ShopifyError.
 */
export async function readVariants<Row extends Candidate>(
  app: App,
  admin: AdminApi,
  shop: Pick<Shop, 'id' | 'locationId'>,
  rows: readonly Row[],
): Promise<{ readings: VariantReading<Row>[]; gone: Row[] }> {
  const ids = rows.map(({ shopifyVariantId }) => shopifyVariantId);
  const variants = await readVariantsForStocking(admin, ids, shop.locationId ?? NO_LOCATION_ID);
  const links = await findPrintLinks(app.db.manager, shop, variants);
  const known = new Map(variants.map((variant) => [variant.id, variant]));
  const readings = rows.flatMap((row) => {
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
  return { readings, gone: rows.filter(({ shopifyVariantId }) => !known.has(shopifyVariantId)) };
}

interface Titles {
  title: string;
  product: { title: string };
}

/** Returns a variant's title in lists: the product's title and the variant's own title. */
export function titleOf({ product, title }: Titles): string {
  return title === 'Default Title' ? product.title : `${product.title}, ${title}`;
}
