import { z } from 'zod';
import { identifier, list, number, text } from './objects.ts';

// The objects of the catalog's answers, read as loosely as those of orders (objects.ts): only the uids are required.

/** An amount as the service gives it: never to be summed as a float. */
const amount = z.union([z.number(), z.string()]).nullable().catch(null);

/** A size or weight (interface page, MeasureUnit): `measureUnit` says in what, such as `grams` or `mm`. */
const measureSchema = z.looseObject({ value: number, measureUnit: text });

/** A catalog as the list of catalogs names it. */
export const catalogSummarySchema = z.looseObject({ catalogUid: identifier, title: text });
export type CatalogSummary = z.output<typeof catalogSummarySchema>;

/** A value that an attribute can have; its uid is what a search filters by and what a product carries. */
const attributeValueSchema = z.looseObject({ productAttributeValueUid: identifier, title: text });

/** A catalog with the attributes of its products. */
export const catalogSchema = catalogSummarySchema.extend({
  productAttributes: list(
    z.looseObject({ productAttributeUid: identifier, title: text, values: list(attributeValueSchema) }),
  ),
});
export type Catalog = z.output<typeof catalogSchema>;

/**
 * A product of a catalog (interface page, Catalog product). `attributes` maps attribute uids to value uids, `dimensions` names such as
 * `Width` to sizes. `supportedCountries` (alpha-2) is null when the service does not tell: then a quote has to.
 */
const catalogProductSchema = z.looseObject({
  productUid: identifier,
  attributes: z.record(z.string(), text).catch({}),
  weight: measureSchema.nullable().catch(null),
  dimensions: z.record(z.string(), measureSchema).catch({}),
  supportedCountries: z.array(z.string()).nullable().catch(null),
});
export type CatalogProduct = z.output<typeof catalogProductSchema>;

/** How many of the products that match have each value of each attribute (interface page, Search catalog products). */
const attributeHitsSchema = z.record(z.string(), z.record(z.string(), number).catch({})).catch({});

/** One page of a catalog search, in no promised order; `hits` counts all that match and not this page alone. */
export const catalogProductPageSchema = z.looseObject({
  products: z.array(catalogProductSchema),
  hits: z.looseObject({ attributeHits: attributeHitsSchema }).catch({ attributeHits: {} }),
});
export type CatalogProductPage = z.output<typeof catalogProductPageSchema>;

/**
 * What a quantity of a product costs for a country, without shipping: `price` is for the whole quantity. `pageCount` is null for a
 * product without pages.
 */
export const productPriceSchema = z.looseObject({
  productUid: text,
  country: text,
  quantity: number,
  price: amount,
  currency: text,
  pageCount: number,
});
export type ProductPrice = z.output<typeof productPriceSchema>;

/**
 * Whether a product can be had in each stock region (interface page, Stock availability status; beyond it also `non-stockable` and
 * `not-supported`). `replenishmentDate` is YYYY-MM-DD, of no time zone.
 */
export const productStockSchema = z.looseObject({
  productUid: identifier,
  availability: list(z.looseObject({ stockRegionUid: identifier, status: text, replenishmentDate: text })),
});
export type ProductStock = z.output<typeof productStockSchema>;
