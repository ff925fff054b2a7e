import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { storeProductSchema } from '../../../src/print/current/store-products.ts';
import { toStoreProduct } from '../../../src/products/store-products/to-store-product.ts';

const sample = new URL('../../fixtures/print/webhook_store_product_updated.json', import.meta.url);
const recorded = JSON.parse(await readFile(sample, 'utf8')) as Record<string, unknown>;
const read = (change: Record<string, unknown> = {}) =>
  toStoreProduct('store', storeProductSchema.parse({ ...recorded, id: recorded['storeProductId'], ...change }));

test("a recorded product is mapped to the shop's product and variants", () => {
  const facts = read();
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

test('the hash of a product ignores the order of its variants and the preview URL, but depends on its texts', () => {
  const variants = (recorded['variants'] as object[]).toReversed();
  expect(read({ variants, previewUrl: 'https://other.example', updatedAt: null }).sha256).toBe(read().sha256);
  expect(read({ publishingErrorCode: 'x' }).sha256).not.toBe(read().sha256);
});
