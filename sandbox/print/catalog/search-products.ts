import { searchCatalogProductsRequestSchema, type AttributeFilters } from '../../../src/print/current/catalog-v3.ts';
import { parseRequest } from '../parse-request.ts';
import { catalogOf } from './find-product.ts';
import type { Measure, Product } from './product.ts';

/** A product as a search shows it (docs/rules/print-interface.md#catalog-product). */
interface FoundProduct {
  productUid: string;
  attributes: Readonly<Record<string, string>>;
  weight: Measure;
  dimensions: Readonly<Record<string, Measure>>;
  supportedCountries: readonly string[];
}
type AttributeHits = Record<string, Record<string, number>>;

const DEFAULT_LIMIT = 50;

/**
 * Serves `POST /v3/catalogs/{catalogUid}/products:search` (docs/rules/print-interface.md#search-catalog-products): returns a page of the
 * products that have, for every filtered attribute, one of the requested values. Also returns the number of matching products for each
 * attribute value. Throws a `Refusal`: 404 for an unknown catalog.
 */
export function searchProducts(
  catalogUid: string,
  body: unknown,
): { products: FoundProduct[]; hits: { attributeHits: AttributeHits } } {
  const catalog = catalogOf(catalogUid);
  const {
    attributeFilters = {},
    limit = DEFAULT_LIMIT,
    offset = 0,
  } = parseRequest(searchCatalogProductsRequestSchema, body);
  const found = catalog.products.filter((product) => matchesFilters(product, attributeFilters));
  const products = found.slice(offset, offset + limit).map(toFoundProduct);
  return { products, hits: { attributeHits: countHits(found) } };
}

/** A filter without values matches everything. */
function matchesFilters({ attributes }: Product, filters: AttributeFilters): boolean {
  return Object.entries(filters).every(
    ([attribute, values]) => values.length === 0 || values.includes(attributes[attribute] ?? ''),
  );
}

function countHits(products: readonly Product[]): AttributeHits {
  const hits: AttributeHits = {};
  for (const { attributes } of products) {
    for (const [attribute, value] of Object.entries(attributes)) {
      const counts = (hits[attribute] ??= {});
      counts[value] = (counts[value] ?? 0) + 1;
    }
  }
  return hits;
}

function toFoundProduct({
  productUid,
  attributes,
  weightGrams,
  dimensions,
  supportedCountries,
}: Product): FoundProduct {
  const weight = { value: weightGrams, measureUnit: 'grams' };
  return { productUid, attributes, weight, dimensions, supportedCountries };
}
