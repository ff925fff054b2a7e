import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Shop } from '../../../src/database/entities/shops.ts';
import {
  StoreProducts,
  StoreProductVariants,
  type StoreProduct,
} from '../../../src/database/entities/store-products.ts';
import { VariantConnections } from '../../../src/database/entities/products.ts';
import { findOrCreatePrintAccount } from '../../../src/shops/print-account/print-account.ts';
import { addShop, openTestEndpoints, callApi, type TestEndpoints } from '../test-app.ts';

let endpoints: TestEndpoints;
let shop: Shop;
let other: Shop;
let printAccountId: number;

beforeAll(async () => {
  endpoints = await openTestEndpoints();
  shop = await addShop(endpoints.app.db);
  other = await addShop(endpoints.app.db);
  printAccountId = (await findOrCreatePrintAccount(endpoints.app, 'sandbox-key')).id;
  await addProducts();
});
afterAll(() => endpoints.close());

interface Page {
  storeProducts: { storeProductId: string; status: string; problem: { code: string } | null; variants: object[] }[];
  next: string | null;
}

const ask = (query: string, of = shop) => callApi<Page>(endpoints.url, of, ['GET', `/store-products${query}`]);

function addProduct(storeProductId: string, change: Partial<StoreProduct> = {}): Promise<StoreProduct> {
  const row = {
    shopId: shop.id,
    printAccountId,
    storeId: 'store',
    storeProductId,
    title: storeProductId,
    status: 'active',
  };
  return endpoints.app.db
    .getRepository(StoreProducts)
    .save({ ...row, readingSha256: '', readAt: new Date(), ...change });
}

/** Adds one product of the shop in each state, and one product of another shop. */
async function addProducts(): Promise<void> {
  const { manager } = endpoints.app.db;
  const hourAgo = new Date(Date.now() - 61 * 60_000);
  await addProduct('of-another', { shopId: other.id });
  const shirt = await addProduct('shirt', { shopifyProductId: 'gid://shopify/Product/77' });
  await addProduct('stuck', { status: 'publishing', publishingSince: hourAgo });
  await addProduct('failed', { status: 'publishing_error', publishingErrorCode: 'no_image' });
  await addProduct('gone', { deletedAt: new Date() });
  await addProduct('left', { deletedInStoreAt: new Date() });
  for (const [id, status, reason] of [
    ['1', 'connected', null],
    ['2', 'not_connected', 'not_connected_at_service'],
    ['3', 'not_connected', 'deleted_in_store'],
  ] as const) {
    const shopifyVariantId = `gid://shopify/ProductVariant/${id}`;
    const variant = {
      storeProductId: shirt.id,
      storeVariantId: id,
      shopId: shop.id,
      shopifyVariantId,
      title: `Size ${id}`,
    };
    await manager.insert(StoreProductVariants, { ...variant, status: 'connected' });
    const deletedInStoreAt = reason === 'deleted_in_store' ? new Date() : null;
    const connection = { shopId: shop.id, shopifyVariantId, status, reason, storeProductId: 'shirt', deletedInStoreAt };
    await manager.insert(VariantConnections, connection);
  }
}

test('a shop’s products are listed with their publishing status, variants and problems', async () => {
  const { status, body } = await ask('');
  expect(status).toBe(200);
  expect(body.storeProducts.map(({ storeProductId, problem }) => [storeProductId, problem?.code])).toEqual([
    ['left', 'deleted_in_store'],
    // This product has no unconnected variants, so its deletion is not a problem.
    ['gone', undefined],
    ['failed', 'publishing_error'],
    ['stuck', 'publishing_stuck'],
    ['shirt', 'not_connected'],
  ]);
  expect(body.storeProducts.at(-1)).toEqual({
    storeId: 'store',
    storeProductId: 'shirt',
    productId: '77',
    adminUrl: `https://admin.shopify.com/store/${shop.domain.replace('.myshopify.com', '')}/products/77`,
    title: 'shirt',
    status: 'active',
    publishingErrorCode: null,
    problem: {
      code: 'not_connected',
      message: expect.stringContaining('One of its variants'),
      remedy: expect.any(String),
    },
    counts: { connected: 1, notConnected: 1, ignored: 0, deletedInStore: 1 },
    variants: [
      {
        variantId: '2',
        title: 'Size 2',
        status: 'not_connected',
        reason: { code: 'not_connected_at_service', message: expect.stringContaining('Connect it there') },
      },
      {
        variantId: '3',
        title: 'Size 3',
        status: 'not_connected',
        reason: { code: 'deleted_in_store', message: expect.stringContaining('deleted in your store') },
      },
      { variantId: '1', title: 'Size 1', status: 'connected', reason: null },
    ],
  });
  expect((await ask('', other)).body.storeProducts).toHaveLength(1);
});

