import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { storeProductSchema } from '../../../src/print/current/store-products.ts';
import { toStoreProduct } from '../../../src/products/store-products/to-store-product.ts';

const sample = new URL('../../fixtures/print/webhook_store_product_updated.json', import.meta.url);
const recorded = JSON.parse(await readFile(sample, 'utf8')) as Record<string, unknown>;

test("a recorded product is mapped to the shop's product and variants", () => {
  const facts = toStoreProduct('store', storeProductSchema.parse({ ...recorded, id: recorded['storeProductId'] }));
  expect(facts).toMatchObject({
    storeId: 'store',
    storeProductId: '62b20586-e4c4-46e7-8d0d-9e203b02b2ea',
    shopifyProductId: 'gid://shopify/Product/7647344525468',
    title: 'Classic Unisex Crewneck T-shirt',
    status: 'active',
    publishingErrorCode: null,
  });
  expect(facts.variants.map(({ shopifyVariantId, status }) => [shopifyVariantId, status])).toContainEqual([
    'gid://shopify/ProductVariant/42533218025628',
    'connected',
  ]);
  expect(facts.variants).toHaveLength(4);
});
