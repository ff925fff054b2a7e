import type Router from '@koa/router';
import { z } from 'zod';
import { jsonOf } from '../json-body.ts';
import { parseOrRefuse, Refusal } from '../refusal.ts';
import { UserError } from './answer-mutation.ts';
import { exactJson } from './exact-json.ts';
import { findShop } from './find-shop.ts';
import { typeOfGid } from './gid.ts';
import { findMetafield, fullNamespace, metafieldKey, ownedMetafields, type Metafield } from './metafields.ts';
import { assertMetafieldValue } from './metafield-values.ts';
import { productPayload } from './product-payload.ts';
import { newVariant } from './seed-shop.ts';
import type { Product, Shop } from './state.ts';
import type { Store } from './store.ts';

const variantSchema = z.strictObject({
  title: z.string().min(1).max(255),
  sku: z.string().max(255).nullable().default(null),
  price: z.string().default('10.00'),
});
const productSchema = z.strictObject({
  shop: z.string().default('demo.myshopify.com'),
  title: z.string().min(1).max(255),
  /** As many as a product can have. */
  variants: z.array(variantSchema).min(1).max(2048),
});
const identifierSchema = z.strictObject({
  ownerId: z.string(),
  namespace: z.string().min(3).max(255),
  key: z.string(),
});
const metafieldSchema = identifierSchema.extend({
  key: z.string().regex(/^[\w-]{2,64}$/, 'must be 2 to 64 letters, digits, - and _'),
  type: z.string(),
  value: z.string().nullable(),
});

/** Doors by which the merchant makes a product, and fills in metafields of products and variants, as by the bulk editor or another app. */
export function addProductDoors(router: Router, store: Store): void {
  router.post('/products', (ctx) => {
    const { shop, title, variants } = parseOrRefuse(productSchema, jsonOf(ctx));
    const product = makeProduct(store, findShop(store, shop), title, variants);
    store.write([['put', 'products', product.id, product]]);
    ctx.status = 201;
    ctx.body = { productId: product.id, title, variants: product.variants.map(({ id, sku }) => ({ id, sku })) };
  });
  router.get('/metafields', (ctx) => {
    const ownerId = ctx.query['ownerId'];
    const found =
      typeof ownerId === 'string' ? ownedMetafields(store, ownerId) : store.books.all<Metafield>('metafields');
    ctx.body = found.map(({ ownerId: of, namespace, key, type, value }) => ({
      ownerId: of,
      namespace,
      key,
      type,
      value,
    }));
  });
  router.post('/metafields', (ctx) => {
    const input = parseOrRefuse(metafieldSchema, jsonOf(ctx));
    const product = ownerOf(store, input.ownerId);
    editMetafield(store, product, input);
    ctx.body = { ownerId: input.ownerId, metafields: ownedMetafields(store, input.ownerId).length };
  });
}

function makeProduct(store: Store, shop: Shop, title: string, variants: z.output<typeof variantSchema>[]): Product {
  const now = new Date().toISOString();
  return {
    id: store.newGid('Product'),
    shop: shop.domain,
    title,
    handle: title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    status: 'ACTIVE',
    vendor: shop.name,
    productType: '',
    tags: [],
    isGiftCard: false,
    options: ['Title'],
    createdAt: now,
    updatedAt: now,
    variants: variants.map((variant) =>
      newVariant(store, {
        ...variant,
        id: store.newGid('ProductVariant'),
        weightGrams: 100,
        requiresShipping: true,
        locationId: shop.locations[0]?.id ?? '',
        available: 100,
      }),
    ),
  };
}

/** The product of an owner, which is it or a variant of it; throws the 404 when there is none. */
function ownerOf(store: Store, ownerId: string): Product {
  const product = typeOfGid(ownerId) === 'Product' ? store.product(ownerId) : store.productOf(ownerId);
  if (product) return product;
  throw new Refusal(404, 'not_found', `There is no product and no variant ${ownerId}.`);
}

/** Sets a metafield, or takes it away with the value null; saving it saves the product: `products/update`. */
function editMetafield(store: Store, product: Product, { value, ...input }: z.output<typeof metafieldSchema>): void {
  const { ownerId, type } = input;
  const namespace = fullNamespace(input.namespace);
  const known = findMetafield(store, ownerId, namespace, input.key);
  const now = new Date().toISOString();
  const changed = { ...product, updatedAt: now };
  const events = [{ shop: product.shop, topic: 'products/update' as const, body: exactJson(productPayload(changed)) }];
  const place = metafieldKey(ownerId, namespace, input.key);
  const put = ['put', 'products', product.id, changed] as const;
  if (value === null) return store.write([put, ['delete', 'metafields', place]], events);
  try {
    assertMetafieldValue(type, value, []);
  } catch (error) {
    if (error instanceof UserError) throw new Refusal(400, 'invalid_input', error.message);
    throw error;
  }
  const metafield: Metafield = {
    id: known?.id ?? store.newGid('Metafield'),
    ...input,
    namespace,
    value,
    createdAt: known?.createdAt ?? now,
    updatedAt: now,
  };
  store.write([put, ['put', 'metafields', place, metafield]], events);
}
