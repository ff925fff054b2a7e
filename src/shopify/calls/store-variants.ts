import type { AdminApi } from '../admin/admin-api.ts';
import {
  ProductsOfVariantsDocument,
  ProductVariantPageDocument,
  VariantsOfProductDocument,
  VariantTitlesDocument,
  VariantWithSkuDocument,
} from '../generated/operations.ts';
import type { VariantTitlesQuery } from '../generated/operations.ts';
import { readAll } from '../admin/read-pages.ts';

/** Reads all of a product's variants. Returns null if the shop has no such product. Throws ShopifyError. */
export async function readVariantsOfProduct(
  admin: AdminApi,
  productId: string,
): Promise<{ id: string; sku: string | null }[] | null> {
  const read = async (after: string | null) => {
    const { product } = await admin.request(VariantsOfProductDocument, { id: productId, after });
    return product?.variants ?? null;
  };
  const first = await read(null);
  return first && readAll(VariantsOfProductDocument.name, first, read);
}

/**
 * Number of IDs per call: the maximum that Shopify accepts in a list. Each ID costs two points, and all of them use half of one call's
 * maximum cost.
 */
export const VARIANT_IDS_PER_CALL = 250;

/** A variant with its product. */
export interface VariantOfProduct {
  id: string;
  sku: string | null;
  productId: string;
}

/** Reads these variants, in one call per 250. IDs that the shop does not have are omitted. Throws ShopifyError. */
export async function readVariantsWithProduct(
  admin: AdminApi,
  variantIds: readonly string[],
): Promise<VariantOfProduct[]> {
  const variants: VariantOfProduct[] = [];
  for (let start = 0; start < variantIds.length; start += VARIANT_IDS_PER_CALL) {
    const ids = variantIds.slice(start, start + VARIANT_IDS_PER_CALL);
    const { nodes } = await admin.request(ProductsOfVariantsDocument, { ids });
    for (const node of nodes)
      if (node !== null && 'product' in node) variants.push({ id: node.id, sku: node.sku, productId: node.product.id });
  }
  return variants;
}

/** The titles of a variant and its product. */
export type VariantTitles = Extract<NonNullable<VariantTitlesQuery['nodes'][number]>, { title: string }>;

/** Reads the titles of at most 250 variants in one call. IDs that the shop does not have are omitted. Throws ShopifyError. */
export async function readVariantTitles(admin: AdminApi, variantIds: readonly string[]): Promise<VariantTitles[]> {
  const { nodes } = await admin.request(VariantTitlesDocument, { ids: [...variantIds] });
  return nodes.filter((node): node is VariantTitles => node !== null && 'title' in node);
}

/** A variant as the store describes it. */
export interface DescribedVariant {
  id: string;
  title: string;
  sku: string | null;
}

/** Reads a page of a product's variants. Returns null if the shop has no such product. Throws ShopifyError. */
export async function readVariantPage(
  admin: AdminApi,
  productId: string,
  after: string | null,
): Promise<{ variants: DescribedVariant[]; next: string | null } | null> {
  const { product } = await admin.request(ProductVariantPageDocument, { id: productId, after });
  if (!product) return null;
  const { nodes, pageInfo } = product.variants;
  return { variants: nodes, next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null };
}

/** Reads one variant. Returns null if the shop does not have it. Throws ShopifyError. */
export async function readVariant(admin: AdminApi, variantId: string): Promise<DescribedVariant | null> {
  return (await admin.request(VariantWithSkuDocument, { id: variantId })).productVariant ?? null;
}