test.each([
  ['active', ['left', 'shirt']],
  ['publishing', ['stuck']],
  ['publishing_error', ['failed']],
  ['stuck', ['stuck']],
  ['deleted', ['gone']],
  ['problem', ['left', 'failed', 'stuck', 'shirt']],
  ['not_connected', ['shirt']],
  ['connected', ['shirt']],
  ['ignored', []],
  ['created', []],
])('the filter for the status %s lists only %j', async (status, expected) => {
  const { body } = await ask(`?status=${status}`);
  expect(body.storeProducts.map(({ storeProductId }) => storeProductId)).toEqual(expected);
});

interface VariantsPage {
  variants: { variantId: string; title: string | null; status: string; reason: object | null }[];
  next: string | null;
  error?: { field: string };
}

const fetchVariants = (path: string, of = shop) =>
  callApi<VariantsPage>(endpoints.url, of, ['GET', `/store-products/${path}`]);

test('a product’s variants are listed page by page, those that are not connected first, and only for the product’s shop', async () => {
  const { manager } = endpoints.app.db;
  const owner = await addShop(endpoints.app.db);
  const { id: storeProductId } = await addProduct('wardrobe', { shopId: owner.id });
  const shopifyVariantId = (number: number) => `gid://shopify/ProductVariant/${7000 + number}`;
  for (let number = 0; number < 120; number += 1)
    await manager.insert(StoreProductVariants, {
      storeProductId,
      storeVariantId: `v${String(number).padStart(3, '0')}`,
      shopId: owner.id,
      shopifyVariantId: shopifyVariantId(number),
      title: number === 0 ? null : `Size ${number}`,
      status: 'connected',
    });
  for (const number of [60, 119])
    await manager.insert(VariantConnections, {
      shopId: owner.id,
      shopifyVariantId: shopifyVariantId(number),
      status: 'not_connected',
      reason: 'not_connected_at_service',
      storeProductId: 'wardrobe',
    });
  const { body: first } = await fetchVariants('wardrobe/variants', owner);
  const { body: second } = await fetchVariants(`wardrobe/variants?after=${first.next}`, owner);
  const { body: third } = await fetchVariants(`wardrobe/variants?after=${second.next}`, owner);
  expect([first, second, third].map(({ variants }) => variants.length)).toEqual([50, 50, 20]);
  expect([first.next, second.next, third.next]).toEqual(['v047', 'v098', null]);
  const ids = [first, second, third].flatMap(({ variants }) =>
    variants.map(({ variantId }) => Number(variantId) - 7000),
  );
  const connected = Array.from({ length: 120 }, (_, number) => number).filter((one) => one !== 60 && one !== 119);
  expect(ids).toEqual([60, 119, ...connected]);
  expect(first.variants.slice(1, 3)).toEqual([
    {
      variantId: '7119',
      title: 'Size 119',
      status: 'not_connected',
      reason: { code: 'not_connected_at_service', message: expect.stringContaining('Connect it there') },
    },
    { variantId: '7000', title: null, status: 'connected', reason: null },
  ]);
  expect((await fetchVariants('wardrobe/variants', shop)).status).toBe(404);
  expect((await fetchVariants('nothing/variants', owner)).status).toBe(404);
  const refused = await fetchVariants('wardrobe/variants?after=1&after=2', owner);
  expect([refused.status, refused.body.error?.field]).toEqual([400, 'after']);
});
