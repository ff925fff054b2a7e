import { z } from 'zod';
import type {
  countVariantsInStore,
  listVariantsInStore,
} from '../../../products/variant-sync/list-variants-in-store.ts';
import type { planLocation } from '../../../products/location/plan-location.ts';
import { productRequestSchema } from '../../../products/new-products/fill-template.ts';
import type { ShownNewProduct } from '../../../products/new-products/list-new-products.ts';
import type { listStock } from '../../../products/stock/list-stock.ts';
import type { listStoreProducts } from '../../../products/store-products/list-store-products.ts';
import type { listVariants } from '../../../products/store-products/list-variants.ts';
import type { TitledVariant } from '../../../products/store-products/read-titles.ts';
import { statusSchema } from '../../api/store-products.ts';
import { jsonResponse, describeRoute, jsonBody } from '../route.ts';
import { after, count, next, codedReason, text, time } from './shared.ts';

const storeProductVariant = z
  .strictObject({
    variantId: z.string().nullable(),
    title: z.string().nullable(),
    status: z.string(),
    reason: codedReason.nullable(),
  })
  .meta({ id: 'StoreProductVariant' });

const storeProduct = z
  .strictObject({
    storeId: z.string(),
    storeProductId: z.string(),
    productId: z.string().nullable(),
    adminUrl: z.string().nullable(),
    title: z.string().nullable(),
    status: z.string(),
    publishingErrorCode: z.string().nullable(),
    problem: z
      .strictObject({
        code: z.enum([
          'deleted_at_service',
          'deleted_in_store',
          'publishing_error',
          'publishing_stuck',
          'not_connected',
        ]),
        message: text,
        remedy: text,
      })
      .nullable(),
    variants: z.array(storeProductVariant),
    counts: z.strictObject({ connected: count, notConnected: count, ignored: count, deletedInStore: count }),
  })
  .meta({ id: 'StoreProduct' });

const newProduct = z
  .strictObject({
    id: z.string(),
    templateId: z.string(),
    storeId: z.string(),
    title: z.string(),
    state: z.enum(['waiting', 'sending', 'publishing', 'published', 'failed']),
    storeProductId: z.string().nullable(),
    productId: z.string().nullable(),
    problem: z.strictObject({ code: z.string(), field: z.string().nullable(), message: text }).nullable(),
    askedBy: z.enum(['cli', 'merchant']),
    askedAt: time,
    finishedAt: time.nullable(),
  })
  .meta({ id: 'NewProduct' });

const stock = z.strictObject({
  products: z.array(
    z.strictObject({
      productUid: z.string(),
      printLinks: count,
      regions: z.array(
        z.strictObject({
          stockRegionUid: z.string(),
          status: z.string(),
          replenishmentDate: z.string().nullable(),
          changedAt: time,
        }),
      ),
      readAt: time.nullable(),
    }),
  ),
  next,
});

const inStore = { stocked: count, hidden: count, due: count, problems: count };
const inStorePage = z.strictObject({
  ...inStore,
  variants: z.array(
    z.strictObject({
      variantId: z.string(),
      title: z.string().nullable(),
      stockedAt: time.nullable(),
      hiddenAt: time.nullable(),
      problem: codedReason.nullable(),
      stockNote: codedReason.nullable(),
    }),
  ),
  next,
});

const planned = z.strictObject({ variantId: z.string(), sku: z.string().nullable(), title: z.string() });
const plan = z.strictObject({
  toStock: z.array(planned),
  toUnstock: z.array(planned),
  withoutRates: z.array(planned.extend({ profile: z.string() })),
  unchanged: count,
  profilesWithoutRates: z.array(z.strictObject({ id: z.string(), name: z.string() })),
  ratesRead: z.boolean(),
  next,
});

export const productsRoutes = [
  describeRoute('GET /api/store-products', {
    query: z.object({ status: statusSchema, after }),
    answers: {
      200: jsonResponse<typeof listStoreProducts>()(z.strictObject({ storeProducts: z.array(storeProduct), next })),
    },
    errors: [400],
  }),
  describeRoute('POST /api/store-products', {
    body: jsonBody(productRequestSchema),
    answers: { 202: jsonResponse<ShownNewProduct>()(newProduct) },
    errors: [400, 404, 409],
  }),
  describeRoute('GET /api/store-products/new', {
    answers: {
      200: jsonResponse<{ newProducts: ShownNewProduct[] }>()(z.strictObject({ newProducts: z.array(newProduct) })),
    },
  }),
  describeRoute('GET /api/store-products/:storeProductId/variants', {
    params: z.object({ storeProductId: z.string() }),
    query: z.object({ after }),
    answers: {
      200: jsonResponse<typeof listVariants>()(z.strictObject({ variants: z.array(storeProductVariant), next })),
    },
    errors: [400, 404],
  }),
  describeRoute('GET /api/variant-titles', {
    query: z.object({ ids: z.string().meta({ description: 'Up to 100 IDs, as digits, separated by commas.' }) }),
    answers: {
      200: jsonResponse<{ variants: TitledVariant[] }>()(
        z.strictObject({ variants: z.array(z.strictObject({ variantId: z.string(), title: z.string() })) }),
      ),
    },
    errors: [400],
  }),
  describeRoute('GET /api/stock', {
    query: z.object({ out: z.boolean().optional(), after }),
    answers: { 200: jsonResponse<typeof listStock>()(stock) },
    errors: [400],
  }),
  describeRoute('GET /api/location', {
    query: z.object({ problems: z.boolean().optional(), after }),
    answers: { 200: jsonResponse<typeof listVariantsInStore>()(inStorePage) },
    errors: [400],
  }),
  describeRoute('POST /api/location', {
    answers: { 202: jsonResponse<typeof countVariantsInStore>()(z.strictObject(inStore)) },
    errors: [409],
  }),
  describeRoute('GET /api/location/plan', {
    query: z.object({ after }),
    answers: { 200: jsonResponse<typeof planLocation>()(plan) },
    errors: [400, 409],
  }),
];
