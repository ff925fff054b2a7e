import type { Ids } from '../../ids.ts';
import { toStoreTimestamp, type StoreProduct, type StoreProductRecord } from './store-records.ts';

/** Printed are jpg, jpeg, png and pdf; a name with another ending than these below may still be one of them. */
const UNPRINTED_TYPES = new Set(['bmp', 'gif', 'heic', 'svg', 'tif', 'tiff', 'webp']);

/**
 * A product moved on by one status: `created`, `publishing`, and then `active`, or `publishing_error` when one of its files is of a type
 * that is not printed; null when it stays as it is.
 */
export function stepPublishing(record: StoreProductRecord, ids: Ids): StoreProductRecord | null {
  const { status } = record.product;
  if (status === 'created') return toStatus(record, 'publishing', ids);
  if (status !== 'publishing') return null;
  if (record.fileUrls.every(isPrintable)) return toStatus(record, 'active', ids);
  const failed = toStatus(record, 'publishing_error', ids);
  return { ...failed, product: { ...failed.product, publishingErrorCode: 'unsupported_file_type' } };
}

/** A product in a status, with what comes with it: `active` has its ids in the shop, `publishing_error` a code. */
export function toStatus(record: StoreProductRecord, status: StoreProduct['status'], ids: Ids): StoreProductRecord {
  const movedMs = Date.now();
  const updatedAt = toStoreTimestamp(movedMs);
  const { product } = record;
  const publishingErrorCode = status === 'publishing_error' ? 'publishing_failed' : null;
  const moved: StoreProduct = { ...product, status, publishingErrorCode, updatedAt };
  return { ...record, movedMs, product: status === 'active' ? toPublished(moved, ids) : moved };
}

function toPublished(product: StoreProduct, ids: Ids): StoreProduct {
  const picture = `https://cdn.shop.example/files/${product.id}`;
  return {
    ...product,
    externalId: product.externalId ?? ids.nextNumber(),
    externalPreviewUrl: product.externalPreviewUrl ?? `${picture}.png`,
    externalThumbnailUrl: product.externalThumbnailUrl ?? `${picture}_medium.png`,
    publishedAt: product.updatedAt,
    variants: product.variants.map((variant) =>
      variant.externalId === null
        ? { ...variant, externalId: ids.nextNumber(), connectionStatus: 'connected' }
        : variant,
    ),
  };
}

/** False when an address ends in the type of a picture that is not printed. */
function isPrintable(fileUrl: string): boolean {
  const { pathname } = new URL(fileUrl);
  return !UNPRINTED_TYPES.has(pathname.slice(pathname.lastIndexOf('.') + 1).toLowerCase());
}
