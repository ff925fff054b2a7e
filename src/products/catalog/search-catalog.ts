import { z } from 'zod';
import type { App } from '../../app.ts';
import type { Shop } from '../../database/entities/shops.ts';
import type { CatalogProduct, CatalogProductPage } from '../../print/current/catalog-objects.ts';
import type { AttributeFilters } from '../../print/current/catalog-v3.ts';
import { openService } from '../service/open-service.ts';
import { parseInput } from '../service/parse-input.ts';
import { askOnce } from './ask-once.ts';
import { askCatalog } from './read-catalogs.ts';
import { toFacets, type Facet } from './to-facets.ts';

const UID_LENGTH = 200;
const MOST_ATTRIBUTES = 50;
const MOST_VALUES = 200;
/** The documented interface allows 500, but the service may refuse more than 100. */
const MOST_PRODUCTS = 100;
const FURTHEST = 100_000;

const uid = z
  .string('must be the uid of an attribute value')
  .min(1, 'must be the uid of an attribute value')
  .max(UID_LENGTH, `must be ${UID_LENGTH} characters at most`);
const LIMIT_RULE = `must be a whole number from 1 to ${MOST_PRODUCTS}`;
const OFFSET_RULE = `must be a whole number from 0 to ${FURTHEST}: what "next" of the page before says`;

const searchSchema = z.strictObject({
  attributeFilters: z
    .record(
      z.string().min(1, 'must be the uid of an attribute').max(UID_LENGTH, 'must be the uid of an attribute'),
      z.array(uid, 'must be a list of value uids').max(MOST_VALUES, `must be ${MOST_VALUES} values at most`),
      'must be an object of attribute uids, each with a list of value uids',
    )
    .refine(
      (filters) => Object.keys(filters).length <= MOST_ATTRIBUTES,
      `must be ${MOST_ATTRIBUTES} attributes at most`,
    )
    .default({}),
  limit: z.int(LIMIT_RULE).min(1, LIMIT_RULE).max(MOST_PRODUCTS, LIMIT_RULE).default(50),
  offset: z.int(OFFSET_RULE).min(0, OFFSET_RULE).max(FURTHEST, OFFSET_RULE).default(0),
});
type Search = z.output<typeof searchSchema>;

/** A page of a catalog search. */
export interface FoundProducts {
  products: Pick<CatalogProduct, 'productUid' | 'attributes' | 'weight' | 'dimensions' | 'supportedCountries'>[];
  /** Of all that match and not of this page alone. */
  facets: Facet[];
  /** The `offset` of the next page; null: this is the last, or the last that can be asked for. */
  next: number | null;
}

/** A search as a person or a program gives it. Throws InvalidInputError that names the field and what it may be. */
export function parseSearch(input: Record<string, unknown>): Search {
  const search = parseInput(searchSchema, input);
  return { ...search, attributeFilters: toOneWay(search.attributeFilters) };
}

/**
 * One page of the products of a catalog that have, of every attribute filtered by, one of the values given, with the counts of all that
 * match (docs/rules/print-interface.md#search-catalog-products). Titles of attributes and values are beyond the page: null where
 * they cannot be had. Throws as `openService` and `askOnce`.
 */
export async function searchCatalog(app: App, shop: Shop, catalogUid: string, search: Search): Promise<FoundProducts> {
  const opened = await openService(app, shop);
  const { accountId, service } = opened;
  const [page, catalog] = await Promise.all([
    askOnce<CatalogProductPage>(app, {
      accountId,
      call: ['search', catalogUid, search],
      what: `the catalog ${catalogUid}`,
      ask: () => service.searchCatalogProducts(catalogUid, search),
    }),
    // It only names what was found: a search does not fail for want of it.
    service.extended === 'unsupported' ? null : askCatalog(app, opened, catalogUid).catch(() => null),
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
    next: toNext(search, products.length),
  };
}

/** The `offset` of the page after one with so many products; null: that is the last, or the next is further than can be asked for. */
export function toNext({ offset, limit }: Pick<Search, 'offset' | 'limit'>, found: number): number | null {
  const next = offset + limit;
  return found < limit || next > FURTHEST ? null : next;
}

/** The same filters in the same order, each value once, so that equal searches are one. A filter without values filters nothing. */
function toOneWay(filters: AttributeFilters): AttributeFilters {
  return Object.fromEntries(
    Object.entries(filters)
      .filter(([, values]) => values.length > 0)
      .map(([attribute, values]): [string, string[]] => [attribute, [...new Set(values)].toSorted()])
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}
