import { z } from 'zod';
import { amount, count, identifier, list, number, text } from './objects.ts';

// The objects in the catalog's responses, parsed as leniently as those in objects.ts. Only the UIDs are required.

/** A size or weight (docs/rules/print-interface.md#measure). `measureUnit` is its unit, such as `grams` or `mm`. */
const measureSchema = z.looseObject({ value: number, measureUnit: text });

/** A catalog as it appears in the catalog list. */
export const catalogSummarySchema = z.looseObject({ catalogUid: identifier, title: text });
export type CatalogSummary = z.output<typeof catalogSummarySchema>;

/** A possible value of an attribute. Searches filter by the value's UID, and products contain it. */
const attributeValueSchema = z.looseObject({ productAttributeValueUid: identifier, title: text });

/** A catalog with the attributes of its products. */
export const catalogSchema = catalogSummarySchema.extend({
  productAttributes: list(
    z.looseObject({ productAttributeUid: identifier, title: text, values: list(attributeValueSchema) }),
  ),
});
export type Catalog = z.output<typeof catalogSchema>;

/**
 * A product in a catalog (docs/rules/print-interface.md#catalog-product). `attributes` maps attribute UIDs to value UIDs, and `dimensions`
 * maps names such as `Width` to sizes. `supportedCountries` (alpha-2) is null if the service does not list the countries. In that case,
 * only a quote shows whether the service delivers the product to a country.
 */
const catalogProductSchema = z.looseObject({
  productUid: identifier,
  attributes: z.record(z.string(), text).catch({}),
  weight: measureSchema.nullable().catch(null),
  dimensions: z.record(z.string(), measureSchema).catch({}),
  supportedCountries: z.array(z.string()).nullable().catch(null),
});
export type CatalogProduct = z.output<typeof catalogProductSchema>;

/** The number of matching products for each value of each attribute (docs/rules/print-interface.md#search-catalog-products). */
const attributeHitsSchema = z.record(z.string(), z.record(z.string(), number).catch({})).catch({});

/** One page of a catalog search, in no guaranteed order. `hits` counts all matches, not only the matches on this page. */
export const catalogProductPageSchema = z.looseObject({
  products: z.array(catalogProductSchema),
  hits: z.looseObject({ attributeHits: attributeHitsSchema }).catch({ attributeHits: {} }),
});
export type CatalogProductPage = z.output<typeof catalogProductPageSchema>;

/**
 * The price of a quantity of a product in a country, without shipping. `price` applies to the entire quantity. `pageCount` is null for a
 * product without pages.
 */
export const productPriceSchema = z.looseObject({
  productUid: text,
  country: text,
  quantity: count,
  price: amount,
  currency: text,
  pageCount: count,
});
export type ProductPrice = z.output<typeof productPriceSchema>;

/**
 * The availability of a product in each stock region (docs/rules/print-interface.md#stock-status). Other statuses are `non-stockable` and
 * `not-supported`. `replenishmentDate` is YYYY-MM-DD without a time zone.
 */
export const productStockSchema = z.looseObject({
  productUid: identifier,
  availability: list(z.looseObject({ stockRegionUid: identifier, status: text, replenishmentDate: text })),
});
export type ProductStock = z.output<typeof productStockSchema>;
