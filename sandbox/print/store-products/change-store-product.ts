import { z } from 'zod';
import { parseOrRefuse, Refusal } from '../../refusal.ts';
import type { StandIn } from '../stand-in.ts';
import { saveStoreProduct } from './save-store-product.ts';
import { toStatus } from './publish-store-product.ts';
import { connectionStatuses, productStatuses, toStoreTimestamp } from './store-records.ts';
import type { Store, StoreProduct, StoreProductRecord } from './store-records.ts';

const shopId = z.string().min(1).nullable();
const variantFields = {
  title: z.string().optional(),
  externalId: shopId.optional(),
  connectionStatus: z.enum(connectionStatuses).optional(),
};
const fields = {
  title: z.string().optional(),
  description: z.string().optional(),
  externalId: shopId.optional(),
  externalPreviewUrl: z.string().nullable().optional(),
  externalThumbnailUrl: z.string().nullable().optional(),
  publishingErrorCode: z.string().nullable().optional(),
  status: z.enum(productStatuses).optional(),
  productVariantOptions: z.array(z.strictObject({ name: z.string(), values: z.array(z.string()) })).optional(),
};
const newProductSchema = z.strictObject({
  ...fields,
  title: z.string(),
  variants: z
    .array(z.strictObject({ ...variantFields, title: z.string() }))
    .min(1)
    .default([{ title: 'Default Title' }]),
});
const changeSchema = z.strictObject({
  ...fields,
  variants: z.array(z.strictObject({ id: z.string(), ...variantFields })).optional(),
});
type Change = z.output<typeof changeSchema>;

/**
 * Adds a product to a store as if someone had created the product manually. By default, the product is `active` and has the IDs of the
 * shop's product and variants. Throws a `Refusal`.
 */
export function addStoreProduct(standIn: StandIn, store: Store, input: unknown): StoreProduct {
  const { ids } = standIn;
  const { variants, ...rest } = parseOrRefuse(newProductSchema, input);
  const id = ids.nextUuid();
  const movedMs = standIn.clock.now().getTime();
  const product: StoreProduct = {
    id,
    storeId: store.id,
    externalId: null,
    title: rest.title,
    description: '',
    externalPreviewUrl: null,
    externalThumbnailUrl: null,
    publishingErrorCode: null,
    status: 'created',
    publishedAt: null,
    createdAt: toStoreTimestamp(movedMs),
    updatedAt: toStoreTimestamp(movedMs),
    variants: variants.map(({ title }) => ({
      id: ids.nextUuid(),
      productId: id,
      title,
      externalId: null,
      connectionStatus: 'not_connected',
    })),
    productVariantOptions: [],
  };
  const requested = product.variants.map((variant, index) => ({ ...variants[index], id: variant.id }));
  const change = { status: 'active' as const, ...rest, variants: requested };
  const record = toChanged(standIn, { product, movedMs, fileUrls: [] }, change);
  saveStoreProduct(standIn, record, 'created');
  return record.product;
}

/** Changes fields of a product and of the named variants. Throws a `Refusal`. */
export function changeStoreProduct(standIn: StandIn, record: StoreProductRecord, input: unknown): StoreProduct {
  const changed = toChanged(standIn, record, parseOrRefuse(changeSchema, input));
  saveStoreProduct(standIn, changed, 'updated');
  return changed.product;
}

/** Applies the effects of a new status first, so that fields in the request override these effects. */
function toChanged(standIn: StandIn, record: StoreProductRecord, change: Change): StoreProductRecord {
  const { status, variants = [], ...rest } = change;
  const moved = status === undefined || status === record.product.status ? record : toStatus(standIn, record, status);
  const unknown = variants.find(({ id }) => moved.product.variants.every((variant) => variant.id !== id));
  if (unknown) throw new Refusal(400, 'invalid_request', `The product has no variant ${unknown.id}.`);
  return {
    ...moved,
    product: {
      ...moved.product,
      ...withoutUndefined(rest),
      updatedAt: toStoreTimestamp(standIn.clock.now().getTime()),
      variants: moved.product.variants.map((variant) => ({
        ...variant,
        ...withoutUndefined(variants.find(({ id }) => id === variant.id) ?? {}),
      })),
    },
  };
}

type PresentFields<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

function withoutUndefined<Fields extends object>(given: Fields): PresentFields<Fields> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as PresentFields<Fields>;
}
