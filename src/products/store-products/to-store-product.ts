import { createHash } from 'node:crypto';
import type { StoreProduct as Reading } from '../../print/legacy/store-products-v1.ts';

/** A variant of a store product, in the words of the app. */
interface VariantFacts {
  storeVariantId: string;
  /** The variant of the shop; null: it is not published there, or its id is none of a shop. */
  shopifyVariantId: string | null;
  title: string | null;
  status: string | null;
}

/** What is kept of a reading of a store product. */
export interface StoreProductFacts {
  storeId: string;
  storeProductId: string;
  /** The product of the shop; null: it is not published there. */
  shopifyProductId: string | null;
  title: string | null;
  status: string | null;
  publishingErrorCode: string | null;
  variants: VariantFacts[];
  /** SHA-256 of all of this. */
  sha256: string;
}

const DIGITS = /^[1-9]\d{0,19}$/;
/** A title is for a person to read; an id longer than this is of nothing. */
const LONGEST = 300;

/**
 * What the app goes by of a store product (docs/rules/print-interface.md#store-product): `externalId` is the product's id in the
 * shop, of a variant the variant's. Previews expire and are not kept. A variant without an id of the service's, or with one that
 * came before, is left out.
 */
export function toStoreProduct(storeId: string, reading: Reading): StoreProductFacts {
  const variants = new Map<string, VariantFacts>();
  for (const { id, externalId, title, connectionStatus } of reading.variants) {
    if (id === null || id.length > LONGEST || variants.has(id)) continue;
    variants.set(id, {
      storeVariantId: id,
      shopifyVariantId: toGid('ProductVariant', externalId),
      title: cut(title),
      status: cut(connectionStatus),
    });
  }
  const facts = {
    storeId,
    storeProductId: reading.id,
    shopifyProductId: toGid('Product', reading.externalId),
    title: cut(reading.title),
    status: cut(reading.status),
    publishingErrorCode: cut(reading.publishingErrorCode),
    variants: [...variants.values()].toSorted((a, b) => (a.storeVariantId < b.storeVariantId ? -1 : 1)),
  };
  return { ...facts, sha256: createHash('sha256').update(JSON.stringify(facts)).digest('hex') };
}

function toGid(type: 'Product' | 'ProductVariant', externalId: string | null): string | null {
  return externalId !== null && DIGITS.test(externalId) ? `gid://shopify/${type}/${externalId}` : null;
}

function cut(text: string | null): string | null {
  return text === null || text === '' ? null : text.slice(0, LONGEST).toWellFormed();
}
