import { EntitySchema } from 'typeorm';
import { bigId, integer, integerOrNull, text, textOrNull } from './columns.ts';
import { insertTimestamp, updateTimestamp, timestamp, timestampOrNull } from './columns.ts';

/**
 * `merchant`: a person entered the link or imported it from a file. `metafields`: the link was read from the variant's metafields and
 * changes with them.
 */
export type LinkSource = 'merchant' | 'metafields';

/** Makes a store variant printable. A link without a variant applies to every variant with its SKU that has no separate print link. */
export interface PrintLink {
  id: string;
  shopId: number;
  shopifyVariantId: string | null;
  /** If the link has a variant, the SKU is only informational. */
  sku: string | null;
  productUid: string;
  fileUrl: string | null;
  /** Number of pages, including the front and back covers. Set only for products with pages. */
  pageCount: number | null;
  /** The envelope for each unit. Only one of the earlier interfaces accepts envelopes. Both envelope fields are null or both are set. */
  envelopeProductUid: string | null;
  envelopesPerPiece: number | null;
  source: LinkSource;
  /** When the link's file and product will next be checked. Null if there is nothing to check. */
  checkAt: Date | null;
  checkedAt: Date | null;
  /** The result of the last check, in the form defined in `products/check-link/link-problem.ts`. */
  problems: { code: string; field: string; message: string; remedy: string }[];
  createdAt: Date;
  updatedAt: Date;
}

/** The result of the last time a variant's metafields were read. */
export interface LinkMetafieldReading {
  shopId: number;
  shopifyVariantId: string;
  /**
   * Why the metafields form no print link, in the form defined in `products/link-metafields/decide-link.ts`. Empty if there is no problem.
   */
  problems: { field: string; message: string; remedy: string }[];
  readAt: Date;
}

export type ConnectionStatus = 'connected' | 'not_connected' | 'ignored';

/** The print service's status for one of the shop's variants. */
export interface VariantConnection {
  id: string;
  shopId: number;
  shopifyVariantId: string;
  status: ConnectionStatus;
  /** The store product (the service's ID) that determines the status. Null if the service has no such product. */
  storeProductId: string | null;
  /** Null if the ID has not been read yet. */
  shopifyProductId: string | null;
  /**
   * Why the variant is not connected: a code from `products/store-products/decide-connection.ts`. Null if the variant is connected or a
   * person set the status.
   */
  reason: string | null;
  /** When Platen found that the variant had been deleted in the shop. */
  deletedInStoreAt: Date | null;
  /** When the poll last checked whether the shop still has the variant. */
  checkedAt: Date | null;
  updatedAt: Date;
}

/** A product's stock in one of the print service's stock regions, as last read. */
export interface ProductStock {
  shopId: number;
  productUid: string;
  /** For example `EU` or `US-CA`. */
  stockRegionUid: string;
  /**
   * The service's own value: `in-stock`, `out-of-stock-replenishable`, `out-of-stock` or a new value. `not-told` if the service gives no
   * value.
   */
  status: string;
  /** YYYY-MM-DD. */
  replenishmentDate: string | null;
  /**
   * Whether the status came from a stock request, which covers all of a product's regions. Otherwise, it came from an event, which covers
   * only some regions.
   */
  isRead: boolean;
  /** When the status last changed. If it has never changed, when it was first read. */
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
    checkAt: timestampOrNull,
    checkedAt: timestampOrNull,
    problems: { type: 'jsonb', default: [] },
    createdAt: insertTimestamp,
    updatedAt: updateTimestamp,
  },
});

export const LinkMetafieldReadings = new EntitySchema<LinkMetafieldReading>({
  name: 'LinkMetafieldReading',
  // The table keeps its original name, because processes of the previous release still use it during an upgrade.
  tableName: 'link_metafield_problems',
  columns: {
    shopId: { type: 'integer', primary: true },
    shopifyVariantId: { type: 'text', primary: true },
    problems: { type: 'jsonb' },
    readAt: timestamp,
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
    deletedInStoreAt: timestampOrNull,
    checkedAt: timestampOrNull,
    updatedAt: updateTimestamp,
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
    changedAt: timestamp,
    readAt: timestamp,
  },
});
