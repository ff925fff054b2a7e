import { createHash } from 'node:crypto';
import type { StoreProduct as Reading } from '../../print/current/store-products.ts';
import { truncateText } from '../../truncate-text.ts';

/** A variant of a store product, in Platen's terms. */
interface VariantFacts {
  storeVariantId: string;
  /** The variant in the shop. Null if it is not published there or its ID is not a variant's ID. */
  shopifyVariantId: string | null;
  title: string | null;
  status: string | null;
}

/** The saved data from a reading of a store product. */
export interface StoreProductFacts {
  storeId: string;
  storeProductId: string;
  /** The product in the shop. Null if it is not published there. */
  shopifyProductId: string | null;
  title: string | null;
  status: string | null;
  publishingErrorCode: string | null;
  variants: VariantFacts[];
  /** SHA-256 of all other fields. */
  sha256: string;
}

const DIGITS = /^[1-9]\d{0,19}$/;
/** Maximum length of texts and IDs. Longer texts are truncated, and variants with a longer ID are left out. */
const LONGEST = 300;

/**
 * Converts a reading of a store product to the saved form (docs/rules/print-interface.md#store-product). `externalId` is the ID of the
 * product, or of the variant, in the shop. Previews expire and are not saved. Variants without an ID at the service, or with a repeated ID,
 * are left out.
 */
export function toStoreProduct(storeId: string, reading: Reading): StoreProductFacts {
  const variants = new Map<string, VariantFacts>();
  for (const { id, externalId, title, connectionStatus } of reading.variants) {
    if (id === null || id.length > LONGEST || variants.has(id)) continue;
    variants.set(id, {
      storeVariantId: id,
      shopifyVariantId: toGid('ProductVariant', externalId),
      title: toText(title),
      status: toText(connectionStatus),
    });
  }
  const facts = {
    storeId,
    storeProductId: reading.id,
    shopifyProductId: toGid('Product', reading.externalId),
    title: toText(reading.title),
    status: toText(reading.status),
    publishingErrorCode: toText(reading.publishingErrorCode),
    variants: [...variants.values()].toSorted((a, b) => (a.storeVariantId < b.storeVariantId ? -1 : 1)),
  };
  return { ...facts, sha256: createHash('sha256').update(JSON.stringify(facts)).digest('hex') };
}

function toGid(type: 'Product' | 'ProductVariant', externalId: string | null): string | null {
  return externalId !== null && DIGITS.test(externalId) ? `gid://shopify/${type}/${externalId}` : null;
}

function toText(text: string | null): string | null {
  return truncateText(text, LONGEST) || null;
}
