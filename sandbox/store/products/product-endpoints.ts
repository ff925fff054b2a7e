import type Router from '@koa/router';
import { z } from 'zod';
import { jsonOf } from '../../json-body.ts';
import { parseOrRefuse, Refusal } from '../../refusal.ts';
import { deleteProduct, deleteVariant } from './delete-product.ts';
import { exactJson } from '../graphql/exact-json.ts';
import { findShop } from '../shop/find-shop.ts';
import { toGid } from '../graphql/gid.ts';
import { createProduct, createVariant } from '../import/seed-shop.ts';
import { productPayload } from './product-payload.ts';
import type { Product } from './product-state.ts';
import type { Shop } from '../state.ts';
import { listVariants, locationOf, stockVariant } from './stock-variant.ts';
import type { Store } from '../store.ts';
import { tagProduct } from './tag-product.ts';

const MAX_VARIANTS = 2048;
const location = z.enum(['service', 'other', 'own']);
const stockInputSchema = z.strictObject({
  location,
  /** Whether the variant also stays stocked at its other locations. */
  beside: z.boolean().default(false),
  available: z.int().min(0).optional(),
  tracked: z.boolean().optional(),
  inventoryPolicy: z.enum(['DENY', 'CONTINUE']).optional(),
});
const productInputSchema = z.strictObject({ tags: z.array(z.string().min(1).max(255)).max(250) });
const newVariantSchema = z.strictObject({
  title: z.string().min(1).max(255).default('Default Title'),
  sku: z.string().max(255).nullable().default(null),
  price: z.string().default('10.00'),
});
const newProductSchema = z.strictObject({
  shop: z.string().default('demo.myshopify.com'),
  title: z.string().min(1).max(255),
  variants: z.array(newVariantSchema).min(1).max(MAX_VARIANTS),
});
const profilesSchema = z
  .array(
    z.strictObject({
      name: z.string().min(1),
      /** IDs of products. The first profile is the general one, which includes all other products. */
      products: z.array(z.string()).default([]),
      unassigned: z.array(location).default([]),
      withoutRates: z.array(location).default([]),
    }),
  )
  .max(100);

/** Adds the endpoints that create, tag, stock and delete products and set their delivery profiles. */
export function addProductEndpoints(router: Router, store: Store): void {
  router.get('/variants', (ctx) => {
    ctx.body = listVariants(store, ctx.query['shop']);
  });
  router.post('/variants/:id/stock', (ctx) => {
    const input = parseOrRefuse(stockInputSchema, jsonOf(ctx));
    ctx.body = stockVariant(store, String(ctx.params['id']), input);
  });
  router.post('/products', (ctx) => {
    const { shop: domain, title, variants: wanted } = parseOrRefuse(newProductSchema, jsonOf(ctx));
    const product = addProduct(store, findShop(store, domain), title, wanted);
    ctx.status = 201;
    const variants = product.variants.map(({ id, sku }) => ({ variantId: id, sku }));
    ctx.body = { productId: product.id, title, variants };
  });
  router.post('/products/:id', (ctx) => {
    const { tags } = parseOrRefuse(productInputSchema, jsonOf(ctx));
    const { id, title } = tagProduct(store, findProduct(store, String(ctx.params['id'])), tags);
    ctx.body = { productId: id, title, tags };
  });
  router.delete('/products/:id', (ctx) => {
    const product = findProduct(store, String(ctx.params['id']));
    deleteProduct(store, product);
    ctx.body = { productId: product.id, deleted: true };
  });
  router.delete('/variants/:id', (ctx) => {
    const id = String(ctx.params['id']);
    const product = findProduct(store, id);
    const variant = product.variants.find((one) => one.id === id || one.id === toGid('ProductVariant', id));
    if (!variant) throw new Refusal(404, 'not_found', `There is no variant ${id}.`);
    deleteVariant(store, product, variant.id);
    ctx.body = { productId: product.id, variantId: variant.id, deleted: true };
  });
  router.post('/shops/:shop/profiles', (ctx) => {
    const shop = findShop(store, String(ctx.params['shop']));
    const profiles = parseOrRefuse(profilesSchema, jsonOf(ctx));
    const toIds = (places: z.output<typeof location>[]) => places.map((place) => locationOf(store, shop, place));
    const deliveryProfiles = profiles.map(({ name, products, unassigned, withoutRates }) => ({
      id: store.newGid('DeliveryProfile'),
      name,
      productIds: products.map((id) => findProduct(store, id).id),
      unassigned: toIds(unassigned),
      withoutRates: toIds(withoutRates),
    }));
    // Reads the shop again, because resolving the locations may have added another app's location.
    const current = store.shop(shop.domain) ?? shop;
    store.write([['put', 'shops', shop.domain, { ...current, deliveryProfiles }]]);
    ctx.body = deliveryProfiles;
  });
}

/** Adds a product with these variants, stocked at the merchant's location and untracked. */
function addProduct(store: Store, shop: Shop, title: string, variants: z.output<typeof newVariantSchema>[]): Product {
  const place = { locationId: locationOf(store, shop, 'own'), available: 0 };
  const made = variants.map((variant) =>
    createVariant(store, { ...variant, weightGrams: 100, requiresShipping: true, ...place }),
  );
  const product = createProduct(store, shop, title, made);
  const event = { shop: shop.domain, topic: 'products/create' as const, body: exactJson(productPayload(product)) };
  store.write([['put', 'products', product.id, product]], [event]);
  return product;
}

/** Finds the product in a path by its own ID or a variant's ID, as a GID or digits. Throws a 404 if the product does not exist. */
function findProduct(store: Store, id: string): Product {
  const known = /^\d+$/.test(id) ? [toGid('Product', id), toGid('ProductVariant', id)] : [id];
  const found = known.flatMap((gid) => store.product(gid) ?? store.productOf(gid) ?? []);
  if (found[0]) return found[0];
  throw new Refusal(404, 'not_found', `There is no product ${id}.`);
}
