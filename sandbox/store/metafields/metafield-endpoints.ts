import type Router from '@koa/router';
import { z } from 'zod';
import { jsonOf } from '../../json-body.ts';
import { parseOrRefuse, Refusal } from '../../refusal.ts';
import { UserError } from '../graphql/run-mutation.ts';
import { exactJson } from '../graphql/exact-json.ts';
import { typeOfGid } from '../graphql/gid.ts';
import { findMetafield, fullNamespace, metafieldKey, ownedMetafields, type Metafield } from './metafields.ts';
import { assertMetafieldValue } from './metafield-values.ts';
import { productPayload } from '../products/product-payload.ts';
import type { Product } from '../products/product-state.ts';
import type { Store } from '../store.ts';

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

/** Adds the endpoints that edit metafields of products and variants in the same way as the merchant's bulk editor or another app. */
export function addMetafieldEndpoints(router: Router, store: Store): void {
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

/** Returns the product with this ID, or the product of the variant with this ID. Throws a 404 for an unknown ID. */
function ownerOf(store: Store, ownerId: string): Product {
  const product = typeOfGid(ownerId) === 'Product' ? store.product(ownerId) : store.productOf(ownerId);
  if (product) return product;
  throw new Refusal(404, 'not_found', `There is no product and no variant ${ownerId}.`);
}

/** Sets a metafield, or deletes it if the value is null. This also saves the product and sends `products/update`. */
function editMetafield(store: Store, product: Product, { value, ...input }: z.output<typeof metafieldSchema>): void {
  const { ownerId, type } = input;
  const namespace = fullNamespace(input.namespace);
  const known = findMetafield(store, ownerId, namespace, input.key);
  const now = store.clock.now().toISOString();
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
