import type { AdminApi } from '../admin/admin-api.ts';
import { LinksOfProductDocument, LinksOfVariantsDocument, type VariantLinkFragment } from '../generated/operations.ts';
import { readPages } from '../admin/read-pages.ts';

/** The values of the variant metafields that specify what is printed, as the store returns them. Null if a metafield does not exist. */
export interface VariantLink {
  shopifyVariantId: string;
  productUid: string | null;
  fileUrl: string | null;
  pageCount: string | null;
}

/** Reads the links of a product's variants, in pages of 100. Empty if the shop has no such product. Throws ShopifyError. */
export async function* readLinksOfProduct(
  admin: AdminApi,
  { id, namespace }: { id: string; namespace: string },
): AsyncGenerator<VariantLink[]> {
  const read = async (after: string | null) => {
    const { product } = await admin.request(LinksOfProductDocument, { id, namespace, after });
    return product?.variants ?? null;
  };
  const first = await read(null);
  if (!first) return;
  yield first.nodes.map(toVariantLink);
  for await (const page of readPages(LinksOfProductDocument.name, first, read)) yield page.nodes.map(toVariantLink);
}

/**
 * Reads the links of 100 of the shop's variants after a cursor. `next` is the next page's cursor, or null at the end. Throws ShopifyError.
 */
export async function readLinksPage(
  admin: AdminApi,
  { namespace, after }: { namespace: string; after: string | null },
): Promise<{ links: VariantLink[]; next: string | null }> {
  const { productVariants: page } = await admin.request(LinksOfVariantsDocument, { namespace, after });
  const { hasNextPage, endCursor } = page.pageInfo;
  return { links: page.nodes.map(toVariantLink), next: hasNextPage ? (endCursor ?? null) : null };
}

function toVariantLink({ id, productUid, fileUrl, pageCount }: VariantLinkFragment): VariantLink {
  return {
    shopifyVariantId: id,
    productUid: productUid?.value ?? null,
    fileUrl: fileUrl?.value ?? null,
    pageCount: pageCount?.value ?? null,
  };
}
