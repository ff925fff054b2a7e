import { z } from 'zod';
import {
  catalogProductPageSchema,
  catalogSchema,
  catalogSummarySchema,
  productPriceSchema,
  productStockSchema,
  type Catalog,
  type CatalogProduct,
  type CatalogProductPage,
  type CatalogSummary,
  type ProductPrice,
  type ProductStock,
} from './catalog-objects.ts';
import { PrintServiceError } from '../errors.ts';
import { listOf } from '../lengths.ts';
import { list } from './objects.ts';
import { currencySchema, required, shippingAddressSchema } from './request-objects.ts';
import { parseAs, type Send } from '../http/send.ts';
import { toPathSegment } from '../http/to-path-segment.ts';
import { toInvalidRequestError } from '../http/to-print-error.ts';

/** `POST /v3/catalogs/{catalogUid}/products:search` (docs/rules/print-interface.md#search-catalog-products). The limit is at most 500. */
export const searchCatalogProductsRequestSchema = z.strictObject({
  attributeFilters: z.record(required, z.array(required)).optional(),
  limit: z.int().min(1).max(500).optional(),
  offset: z.int().min(0).optional(),
});
/** A product matches if, for every named attribute, it has one of the listed values. */
export type AttributeFilters = Record<string, string[]>;
export type SearchCatalogProductsRequest = z.output<typeof searchCatalogProductsRequestSchema>;

/** The query of `GET /v3/products/{productUid}/prices`. A product with pages requires `pageCount`. */
export const productPricesRequestSchema = z.strictObject({
  country: shippingAddressSchema.shape.country.optional(),
  currency: currencySchema.optional(),
  pageCount: z.int().min(1).optional(),
});
export type ProductPricesRequest = z.output<typeof productPricesRequestSchema>;

/** `POST /v3/stock/region-availability`, with at most 250 products. */
export const stockAvailabilityRequestSchema = z.strictObject({ products: listOf(required, 1, 250) });

/**
 * The total number of catalogs. A response without pages is complete, so its total is 0. If a response has pages but no total, the total is
 * Infinity, and `listCatalogs` reads until a page contains no new catalog.
 */
const totalSchema = z
  .looseObject({ total: z.number().default(Infinity).catch(Infinity) })
  .transform(({ total }) => total)
  .catch(0);
const catalogListSchema = z.union([
  z.array(catalogSummarySchema).transform((data) => ({ data, pagination: 0 })),
  z.object({ data: z.array(catalogSummarySchema), pagination: totalSchema }),
]);
/** Accepts both spellings of the list: `productsAvailability` as in the response, and `productAvailability` as in the stock event. */
const stockResponseSchema = z
  .looseObject({ productsAvailability: list(productStockSchema), productAvailability: list(productStockSchema) })
  .refine(
    ({ productsAvailability, productAvailability }) => productsAvailability.length + productAvailability.length > 0,
  )
  .transform(({ productsAvailability, productAvailability }) =>
    productsAvailability.length > 0 ? productsAvailability : productAvailability,
  );

// The interface allows 500 (docs/rules/print-interface.md#search-catalog-products), but the service may reject more than 100.
const PAGE_SIZE = 100;
const MAX_PAGES = 500;
const MAX_CATALOG_PAGES = 50;

/**
 * Lists each catalog once. Extended call. The service returns either a plain list or pages. Reading ends at a page without new catalogs.
 */
export async function listCatalogs(send: Send): Promise<CatalogSummary[]> {
  const catalogs = new Map<string, CatalogSummary>();
  let offset = 0;
  for (let page = 0; page < MAX_CATALOG_PAGES; page += 1) {
    const { data, pagination: total } = await send({
      operation: 'listCatalogs',
      kind: 'read',
      host: 'product',
      method: 'GET',
      path: offset === 0 ? '/v3/catalogs' : `/v3/catalogs?offset=${offset}`,
      read: parseAs(catalogListSchema),
    });
    const known = catalogs.size;
    for (const catalog of data) catalogs.set(catalog.catalogUid, catalog);
    offset += data.length;
    if (offset >= total || catalogs.size === known) return [...catalogs.values()];
  }
  throw tooManyError('listCatalogs', `more than ${MAX_CATALOG_PAGES} pages`);
}

/** Reads a catalog with the attributes of its products and their values. Extended call. */
export async function getCatalog(send: Send, catalogUid: string): Promise<Catalog> {
  return send({
    operation: 'getCatalog',
    kind: 'read',
    host: 'product',
    method: 'GET',
    path: `/v3/catalogs/${toPathSegment('getCatalog', catalogUid)}`,
    read: parseAs(catalogSchema),
  });
}

/** Reads one page of matching products (docs/rules/print-interface.md#search-catalog-products), with the counts of all matches. */
export async function searchCatalogProducts(
  send: Send,
  catalogUid: string,
  request: SearchCatalogProductsRequest = {},
): Promise<CatalogProductPage> {
  return send({
    operation: 'searchCatalogProducts',
    kind: 'read',
    host: 'product',
    method: 'POST',
    path: `/v3/catalogs/${toPathSegment('searchCatalogProducts', catalogUid)}/products:search`,
    body: { schema: searchCatalogProductsRequestSchema, value: request },
    read: parseAs(catalogProductPageSchema),
  });
}

/**
 * Reads all matching products in pages of 100, and yields each product once. The first page with fewer products is the last. Throws a
 * PrintServiceError, including when there are more than 50,000 products, so that no result is silently incomplete.
 */
export async function* readCatalogProducts(
  send: Send,
  catalogUid: string,
  attributeFilters: AttributeFilters = {},
): AsyncGenerator<CatalogProduct, void> {
  const seen = new Set<string>();
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const request = { attributeFilters, limit: PAGE_SIZE, offset: page * PAGE_SIZE };
    const { products } = await searchCatalogProducts(send, catalogUid, request);
    for (const product of products) {
      if (!seen.has(product.productUid)) yield product;
      seen.add(product.productUid);
    }
    if (products.length < PAGE_SIZE) return;
  }
  throw tooManyError('readCatalogProducts', `more than ${MAX_PAGES * PAGE_SIZE} products: narrow the filters`);
}

/**
 * Reads the price for each quantity of a product, in no guaranteed order. If the country or currency is omitted, the service chooses it.
 * Extended call.
 */
export async function getProductPrices(
  send: Send,
  productUid: string,
  request: ProductPricesRequest = {},
): Promise<ProductPrice[]> {
  const operation = 'getProductPrices';
  const { success, data, error } = productPricesRequestSchema.safeParse(request);
  if (!success) throw toInvalidRequestError(operation, error);
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(data)) if (value !== undefined) query.set(name, String(value));
  const path = `/v3/products/${toPathSegment(operation, productUid)}/prices`;
  return send({
    operation,
    kind: 'read',
    host: 'product',
    method: 'GET',
    path: query.size === 0 ? path : `${path}?${query.toString()}`,
    read: parseAs(z.array(productPriceSchema)),
  });
}

/** Reads the stock of at most 250 products in each region. Unknown products are `not-supported` everywhere. Extended call. */
export async function getStockAvailability(send: Send, productUids: readonly string[]): Promise<ProductStock[]> {
  return send({
    operation: 'getStockAvailability',
    kind: 'read',
    host: 'product',
    method: 'POST',
    path: '/v3/stock/region-availability',
    body: { schema: stockAvailabilityRequestSchema, value: { products: productUids } },
    read: parseAs(stockResponseSchema),
  });
}

function tooManyError(operation: string, reason: string): PrintServiceError {
  return new PrintServiceError({ operation, outcome: 'unavailable', reason, retryable: false });
}
