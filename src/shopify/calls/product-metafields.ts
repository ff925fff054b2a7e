import type { AdminApi } from '../admin/admin-api.ts';
import { ShopifyError } from '../admin/errors.ts';
import {
  CreateMetafieldDefinitionDocument,
  DeleteMetafieldDefinitionDocument,
  DeleteProductMetafieldsDocument,
  SetProductMetafieldsDocument,
} from '../generated/operations.ts';

/** The maximum for one call. If one metafield cannot be set, none is set (docs/rules/shopify.md#metafieldsset). */
export const METAFIELDS_PER_CALL = 25;

/** The app's own namespace. */
const NAMESPACE = '$app';

const TYPE = 'single_line_text_field';

/** Defines how the admin shows the merchant a metafield that every product or every variant may have. */
export interface ProductDefinition {
  ownerType: 'PRODUCT' | 'PRODUCTVARIANT';
  key: string;
  name: string;
  description: string;
}

/** A product or variant metafield: a single-line text in the app's own namespace. */
export interface ProductMetafield {
  /** The GID of the product or variant. */
  ownerId: string;
  key: string;
  value: string;
}

/**
 * Sets up to 25 metafields, with or without a definition. If the store refuses a metafield, for example because its variant was deleted,
 * another call sets the other metafields. Returns the refused metafields. Needs `write_products`. Throws ShopifyError.
 */
export async function setProductMetafields(
  admin: AdminApi,
  metafields: readonly ProductMetafield[],
): Promise<ProductMetafield[]> {
  if (metafields.length === 0) return [];
  try {
    const inputs = metafields.map((one) => ({ ...one, namespace: NAMESPACE, type: TYPE }));
    await admin.request(SetProductMetafieldsDocument, { metafields: inputs });
    return [];
  } catch (error) {
    if (!(error instanceof ShopifyError) || error.kind !== 'user_error') throw error;
    if (metafields.length === 1) return [...metafields];
    const namedIndexes = readNamedIndexes(error);
    const refused = metafields.filter((_, index) => namedIndexes.has(index));
    if (refused.length > 0) {
      const others = metafields.filter((_, index) => !namedIndexes.has(index));
      return [...refused, ...(await setProductMetafields(admin, others))];
    }
    // The error does not say which metafield is refused, so each half is tried separately.
    const middle = Math.ceil(metafields.length / 2);
    const first = await setProductMetafields(admin, metafields.slice(0, middle));
    return [...first, ...(await setProductMetafields(admin, metafields.slice(middle)))];
  }
}

/** Returns the indexes of the metafields that an error names: `metafields.3.ownerId` is the fourth. */
function readNamedIndexes({ userErrors }: ShopifyError): ReadonlySet<number> {
  const indexes = userErrors.map(({ field }) => /^metafields\.(\d+)(?:\.|$)/.exec(field ?? '')?.[1]);
  return new Set(indexes.flatMap((index) => (index === undefined ? [] : [Number(index)])));
}

/** Deletes metafields. A missing metafield, or a missing owner, is not an error. Needs `write_products`. Throws ShopifyError. */
export async function deleteProductMetafields(
  admin: AdminApi,
  metafields: readonly Omit<ProductMetafield, 'value'>[],
): Promise<void> {
  if (metafields.length === 0) return;
  const inputs = metafields.map((one) => ({ ...one, namespace: NAMESPACE }));
  await admin.request(DeleteProductMetafieldsDocument, { metafields: inputs });
}

/**
 * Defines a metafield and pins it to the admin pages of its products or variants. If the store has reached its maximum number of pins, the
 * metafield is defined without a pin. Returns whether the store created the definition, which may already exist. Needs `write_products`.
 * Throws ShopifyError.
 */
export async function defineProductMetafield(admin: AdminApi, definition: ProductDefinition): Promise<boolean> {
  const access = { admin: 'MERCHANT_READ' as const };
  const input = { ...definition, namespace: NAMESPACE, type: TYPE, access };
  for (const pin of [true, false])
    if (await isAccepted(() => admin.request(CreateMetafieldDefinitionDocument, { definition: { ...input, pin } })))
      return true;
  return false;
}

/**
 * Deletes a definition. The store deletes the definition's metafields some time later. Returns whether there was a definition that could be
 * deleted. Needs `write_products`. Throws ShopifyError.
 */
export async function deleteProductDefinition(
  admin: AdminApi,
  { ownerType, key }: Pick<ProductDefinition, 'ownerType' | 'key'>,
): Promise<boolean> {
  const identifier = { ownerType, namespace: NAMESPACE, key };
  return isAccepted(() => admin.request(DeleteMetafieldDefinitionDocument, { identifier }));
}

/** Makes a call. Returns false if the store rejects the call's input. */
async function isAccepted(call: () => Promise<unknown>): Promise<boolean> {
  try {
    await call();
    return true;
  } catch (error) {
    if (!(error instanceof ShopifyError) || error.kind !== 'user_error') throw error;
    return false;
  }
}
