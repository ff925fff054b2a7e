import { EntitySchema } from 'typeorm';
import { bigId, integer, integerOrNull, text, textOrNull } from './columns.ts';
import { madeNow, changedNow, moment, momentOrNull } from './columns.ts';

/** `merchant`: set by a person or from a file. `metafields`: read from metafields of the variant, and follows them. */
export type LinkSource = 'merchant' | 'metafields';

/** Makes a store variant printable or, without a variant, every variant with a SKU that has no print link of its own. */
export interface PrintLink {
  id: string;
  shopId: number;
  shopifyVariantId: string | null;
  /** If there is a variant, this is only for information. */
  sku: string | null;
  productUid: string;
  fileUrl: string | null;
  /** All pages, including the front and back covers; only for products with pages. */
  pageCount: number | null;
  /** Envelopes for each piece, which the earlier interface v2 accepts; both null or both set. */
  envelopeProductUid: string | null;
  envelopesPerPiece: number | null;
  source: LinkSource;
  /** When its file and product are checked next; null if there is nothing to check. */
  checkAt: Date | null;
  checkedAt: Date | null;
  /** The result of the last check, in the form of `products/check-link/link-problem.ts`. */
  problems: { code: string; field: string; message: string; remedy: string }[];
  createdAt: Date;
  updatedAt: Date;
}

/** The result of the last reading of a variant's metafields. */
export interface LinkMetafieldReading {
  shopId: number;
  shopifyVariantId: string;
  /** Why they make no print link, in the form of `products/link-metafields/decide-link.ts`; empty if there is no problem. */
  problems: { field: string; message: string; remedy: string }[];
  readAt: Date;
}

export type ConnectionStatus = 'connected' | 'not_connected' | 'ignored';

/** The print service's view of a variant of the shop. */
export interface VariantConnection {
  id: string;
  shopId: number;
  shopifyVariantId: string;
  status: ConnectionStatus;
  /** The store product (the service's id) that the status comes from; null if none at the service. */
  storeProductId: string | null;
  /** Null if not read yet. */
  shopifyProductId: string | null;
  /**
   * Why it is not connected, a code of `products/store-products/decide-connection.ts`; null if it is connected, or someone set the status.
   */
  reason: string | null;
  /** When the variant was found to be deleted in the shop. */
  deletedInStoreAt: Date | null;
  /** When the poll last checked whether the shop still has the variant. */
  checkedAt: Date | null;
  updatedAt: Date;
}

/** The stock of a product in one of the print service's stock regions, as last read. */
export interface ProductStock {
  shopId: number;
  productUid: string;
  /** For example `EU` or `US-CA`. */
  stockRegionUid: string;
  /** The service's word: `in-stock`, `out-of-stock-replenishable`, `out-of-stock` or a new one; `not-told` if it does not say. */
  status: string;
  /** YYYY-MM-DD. */
  replenishmentDate: string | null;
  /** Whether it was read by the call, which covers every region of a product; otherwise it came from an event, which covers some. */
  isRead: boolean;
  /** Since when the status is unchanged; at the earliest, when it was first read. */
  changedAt: Date;
  readAt: Date;
}

export const PrintLinks = new EntitySchema<PrintLink>({
  name: 'PrintLink',
  tableName: 'print_links',
  columns: {
    id: bigId,
    shopId: integer,
    shopifyVariantId: textOrNull,
    sku: textOrNull,
    productUid: text,
    fileUrl: textOrNull,
    pageCount: integerOrNull,
    envelopeProductUid: textOrNull,
    envelopesPerPiece: integerOrNull,
    source: { type: 'text', default: 'merchant' },
    checkAt: momentOrNull,
    checkedAt: momentOrNull,
    problems: { type: 'jsonb', default: [] },
    createdAt: madeNow,
    updatedAt: changedNow,
  },
});

export const LinkMetafieldReadings = new EntitySchema<LinkMetafieldReading>({
  name: 'LinkMetafieldReading',
  // Named after its first content: processes of the previous release run beside this one.
  tableName: 'link_metafield_problems',
  columns: {
    shopId: { type: 'integer', primary: true },
    shopifyVariantId: { type: 'text', primary: true },
    problems: { type: 'jsonb' },
    readAt: moment,
  },
});

export const VariantConnections = new EntitySchema<VariantConnection>({
  name: 'VariantConnection',
  tableName: 'variant_connections',
  columns: {
    id: bigId,
    shopId: integer,
    shopifyVariantId: text,
    status: text,
    storeProductId: textOrNull,
    shopifyProductId: textOrNull,
    reason: textOrNull,
    deletedInStoreAt: momentOrNull,
    checkedAt: momentOrNull,
    updatedAt: changedNow,
  },
});

export const ProductStocks = new EntitySchema<ProductStock>({
  name: 'ProductStock',
  tableName: 'product_stock',
  columns: {
    shopId: { type: 'integer', primary: true },
    productUid: { type: 'text', primary: true },
    stockRegionUid: { type: 'text', primary: true },
    status: text,
    replenishmentDate: textOrNull,
    isRead: { type: 'boolean', default: false },
    changedAt: moment,
    readAt: moment,
  },
});
