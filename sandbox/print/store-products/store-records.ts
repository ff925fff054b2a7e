import { Refusal } from '../../refusal.ts';
import type { StandIn } from '../stand-in.ts';

/** The states of a product and of a variant (docs/rules/print-interface.md#product-status). */
export const productStatuses = ['created', 'publishing', 'publishing_error', 'active'] as const;
export const connectionStatuses = ['connected', 'not_connected', 'ignored'] as const;

/** A shop connected to an account. */
export interface Store {
  id: string;
  /** The key of the account that owns the store. */
  account: string;
}

interface StoreProductVariant {
  id: string;
  productId: string;
  title: string;
  externalId: string | null;
  connectionStatus: (typeof connectionStatuses)[number];
}

/** A product of a shop (docs/rules/print-interface.md#store-product). Its `previewUrl` is created on each read. */
export interface StoreProduct {
  id: string;
  storeId: string;
  externalId: string | null;
  title: string;
  description: string;
  externalPreviewUrl: string | null;
  externalThumbnailUrl: string | null;
  publishingErrorCode: string | null;
  status: (typeof productStatuses)[number];
  publishedAt: string | null;
  createdAt: string;
  updatedAt: string;
  variants: StoreProductVariant[];
  productVariantOptions: { name: string; values: string[] }[];
}

/** A product in the books. */
export interface StoreProductRecord {
  product: StoreProduct;
  /** The time of the last status change, in milliseconds since 1970. It determines when the next status is due. */
  movedMs: number;
  /** The print files, checked when the product is published. */
  fileUrls: string[];
}

export interface TemplateVariant {
  id: string;
  title: string;
  productUid: string;
  variantOptions: { name: string; value: string }[];
  imagePlaceholders: { name: string; printArea: string; height: number; width: number }[];
  textPlaceholders: { name: string; text: string }[];
}

/** A template that products are created from (docs/rules/print-interface.md#store-product-template). */
export interface Template {
  id: string;
  title: string;
  description: string;
  createdAt: string;
  updatedAt: string;
  variants: TemplateVariant[];
}

/** A template in the books. */
export interface TemplateRecord {
  /** The key of the account that owns the template. */
  account: string;
  template: Template;
}

/** Formats a time for store products (docs/rules/print-interface.md#timestamps-and-dates): `2023-06-21T09:44:03+0000`. */
export function toStoreTimestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}+0000`;
}

/** Finds a store. Throws a 404 if the store is unknown or belongs to another account. A null account matches every account. */
export function findStore({ books }: StandIn, account: string | null, storeId: string): Store {
  const store = books.get<Store>('stores', storeId);
  if (store && (account === null || store.account === account)) return store;
  throw new Refusal(404, 'not_found', `Store ${storeId} does not exist.`);
}

/** Returns the products of a store, oldest first. */
export function productsOf({ books }: StandIn, storeId: string): StoreProductRecord[] {
  return books.all<StoreProductRecord>('storeProducts').filter(({ product }) => product.storeId === storeId);
}

/** Finds a product of one store, or of any store if `storeId` is null. Throws a 404 if the product is unknown. */
export function findStoreProduct(standIn: StandIn, storeId: string | null, productId: string): StoreProductRecord {
  const record = standIn.books.get<StoreProductRecord>('storeProducts', productId);
  if (record && (storeId === null || record.product.storeId === storeId)) return record;
  throw new Refusal(404, 'not_found', `Product ${productId} does not exist.`);
}

/** Finds a template. Throws a 404 if the template is unknown or belongs to another account. A null account matches every account. */
export function findTemplate({ books }: StandIn, account: string | null, templateId: string): TemplateRecord {
  const record = books.get<TemplateRecord>('templates', templateId);
  if (record && (account === null || record.account === account)) return record;
  throw new Refusal(404, 'not_found', `Template ${templateId} does not exist.`);
}
