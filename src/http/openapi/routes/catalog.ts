import { z } from 'zod';
import type { readCatalogProduct } from '../../../products/catalog/read-catalog-product.ts';
import type { listCatalogs, readCatalog } from '../../../products/catalog/read-catalogs.ts';
import { searchSchema, type searchCatalog } from '../../../products/catalog/search-catalog.ts';
import type { listTemplates, ShownTemplate } from '../../../products/templates/list-templates.ts';
import { jsonResponse, describeRoute, type ResultOf } from '../route.ts';
import { productPricesRequestSchema } from '../../../print/current/catalog-v3.ts';
import { after, count, next, time } from './shared.ts';

const text = z.string().nullable();
const catalogUid = z.object({ catalogUid: z.string() });
const measure = z.looseObject({ value: z.number().nullable(), measureUnit: text }).meta({ id: 'Measure' });

const catalog = z.strictObject({
  catalogUid: z.string(),
  title: text,
  attributes: z.array(
    z.strictObject({
      attributeUid: z.string(),
      title: text,
      values: z.array(z.strictObject({ valueUid: z.string(), title: text })),
    }),
  ),
});

const found = z.strictObject({
  products: z.array(
    z.strictObject({
      productUid: z.string(),
      attributes: z.record(z.string(), text),
      weight: measure.nullable(),
      dimensions: z.record(z.string(), measure),
      supportedCountries: z.array(z.string()).nullable(),
    }),
  ),
  facets: z.array(
    z.strictObject({
      attributeUid: z.string(),
      title: text,
      values: z.array(z.strictObject({ valueUid: z.string(), title: text, count })),
    }),
  ),
  next: count.nullable(),
});

const product = z.strictObject({
  productUid: z.string(),
  prices: z.array(
    z.strictObject({
      quantity: z.number().nullable(),
      price: text,
      currency: text,
      country: text,
      pageCount: z.number().nullable(),
    }),
  ),
  stock: z.array(z.strictObject({ stockRegionUid: z.string(), status: text, replenishmentDate: text })),
});

const template = z
  .strictObject({
    templateId: z.string(),
    title: text,
    description: text,
    previewUrl: text,
    variants: z.array(
      z.strictObject({
        templateVariantId: z.string(),
        title: text,
        productUid: text,
        options: z.array(z.strictObject({ name: z.string(), value: z.string() })),
        imagePlaceholders: z.array(
          z.strictObject({
            name: z.string(),
            printArea: text,
            height: z.number().nullable(),
            width: z.number().nullable(),
          }),
        ),
        textPlaceholders: z.array(z.strictObject({ name: z.string(), text })),
      }),
    ),
    knownAt: time,
  })
  .meta({ id: 'Template' });

export const catalogRoutes = [
  describeRoute('GET /api/catalog', {
    answers: {
      200: jsonResponse<{ catalogs: ResultOf<typeof listCatalogs> }>()(
        z.strictObject({ catalogs: z.array(z.strictObject({ catalogUid: z.string(), title: text })) }),
      ),
    },
    errors: [409],
  }),
  describeRoute('GET /api/catalog/:catalogUid', {
    params: catalogUid,
    answers: { 200: jsonResponse<typeof readCatalog>()(catalog) },
    errors: [400, 404, 409],
  }),
  describeRoute('POST /api/catalog/:catalogUid/products', {
    params: catalogUid,
    body: { type: 'application/json', schema: searchSchema, isRequired: true },
    answers: { 200: jsonResponse<typeof searchCatalog>()(found) },
    errors: [400, 404, 409],
  }),
  describeRoute('GET /api/catalog/products/:productUid', {
    params: z.object({ productUid: z.string() }),
    query: productPricesRequestSchema,
    answers: { 200: jsonResponse<typeof readCatalogProduct>()(product) },
    errors: [400, 404, 409],
  }),
  describeRoute('GET /api/templates', {
    query: z.object({ after }),
    answers: {
      200: jsonResponse<typeof listTemplates>()(z.strictObject({ templates: z.array(template), next })),
    },
    errors: [400, 409],
  }),
  describeRoute('GET /api/templates/:templateId', {
    params: z.object({ templateId: z.string() }),
    answers: { 200: jsonResponse<ShownTemplate>()(template) },
    errors: [400, 404, 409],
  }),
];
