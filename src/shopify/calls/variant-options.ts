import type { AdminApi } from '../admin/admin-api.ts';
import { VariantOptionsOfProductDocument } from '../generated/operations.ts';
import type { VariantOptionsOfProductQuery } from '../generated/operations.ts';
import { readAll } from '../admin/read-pages.ts';

type Product = NonNullable<VariantOptionsOfProductQuery['product']>;

/** A product with all its variants and their options. */
export interface ProductWithOptions {
  id: string;
  title: string;
  variants: Product['variants']['nodes'];
}

/** Reads a product with all its variants' options. Returns null if the shop has no such product. Throws ShopifyError. */
export async function readVariantOptions(admin: AdminApi, id: string): Promise<ProductWithOptions | null> {
  const read = async (after: string | null) =>
    (await admin.request(VariantOptionsOfProductDocument, { id, after })).product;
  const product = await read(null);
  if (!product) return null;
  const variants = await readAll(
    VariantOptionsOfProductDocument.name,
    product.variants,
    async (after) => (await read(after))?.variants ?? null,
  );
  return { id: product.id, title: product.title, variants };
}
