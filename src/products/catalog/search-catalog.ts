import { z } from 'zod';
import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { CatalogProduct, CatalogProductPage } from '../../print/current/catalog-objects.ts';
import type { AttributeFilters } from '../../print/current/catalog-v3.ts';
import { openService } from '../print-service/open-service.ts';
import { parseInput } from '../print-service/parse-input.ts';
import { requestOnce } from './request-once.ts';
import { requestCatalog } from './read-catalogs.ts';
import { toFacets, type Facet } from './to-facets.ts';

const UID_LENGTH = 200;
const MAX_ATTRIBUTES = 50;
const MAX_VALUES = 200;
/** The documented interface allows 500, but the service may reject more than 100. */
const MAX_PRODUCTS = 100;
const MAX_OFFSET = 100_000;

const uid = z
  .string('must be the UID of an attribute value')
  .min(1, 'must be the UID of an attribute value')
  .max(UID_LENGTH, `must have at most ${UID_LENGTH} characters`);
const LIMIT_RULE = `must be a whole number from 1 to ${MAX_PRODUCTS}`;
const OFFSET_RULE = `must be a whole number from 0 to ${MAX_OFFSET}: use the previous page's "next" value`;

export const searchSchema = z.strictObject({
  attributeFilters: z
    .record(
      z.string().min(1, 'must be the UID of an attribute').max(UID_LENGTH, 'must be the UID of an attribute'),
      z.array(uid, 'must be a list of value UIDs').max(MAX_VALUES, `must have at most ${MAX_VALUES} values`),
      'must be an object of attribute UIDs, each with a list of value UIDs',
    )
    .refine(
      (filters) => Object.keys(filters).length <= MAX_ATTRIBUTES,
      `must have at most ${MAX_ATTRIBUTES} attributes`,
    )
    .default({}),
  limit: z.int(LIMIT_RULE).min(1, LIMIT_RULE).max(MAX_PRODUCTS, LIMIT_RULE).default(50),
  offset: z.int(OFFSET_RULE).min(0, OFFSET_RULE).max(MAX_OFFSET, OFFSET_RULE).default(0),
});
type Search = z.output<typeof searchSchema>;

/** A page of a catalog search. */
export interface FoundProducts {
  products: Pick<CatalogProduct, 'productUid' | 'attributes' | 'weight' | 'dimensions' | 'supportedCountries'>[];
  /** The counts of all matching products, not only those on this page. */
  facets: Facet[];
  /** The next page's `offset`. Null if this is the last page, or the last page that can be requested. */
  next: number | null;
}

/** Parses a search from the API or the command line. Throws InvalidInputError with the field and its rule. */
export async function parseSearch(input: Record<string, unknown>): Promise<Search> {
  const search = await parseInput(searchSchema, input);
  return { ...search, attributeFilters: normalizeFilters(search.attributeFilters) };
}

/**
 * Searches a catalog. Returns one page of the products that match at least one value of each attribute filter, and the counts of all
 * matches (docs/rules/print-interface.md#search-catalog-products). Titles of attributes and values require an extended call, and are null
 * without it. Throws the same errors as `openService` and `requestOnce`.
 */
export async function searchCatalog(app: App, shop: Shop, catalogUid: string, search: Search): Promise<FoundProducts> {
  const opened = await openService(app, shop);
  const { accountId, service } = opened;
  const [page, catalog] = await Promise.all([
    requestOnce<CatalogProductPage>(app, {
      accountId,
      call: ['search', catalogUid, search],
      what: `the catalog ${catalogUid}`,
      ask: () => service.searchCatalogProducts(catalogUid, search),
    }),
    // The catalog only adds titles, so a search works without it.
    service.extended === 'unsupported' ? null : requestCatalog(app, opened, catalogUid).catch(() => null),
  ]);
  const { products, hits } = page;
  return {
    products: products.map(({ productUid, attributes, weight, dimensions, supportedCountries }) => ({
      productUid,
      attributes,
      weight,
      dimensions,
      supportedCountries,
    })),
    facets: toFacets(hits.attributeHits, catalog),
    next: toNextOffset(search, products.length),
  };
}

/** Returns the next page's `offset`. Returns null after the last page, or if that offset exceeds the maximum. */
export function toNextOffset({ offset, limit }: Pick<Search, 'offset' | 'limit'>, found: number): number | null {
  const next = offset + limit;
  return found < limit || next > MAX_OFFSET ? null : next;
}

/** Sorts the filters and drops duplicate values and empty filters, so that equivalent searches have the same cache key. */
function normalizeFilters(filters: AttributeFilters): AttributeFilters {
  return Object.fromEntries(
    Object.entries(filters)
      .filter(([, values]) => values.length > 0)
      .map(([attribute, values]): [string, string[]] => [attribute, [...new Set(values)].toSorted()])
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}
