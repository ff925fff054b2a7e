import type { Catalog } from '../../print/current/catalog-objects.ts';

/** An attribute of the matching products, with the number of products for each value. */
export interface Facet {
  attributeUid: string;
  title: string | null;
  values: { valueUid: string; title: string | null; count: number }[];
}

/**
 * Converts the counts in a search response to facets. The catalog supplies the titles and the order. Attributes and values that the catalog
 * does not list follow, sorted by UID. Values without a count and attributes without values are left out.
 */
export function toFacets(
  hits: Readonly<Record<string, Readonly<Record<string, number | null>>>>,
  catalog: Pick<Catalog, 'productAttributes'> | null,
): Facet[] {
  const attributes = new Map(catalog?.productAttributes.map((one) => [one.productAttributeUid, one]));
  return sortByCatalog(Object.keys(hits), [...attributes.keys()]).flatMap((attributeUid) => {
    const known = attributes.get(attributeUid);
    const titles = new Map(known?.values.map((one) => [one.productAttributeValueUid, one.title]));
    const counts = hits[attributeUid] ?? {};
    const values = sortByCatalog(Object.keys(counts), [...titles.keys()]).flatMap((valueUid) => {
      const count = counts[valueUid] ?? null;
      return count === null ? [] : [{ valueUid, title: titles.get(valueUid) ?? null, count }];
    });
    return values.length === 0 ? [] : [{ attributeUid, title: known?.title ?? null, values }];
  });
}

function sortByCatalog(uids: readonly string[], known: readonly string[]): string[] {
  const place = new Map(known.map((uid, index) => [uid, index]));
  const placeOf = (uid: string): number => place.get(uid) ?? known.length;
  return uids.toSorted((one, other) => placeOf(one) - placeOf(other) || (one < other ? -1 : 1));
}
