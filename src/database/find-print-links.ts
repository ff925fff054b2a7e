import { In, IsNull, type EntityManager } from 'typeorm';
import { PrintLinks, type PrintLink } from './entities/products.ts';

/** The characters that JavaScript's `trim` removes, for PostgreSQL's `btrim`, which by default removes only spaces. */
export const SPACES =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';

/** Returns a variant's SKU for comparison with print links: without surrounding spaces, or null if it has no SKU. */
export function toLinkedSku(sku: string | null): string | null {
  return sku?.trim() || null;
}

/**
 * Finds the print links for these variants of a shop, by variant ID: a variant's own link, otherwise the link for its SKU. Runs one
 * query. SKUs are compared exactly, except for surrounding spaces.
 */
export async function findPrintLinks(
  manager: EntityManager,
  { id: shopId }: { id: number },
  variants: readonly Variant[],
): Promise<Map<string, PrintLink>> {
  const { ids, skus } = toLookupKeys(variants);
  if (ids.length === 0) return new Map();
  const found = await manager.find(PrintLinks, {
    where: [
      { shopId, shopifyVariantId: In(ids) },
      ...(skus.length === 0 ? [] : [{ shopId, shopifyVariantId: IsNull(), sku: In(skus) }]),
    ],
  });
  return matchPrintLinks(found, variants);
}

type Variant = Readonly<{ id: string; sku: string | null }>;

/** Returns the variant IDs and SKUs whose links must be read. */
export function toLookupKeys(variants: readonly Variant[]): { ids: string[]; skus: string[] } {
  return {
    ids: [...new Set(variants.map(({ id }) => id))],
    skus: [...new Set(variants.flatMap(({ sku }) => toLinkedSku(sku) ?? []))],
  };
}

/** Returns each variant's link among the given links, by variant ID. */
export function matchPrintLinks(found: readonly PrintLink[], variants: readonly Variant[]): Map<string, PrintLink> {
  const own = new Map(found.flatMap((link) => (link.shopifyVariantId === null ? [] : [[link.shopifyVariantId, link]])));
  const bySku = new Map(found.filter((link) => link.shopifyVariantId === null).map((link) => [link.sku, link]));
  const links = new Map<string, PrintLink>();
  for (const { id, sku: written } of variants) {
    const sku = toLinkedSku(written);
    const link = own.get(id) ?? (sku === null ? undefined : bySku.get(sku));
    if (link) links.set(id, link);
  }
  return links;
}
