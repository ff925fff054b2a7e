import type { AdminApi } from './admin-api.ts';
import { VariantsOfProductDocument } from './generated/operations.ts';
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
