import { z } from 'zod';
import { list, longText, number, text } from './objects.ts';

// The service's record of a shop's products, parsed as leniently as orders, because the interface requires none of these fields
// (docs/rules/print-interface.md#store-product).

/** The variant fields that events and responses share. `externalId` is the variant's ID in the shop. */
export const storeProductVariantFields = { id: text, title: text, externalId: text, connectionStatus: text };

/**
 * The fields of a store product (docs/rules/print-interface.md#store-product). `externalId` is the product's ID in the shop. `previewUrl`
 * is a signed address that expires. A variant's `connectionStatus` is `connected`, `not_connected` or `ignored`.
 */
export const storeProductFields = {
  storeId: text,
  externalId: text,
  title: text,
  description: longText,
  previewUrl: text,
  externalPreviewUrl: text,
  externalThumbnailUrl: text,
  publishingErrorCode: text,
  status: text,
  publishedAt: text,
  createdAt: text,
  updatedAt: text,
  variants: list(z.object(storeProductVariantFields)),
  productVariantOptions: list(z.object({ name: text, values: list(z.string()) })),
};

/**
 * The fields of a store product template (docs/rules/print-interface.md#store-product-template). The interface does not document the unit
 * of a placeholder's size.
 */
export const storeProductTemplateFields = {
  title: text,
  description: longText,
  previewUrl: text,
  createdAt: text,
  updatedAt: text,
  variants: list(
    z.object({
      id: text,
      title: text,
      productUid: text,
      variantOptions: list(z.object({ name: text, value: text })),
      imagePlaceholders: list(z.object({ name: text, printArea: text, height: number, width: number })),
      textPlaceholders: list(z.object({ name: text, text })),
    }),
  ),
};
