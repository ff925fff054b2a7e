import {
  createStoreProductRequestSchema,
  type CreateStoreProductRequest,
} from '../../../src/print/current/store-products.ts';
import { Refusal, type RefusalDetail } from '../../refusal.ts';
import { parseRequest } from '../parse-request.ts';
import type { StandIn } from '../stand-in.ts';
import { saveStoreProduct } from './save-store-product.ts';
import { signPreviewUrl } from './sign-preview-url.ts';
import { findTemplate, toStoreTimestamp, type Store, type StoreProduct, type Template } from './store-records.ts';

/**
 * Serves `POST /v1/stores/{storeId}/products:create-from-template`: returns the product immediately and publishes it later. Throws a
 * `Refusal`: 404 for an unknown template, 400 for a variant or placeholder that the template does not have.
 */
export function createFromTemplate(standIn: StandIn, store: Store, body: unknown) {
  const request = parseRequest(createStoreProductRequestSchema, body);
  const { template } = findTemplate(standIn, store.account, request.templateId);
  const details = findUnknown(template, request);
  if (details[0]) throw new Refusal(400, 'invalid_request', details[0].message, details);

  const movedMs = standIn.clock.now().getTime();
  const product = toProduct(standIn, store, template, request, toStoreTimestamp(movedMs));
  const fileUrls = (request.variants ?? []).flatMap(({ imagePlaceholders = [] }) =>
    imagePlaceholders.map(({ fileUrl }) => fileUrl),
  );
  saveStoreProduct(standIn, { product, movedMs, fileUrls }, 'created');
  return toAnswer(standIn, product, request);
}

/** Finds the variants and placeholders of a request that its template does not contain. */
function findUnknown(template: Template, request: CreateStoreProductRequest): RefusalDetail[] {
  return (request.variants ?? []).flatMap((variant, index) => {
    const reference = `variants[${index}]`;
    const known = template.variants.find(({ id }) => id === variant.templateVariantId);
    if (!known) return [toDetail(`${reference}.templateVariantId`)];
    return (['imagePlaceholders', 'textPlaceholders'] as const).flatMap((list) =>
      (variant[list] ?? []).flatMap(({ name }, place) =>
        known[list].some((placeholder) => placeholder.name === name)
          ? []
          : [toDetail(`${reference}.${list}[${place}].name`)],
      ),
    );
  });
}

function toDetail(reference: string): RefusalDetail {
  return { message: `${reference}: not in the template.`, reference, code: 'not_in_template' };
}

function toProduct(
  { ids }: StandIn,
  store: Store,
  template: Template,
  request: CreateStoreProductRequest,
  createdAt: string,
): StoreProduct {
  const id = ids.nextUuid();
  return {
    id,
    storeId: store.id,
    externalId: null,
    title: request.title,
    description: request.description ?? template.description,
    externalPreviewUrl: null,
    externalThumbnailUrl: null,
    publishingErrorCode: null,
    status: 'created',
    publishedAt: null,
    createdAt,
    updatedAt: createdAt,
    // The product gets all variants of the template, even those that the request omits.
    variants: template.variants.map(({ title }) => ({
      id: ids.nextUuid(),
      productId: id,
      title,
      externalId: null,
      connectionStatus: 'not_connected',
    })),
    productVariantOptions: toOptions(template),
  };
}

function toOptions({ variants }: Template): StoreProduct['productVariantOptions'] {
  const options = variants.flatMap(({ variantOptions }) => variantOptions);
  return Object.entries(Object.groupBy(options, ({ name }) => name)).map(([name, chosen = []]) => ({
    name,
    values: [...new Set(chosen.map(({ value }) => value))],
  }));
}

/** Builds the response, which has no variants yet but includes the texts for the shop's product page. */
function toAnswer(
  { clock }: StandIn,
  product: StoreProduct,
  { tags = [], productType, vendor }: CreateStoreProductRequest,
) {
  const { id, storeId, externalId, title, description, status, publishedAt, createdAt, updatedAt } = product;
  return {
    id,
    storeId,
    externalId,
    title,
    description,
    previewUrl: signPreviewUrl(clock, id),
    status,
    tags,
    productType: productType ?? null,
    vendor: vendor ?? null,
    publishedAt,
    createdAt,
    updatedAt,
  };
}
