import type { AdminApi } from '../admin/admin-api.ts';
import { ShopifyError } from '../admin/errors.ts';
import {
  CreateMetafieldDefinitionDocument,
  DeleteMetafieldDefinitionDocument,
  DeleteProductMetafieldsDocument,
  SetProductMetafieldsDocument,
} from '../generated/operations.ts';

/** The most that one call takes, and none of them is set when one cannot be (Shopify page, metafieldsSet). */
export const METAFIELDS_A_CALL = 25;

/** The app's own namespace. */
const NAMESPACE = '$app';

const TYPE = 'single_line_text_field';

/** How the admin shows a metafield of every product, or of every variant, for the merchant to read. */
export interface ProductDefinition {
  ownerType: 'PRODUCT' | 'PRODUCTVARIANT';
  key: string;
  name: string;
  description: string;
}

/** A metafield of a product or a variant, a text of one line in the app's own namespace. */
export interface ProductMetafield {
  /** The product or the variant, as a GID. */
  ownerId: string;
  key: string;
  value: string;
}

/**
 * Sets up to 25 metafields, defined or not. One that the store refuses, such as that of a variant which is gone, keeps none of the
 * others out: they are set by a further call without it. Returns those that were refused. Needs `write_products`. Throws ShopifyError.
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
    const named = namedBy(error);
    const refused = metafields.filter((_, index) => named.has(index));
    if (refused.length > 0) {
      const others = metafields.filter((_, index) => !named.has(index));
      return [...refused, ...(await setProductMetafields(admin, others))];
    }
    // It does not say which: each half by itself.
    const middle = Math.ceil(metafields.length / 2);
    const first = await setProductMetafields(admin, metafields.slice(0, middle));
    return [...first, ...(await setProductMetafields(admin, metafields.slice(middle)))];
  }
}

/** Which metafields of the call an error names: `metafields.3.ownerId` is the fourth. */
function namedBy({ userErrors }: ShopifyError): ReadonlySet<number> {
  const indexes = userErrors.map(({ field }) => /^metafields\.(\d+)(?:\.|$)/.exec(field ?? '')?.[1]);
  return new Set(indexes.flatMap((index) => (index === undefined ? [] : [Number(index)])));
}

/** Takes metafields away; one that is not there, or whose owner is gone, is no error. Needs `write_products`. Throws ShopifyError. */
export async function deleteProductMetafields(
  admin: AdminApi,
  metafields: readonly Omit<ProductMetafield, 'value'>[],
): Promise<void> {
  if (metafields.length === 0) return;
  const inputs = metafields.map((one) => ({ ...one, namespace: NAMESPACE }));
  await admin.request(DeleteProductMetafieldsDocument, { metafields: inputs });
}

/**
 * Defines a metafield and has the admin show it on the page of its owners without being asked to; where the store has pinned all it can,
 * it is defined alone. Returns whether the store made it: it may be there already. Needs `write_products`. Throws ShopifyError.
 */
export async function defineProductMetafield(admin: AdminApi, definition: ProductDefinition): Promise<boolean> {
  const access = { admin: 'MERCHANT_READ' as const };
  const input = { ...definition, namespace: NAMESPACE, type: TYPE, access };
  for (const pin of [true, false])
    if (await isTaken(() => admin.request(CreateMetafieldDefinitionDocument, { definition: { ...input, pin } })))
      return true;
  return false;
}

/**
 * Takes a definition away, and with it what metafields of it there are, some time later. Returns whether there was one that could go.
 * Needs `write_products`. Throws ShopifyError.
 */
export async function deleteProductDefinition(
  admin: AdminApi,
  { ownerType, key }: Pick<ProductDefinition, 'ownerType' | 'key'>,
): Promise<boolean> {
  const identifier = { ownerType, namespace: NAMESPACE, key };
  return isTaken(() => admin.request(DeleteMetafieldDefinitionDocument, { identifier }));
}

/** Whether the store carries a call out; false: it refuses its input. */
async function isTaken(call: () => Promise<unknown>): Promise<boolean> {
  try {
    await call();
    return true;
  } catch (error) {
    if (!(error instanceof ShopifyError) || error.kind !== 'user_error') throw error;
    return false;
  }
}
