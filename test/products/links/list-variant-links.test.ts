import { afterAll, beforeAll, expect, test } from 'vitest';
import { PrintLinks, VariantConnections } from '../../../src/database/entities/products.ts';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { signIn } from '../../../src/shops/install/sign-in.ts';
import { DEMO, openStoreWithEndpoints, sessionTokenOf, type StoreWithEndpoints } from '../../shops/open-store.ts';
import { refusal } from '../../http/test-app.ts';

const OTHER = 'other-shop.myshopify.com';

interface StoreProduct {
  productId: string;
  variants: { variantId: string; sku: string }[];
}

let store: StoreWithEndpoints;
let shop: Shop;
let product: StoreProduct;

beforeAll(async () => {
  store = await openStoreWithEndpoints();
  shop = await signIn(store.app, { domain: DEMO, sessionToken: sessionTokenOf(DEMO) });
  await store.control('/shops', { shop: OTHER, installed: false });
  await signIn(store.app, { domain: OTHER, sessionToken: sessionTokenOf(OTHER) });
  const variants = Array.from({ length: 51 }, (_, index) => ({ title: `Size ${index}`, sku: `SIZE-${index}` }));
  product = (await store.control('/products', { title: 'Shirt', variants })) as StoreProduct;
});
afterAll(() => store.close());

async function ask(query: string, of = DEMO): Promise<{ status: number; body: Record<string, unknown> }> {
  const headers = { Authorization: `Bearer ${sessionTokenOf(of)}` };
  const answer = await fetch(`${store.appUrl}/api/print-links/variants?${query}`, { headers });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

const digits = (id: string | undefined) => id?.split('/').at(-1) ?? '';

test('a product’s variants are listed page by page, with their own link or the link for their SKU', async () => {
  const [first, second] = product.variants;
  const link = { shopId: shop.id, productUid: 'shirt-uid', fileUrl: 'https://files.example.com/shirt.pdf' };
  await store.app.db.manager.insert(PrintLinks, [
    { ...link, shopifyVariantId: first?.variantId ?? null },
    { ...link, sku: 'SIZE-1', productUid: 'sku-uid' },
  ]);
  await store.app.db.manager.insert(VariantConnections, {
    shopId: shop.id,
    shopifyVariantId: second!.variantId,
    status: 'connected',
  });
  const page = await ask(`productId=${digits(product.productId)}`);
  expect(page.body['variants']).toHaveLength(50);
  expect((page.body['variants'] as object[]).slice(0, 3)).toMatchObject([
    { variantId: digits(first?.variantId), title: 'Size 0', printLink: { productUid: 'shirt-uid' }, connection: null },
    { sku: 'SIZE-1', printLink: { productUid: 'sku-uid', variantId: null }, connection: 'connected' },
    { sku: 'SIZE-2', printLink: null },
  ]);
  const rest = await ask(`productId=${digits(product.productId)}&after=${String(page.body['next'])}`);
  expect(rest.body).toMatchObject({ variants: [{ sku: 'SIZE-50' }], next: null });
});

test('a value of "after" that the store rejects causes an error that names the field', async () => {
  const answer = await ask(`productId=${digits(product.productId)}&after=100`);
  expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_input', field: 'after' } } });
});

test.each(['productId', 'variantId'])('a %s of another shop is not found', async (name) => {
  const id = name === 'productId' ? product.productId : product.variants[0]?.variantId;
  expect(await ask(`${name}=${digits(id)}`, OTHER)).toMatchObject(refusal(404, { code: 'not_found' }));
});
