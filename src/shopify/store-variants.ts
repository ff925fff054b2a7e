import type { AdminApi } from './admin-api.ts';
import { ProductsOfVariantsDocument, VariantsOfProductDocument } from './generated/operations.ts';
import { readAll } from './read-pages.ts';

/** The ids of all variants of a product; null: the shop has no such product. Throws ShopifyError. */
export async function readVariantIds(admin: AdminApi, productId: string): Promise<ReadonlySet<string> | null> {
  const read = async (after: string | null) => {
    const { product } = await admin.request(VariantsOfProductDocument, { id: productId, after });
    return product?.variants ?? null;
  };
  const first = await read(null);
  if (!first) return null;
  const variants = await readAll(VariantsOfProductDocument.name, first, read);
  return new Set(variants.map(({ id }) => id));
}

/** Ids in one call: as many as Shopify takes in a list. Each costs two points, half of what a call may cost. */
export const VARIANTS_ASKED_AT_ONCE = 250;

/** The product of each of these variants; those that the shop does not have are left out. A call for each 250. Throws ShopifyError. */
export async function readProductIds(
  admin: AdminApi,
  variantIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const productIds = new Map<string, string>();
  for (let start = 0; start < variantIds.length; start += VARIANTS_ASKED_AT_ONCE) {
    const ids = variantIds.slice(start, start + VARIANTS_ASKED_AT_ONCE);
    const { nodes } = await admin.request(ProductsOfVariantsDocument, { ids });
    for (const node of nodes) if (node !== null && 'product' in node) productIds.set(node.id, node.product.id);
  }
  return productIds;
}
