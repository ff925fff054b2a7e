import { afterAll, beforeAll, expect, test } from 'vitest';
import { PrintLinks } from '../../src/database/entities/products.ts';
import { rateRequestSchema } from '../../src/rates/checkout-cart.ts';
import { splitCart } from '../../src/rates/split-cart.ts';
import { addShop, openTestApp, type OpenTestApp } from '../http/test-app.ts';

let app: OpenTestApp;

beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());

test('a cart item is printed if its variant or its SKU has a print link', async () => {
  const shop = await addShop(app.db);
  await app.db.manager.insert(PrintLinks, [
    { shopId: shop.id, shopifyVariantId: 'gid://shopify/ProductVariant/1', productUid: 'own' },
    { shopId: shop.id, shopifyVariantId: null, sku: 'MUG', productUid: 'by SKU' },
  ]);
  const items = [1, 2, 3].map((id) => ({
    quantity: id,
    price: 100,
    requires_shipping: true,
    fulfillment_service: 'platen',
    sku: id === 3 ? 'CUP' : 'MUG',
    variant_id: id,
  }));
  const destination = { country: 'DE', postal_code: '10115', province: null, city: 'Berlin' };
  const { rate } = rateRequestSchema.parse({ rate: { destination, items, currency: 'EUR' } });
  const { printed, unlinked } = await splitCart(app, shop, rate.items, { printsAtMerchantLocations: true });
  expect(printed.map(({ link, quantity }) => [link.productUid, quantity])).toEqual([
    ['own', 1],
    ['by SKU', 2],
  ]);
  expect(unlinked).toBe(3);
});
