import { variantSeeds } from '../../sandbox/store/import/seed-variants.ts';

/** A variant of every shop of the run that is printed. */
interface PrintedVariant {
  sku: string;
  productUid: string;
  pageCount: number | null;
}

/** What the shops of the run have printed. */
export const printedVariants: readonly PrintedVariant[] = variantSeeds.flatMap(({ sku, productUid, pageCount }) =>
  productUid === null ? [] : [{ sku, productUid, pageCount }],
);

/** What they send from their own stock. */
export const OWN_STOCK_SKU = 'VASE';

/** The print file of a variant: another one in each shop, so that one shop's print on another's order shows. */
export function fileUrlOf(shop: string, sku: string): string {
  return `https://files.example/${shop.replace('.myshopify.com', '')}/${sku.toLowerCase()}.pdf`;
}
