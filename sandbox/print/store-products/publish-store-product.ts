import type { Ids } from '../../ids.ts';
import { toStoreTimestamp, type StoreProduct, type StoreProductRecord } from './store-records.ts';
import type { StandIn } from '../stand-in.ts';

/**
 * The extensions of images that cannot be printed. Only jpg, jpeg, png and pdf files can be printed. A file without an extension, or with
 * one that is not listed here, counts as printable, because its content may have one of these four types.
 */
const UNPRINTABLE_EXTENSIONS = new Set(['bmp', 'gif', 'heic', 'svg', 'tif', 'tiff', 'webp']);

/**
 * Advances a product by one status: `created`, `publishing`, then `active`, or `publishing_error` if one of its files has a type that
 * cannot be printed. Returns null if the product's status does not advance.
 */
export function stepPublishing(standIn: StandIn, record: StoreProductRecord): StoreProductRecord | null {
  const { status } = record.product;
  if (status === 'created') return toStatus(standIn, record, 'publishing');
  if (status !== 'publishing') return null;
  if (record.fileUrls.every(isPrintable)) return toStatus(standIn, record, 'active');
  const failed = toStatus(standIn, record, 'publishing_error');
  return { ...failed, product: { ...failed.product, publishingErrorCode: 'unsupported_file_type' } };
}

/**
 * Sets a product's status and applies the status's effects: `active` adds the IDs of the shop's product and variants, and
 * `publishing_error` adds an error code.
 */
export function toStatus(
  { clock, ids }: StandIn,
  record: StoreProductRecord,
  status: StoreProduct['status'],
): StoreProductRecord {
  const movedMs = clock.now().getTime();
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

/** Returns false if the URL ends with the extension of an image type that cannot be printed. */
function isPrintable(fileUrl: string): boolean {
  const { pathname } = new URL(fileUrl);
  return !UNPRINTABLE_EXTENSIONS.has(pathname.slice(pathname.lastIndexOf('.') + 1).toLowerCase());
}
