import { z } from 'zod';
import { PrintServiceError } from '../errors.ts';
import { stringUpTo, listOf } from '../lengths.ts';
import { identifier, list, text } from './objects.ts';
import { required } from './request-objects.ts';
import { parseAs, type Send } from '../http/send.ts';
import { toPathSegment } from '../http/to-path-segment.ts';
import { storeProductFields, storeProductTemplateFields, storeProductVariantFields } from './store-product-objects.ts';

/**
 * The service's record of a shop's product (docs/rules/print-interface.md#store-product). Fields that the page does not list are preserved.
 */
export const storeProductSchema = z.looseObject({
  ...storeProductFields,
  id: identifier,
  variants: list(z.looseObject({ ...storeProductVariantFields, productId: text })),
});
export type StoreProduct = z.output<typeof storeProductSchema>;

/** An account's template, in the format that its events use (docs/rules/print-interface.md#store-product-template). */
const templateSchema = z.looseObject({ ...storeProductTemplateFields, id: identifier });
export type Template = z.output<typeof templateSchema>;

/** One page of a store's products. */
const storeProductsSchema = z.looseObject({ products: z.array(storeProductSchema) });

const MAX_TAGS = 13;
const TAG_LENGTH = 255;

/** An image in a print file, cropped (`slice`, the default) or scaled down (`meet`) to fit its placeholder. */
const imagePlaceholderSchema = z.strictObject({
  name: required,
  fileUrl: z.url({ protocol: /^https?$/ }),
  fitMethod: z.enum(['slice', 'meet']).optional(),
});

const templateVariantSchema = z.strictObject({
  templateVariantId: required,
  position: z.int().min(0).optional(),
  imagePlaceholders: z.array(imagePlaceholderSchema).optional(),
  textPlaceholders: z.array(z.strictObject({ name: required, text: z.string() })).optional(),
});

/**
 * `POST /v1/stores/{storeId}/products:create-from-template`. Extended call. If `variants` is omitted, the service creates the template's
 * variants. The product is hidden in the shop unless `isVisibleInTheOnlineStore` is true. The channel `global` includes the point of sale.
 */
export const createStoreProductRequestSchema = z.strictObject({
  templateId: required,
  title: required,
  description: z.string().optional(),
  isVisibleInTheOnlineStore: z.boolean().optional(),
  salesChannels: z.array(z.enum(['web', 'global'])).optional(),
  tags: listOf(stringUpTo(TAG_LENGTH), 0, MAX_TAGS).optional(),
  productType: z.string().optional(),
  vendor: z.string().optional(),
  variants: z.array(templateVariantSchema).optional(),
});
export type CreateStoreProductRequest = z.output<typeof createStoreProductRequestSchema>;

const PAGE_SIZE = 100;
const MAX_PAGES = 200;

/** Reads one product of a store (docs/rules/print-interface.md#get-store-product). */
export async function getStoreProduct(send: Send, storeId: string, productId: string): Promise<StoreProduct> {
  const operation = 'getStoreProduct';
  return send({
    operation,
    kind: 'read',
    host: 'ecommerce',
    method: 'GET',
    path: `${productsPath(operation, storeId)}/${toPathSegment(operation, productId)}`,
    read: parseAs(storeProductSchema),
  });
}

/** A page of a store's products. `next` is the offset of the next page, or null on the last page. */
export interface StoreProductPage {
  products: StoreProduct[];
  next: number | null;
}

/**
 * Reads at most 100 products of a store, starting at an offset. A short page is the last page. Extended call. Throws a PrintServiceError.
 */
export async function readStoreProductPage(send: Send, storeId: string, offset: number): Promise<StoreProductPage> {
  const operation = 'listStoreProducts';
  const { products } = await send({
    operation,
    kind: 'read',
    host: 'ecommerce',
    method: 'GET',
    path: `${productsPath(operation, storeId)}?limit=${PAGE_SIZE}&offset=${offset}`,
    read: parseAs(storeProductsSchema),
  });
  return { products, next: products.length < PAGE_SIZE ? null : offset + PAGE_SIZE };
}

/**
 * Reads each product of a store once, in pages of 100 until a short page. Extended call. The order is not guaranteed, so a product that
 * moves between pages may be missed. Callers that need all products list them again. Throws a PrintServiceError, including when there are
 * more than 20,000 products, so that no result is silently incomplete.
 */
export async function* listStoreProducts(send: Send, storeId: string): AsyncGenerator<StoreProduct, void> {
  const operation = 'listStoreProducts';
  const seen = new Set<string>();
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { products, next } = await readStoreProductPage(send, storeId, page * PAGE_SIZE);
    for (const product of products) {
      if (!seen.has(product.id)) yield product;
      seen.add(product.id);
    }
    if (next === null) return;
  }
  const reason = `more than ${MAX_PAGES * PAGE_SIZE} products`;
  throw new PrintServiceError({ operation, outcome: 'unavailable', reason, retryable: false });
}

/** Reads one of the account's templates. The address of its preview expires within a day. Extended call. Templates cannot be listed. */
export async function getTemplate(send: Send, templateId: string): Promise<Template> {
  const operation = 'getTemplate';
  return send({
    operation,
    kind: 'read',
    host: 'ecommerce',
    method: 'GET',
    path: `/v1/templates/${toPathSegment(operation, templateId)}`,
    read: parseAs(templateSchema, ({ id }) => id === templateId),
  });
}

/**
 * Creates a product from a template in a store. The service then publishes the product. The response's status is `created`, and an event
 * reports the product's ID in the shop. Extended call, sent once, because a second request would create a second product. Throws a
 * PrintServiceError.
 */
export async function createStoreProductFromTemplate(
  send: Send,
  storeId: string,
  request: CreateStoreProductRequest,
): Promise<StoreProduct> {
  const operation = 'createStoreProductFromTemplate';
  return send({
    operation,
    kind: 'create',
    host: 'ecommerce',
    method: 'POST',
    path: `${productsPath(operation, storeId)}:create-from-template`,
    body: { schema: createStoreProductRequestSchema, value: request },
    read: parseAs(storeProductSchema),
  });
}

function productsPath(operation: string, storeId: string): string {
  return `/v1/stores/${toPathSegment(operation, storeId)}/products`;
}
