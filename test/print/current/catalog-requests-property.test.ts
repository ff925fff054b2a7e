import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  searchCatalogProductsRequestSchema,
  stockAvailabilityRequestSchema,
} from '../../../src/print/current/catalog-v3.ts';
import { createStoreProductRequestSchema } from '../../../src/print/current/store-products.ts';
import { SEEDED_STORE_ID } from '../../../sandbox/print/store-products/seed-stores.ts';
import { MUG, POSTER } from '../../sandbox/print/service.ts';
import { breaks, noText, type BrokenLimit } from '../broken-limits.ts';
import { expectRefused, expectAccepted, type LimitedCall } from '../expect-same-limits.ts';
import { openService } from '../open-service.ts';
import { over, text, url, type Body } from '../request-arbitraries.ts';

const service = openService();

const attributeFilters = fc.dictionary(text(1, 40), fc.array(text(1, 40), { maxLength: 4 }), { maxKeys: 4 });
const search: LimitedCall = {
  path: '/v3/catalogs/posters/products:search',
  schema: searchCatalogProductsRequestSchema,
  allowed: fc.record<Body>(
    {
      attributeFilters,
      limit: fc.oneof(fc.integer({ min: 1, max: 500 }), fc.constantFrom(1, 500)),
      offset: fc.oneof(fc.nat(100), fc.constantFrom(0, Number.MAX_SAFE_INTEGER)),
    },
    { requiredKeys: [] },
  ),
};
const searchLimits: BrokenLimit[] = [
  breaks('limit', 'must be at most 500', fc.constantFrom<unknown>(501, 10_000, 1.5, '50', null)),
  breaks('offset', 'must be at least 0', fc.constantFrom<unknown>(-1, 0.5, '0', null)),
  breaks('attributeFilters', 'must be an object', fc.constantFrom<unknown>('a', 1, null, [])),
  {
    field: 'attributeFilters.Size',
    rule: 'must be a list',
    change: fc.constantFrom<unknown>('A4', 1, null, {}).map((Size) => ({ attributeFilters: { Size } })),
  },
];

const productUid = fc.oneof(fc.constantFrom(POSTER, MUG), text(1, 80));
const stock: LimitedCall = {
  path: '/v3/stock/region-availability',
  schema: stockAvailabilityRequestSchema,
  allowed: fc
    .oneof(
      fc.array(productUid, { minLength: 1, maxLength: 10 }),
      fc.array(productUid, { minLength: 250, maxLength: 250 }),
    )
    .map((products) => ({ products })),
};
const stockLimits: BrokenLimit[] = [
  breaks('products', 'is required', fc.constantFrom<unknown>(undefined, [], null, {}, 'a')),
  breaks('products[0]', 'must be a string', fc.constantFrom<unknown>('', null, 7, [], {})),
];

/** The seeded template of a poster. */
const TEMPLATE = '5eed0000-0000-4000-8003-000000000100';
const VARIANT = '5eed0000-0000-4000-8004-000000000100';
const images = fc.record(
  { name: fc.constant('ImageFront'), fileUrl: url, fitMethod: fc.constantFrom('slice', 'meet') },
  { requiredKeys: ['name', 'fileUrl'] },
);
const variant = fc.record(
  {
    templateVariantId: fc.constant(VARIANT),
    position: fc.nat(10),
    imagePlaceholders: fc.array(images, { maxLength: 2 }),
    textPlaceholders: fc.array(fc.record({ name: fc.constant('Text'), text: text(0, 50) }), { maxLength: 2 }),
  },
  { requiredKeys: ['templateVariantId'] },
);
const createProduct: LimitedCall = {
  path: `/v1/stores/${SEEDED_STORE_ID}/products:create-from-template`,
  schema: createStoreProductRequestSchema,
  allowed: fc.record<Body>(
    {
      templateId: fc.constant(TEMPLATE),
      title: text(1, 100),
      description: text(0, 300),
      isVisibleInTheOnlineStore: fc.boolean(),
      salesChannels: fc.subarray(['web', 'global']),
      tags: fc.oneof(fc.array(text(0, 255), { maxLength: 3 }), fc.array(text(0, 20), { minLength: 13, maxLength: 13 })),
      productType: text(0, 50),
      vendor: text(0, 50),
      variants: fc.array(variant, { minLength: 1, maxLength: 2 }),
    },
    { requiredKeys: ['templateId', 'title', 'variants'] },
  ),
};
const createProductLimits: BrokenLimit[] = [
  breaks('templateId', 'is required', noText),
  breaks('title', 'is required', noText),
  breaks('isVisibleInTheOnlineStore', 'must be a boolean', fc.constantFrom<unknown>('yes', 1, null)),
  breaks('tags', 'must have at most 13 entries', fc.constant(Array.from({ length: 14 }, () => 'tag'))),
  {
    field: 'tags[0]',
    rule: 'must have at most 255 characters',
    change: over(255).map((tag) => ({ tags: [tag] })),
  },
  breaks('variants[0].templateVariantId', 'is required', noText),
  breaks('variants[0].position', 'must be at least 0', fc.constantFrom<unknown>(-1, 0.5, '0')),
];

describe.each([
  { name: 'a catalog search', call: search, limits: searchLimits },
  { name: 'a stock request', call: stock, limits: stockLimits },
  { name: 'a product created from a template', call: createProduct, limits: createProductLimits },
])('$name', ({ call, limits }) => {
  test('the client sends and the service accepts every request that the interface allows', async () => {
    await expectAccepted(service(), call, 100);
  });

  test.each(limits)('the client and the service refuse the request and name $field, which $rule', async (limit) => {
    await expectRefused(service(), call, limit, 3);
  });
});

test('the client and the service refuse a stock request for more than 250 products', async () => {
  const products = Array.from({ length: 251 }, () => POSTER);
  const { error } = stockAvailabilityRequestSchema.safeParse({ products });
  expect(error?.issues).toMatchObject([{ path: ['products'], maximum: 250 }]);
  expect(await service().call('POST', stock.path, { products })).toMatchObject({
    status: 400,
    body: { message: 'Too many products requested: 251 of maximum 250.' },
  });
});
