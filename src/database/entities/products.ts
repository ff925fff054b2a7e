import { EntitySchema } from 'typeorm';
import { bigId, integer, integerOrNull, text, textOrNull } from './columns.ts';
import { madeNow, changedNow, moment, momentOrNull } from './columns.ts';

/** `merchant`: a person or a file set the link. `metafields`: the link was read from the variant's metafields, and follows them. */
export type LinkSource = 'merchant' | 'metafields';

/** Makes a store variant printable or, without a variant, every variant with a SKU that has no print link of its own. */
export interface PrintLink {
  id: string;
  shopId: number;
  shopifyVariantId: string | null;
  /** If there is a variant, the SKU is only for information. */
  sku: string | null;
  productUid: string;
  fileUrl: string | null;
  /** All pages, including the front and back covers. Only for products with pages. */
  pageCount: number | null;
  /** Number of envelopes per piece, which the earlier interface v2 accepts. Both fields are null or both are set. */
  envelopeProductUid: string | null;
  envelopesPerPiece: number | null;
  source: LinkSource;
  /** When the link's file and product are checked next. Null if there is nothing to check. */
  checkAt: Date | null;
  checkedAt: Date | null;
  /** The result of the last check, in the form defined in `products/check-link/link-problem.ts`. */
  problems: { code: string; field: string; message: string; remedy: string }[];
  createdAt: Date;
  updatedAt: Date;
}

/** The result of the last reading of a variant's metafields. */
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
  /** The store product (the service's ID) that determines the status. Null if the service has none. */
  storeProductId: string | null;
  /** Null if it was not read yet. */
  shopifyProductId: string | null;
  /**
   * Why the variant is not connected: a code from `products/store-products/decide-connection.ts`. Null if it is connected, or if a person
   * set the status.
   */
  reason: string | null;
  /** When Platen found that the variant was deleted in the shop. */
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
  /** The service's own value: `in-stock`, `out-of-stock-replenishable`, `out-of-stock` or a new value. `not-told` if it gives none. */
  status: string;
  /** YYYY-MM-DD. */
  replenishmentDate: string | null;
  /**
   * Whether the status was read with the call, which covers every region of a product. Otherwise, it came from an event, which covers some
   * regions.
   */
  isRead: boolean;
  /** When the status last changed. If it never changed, when it was first read. */
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
  // Named after its first content, because processes of the previous release run at the same time.
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
