import { variantSeeds } from '../../../sandbox/store/import/seed-variants.ts';

/** A printed variant that exists in every shop of the run. */
interface PrintedVariant {
  sku: string;
  productUid: string;
  pageCount: number | null;
}

/** The printed variants of the run's shops. */
export const printedVariants: readonly PrintedVariant[] = variantSeeds.flatMap(({ sku, productUid, pageCount }) =>
  productUid === null ? [] : [{ sku, productUid, pageCount }],
);

/** The SKU that the shops ship from their own stock. */
export const OWN_STOCK_SKU = 'VASE';

/**
 * Returns the URL of a variant's print file. The file differs by shop, so that the checks detect one shop's file on another shop's order.
 */
export function fileUrlOf(shop: string, sku: string): string {
  return `https://files.example/${shop.replace('.myshopify.com', '')}/${sku.toLowerCase()}.pdf`;
}
