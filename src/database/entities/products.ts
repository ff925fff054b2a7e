import { EntitySchema } from 'typeorm';
import { bigId, integer, integerOrNull, text, textOrNull } from './columns.ts';
import { madeNow, changedNow, moment, momentOrNull } from './columns.ts';

/** `merchant`: a person set it, by hand or by a file. `metafields`: it was read from metafields of the variant, and follows them. */
export type LinkSource = 'merchant' | 'metafields';

/** What makes a store variant printable; or, without a variant, every variant of a SKU that has no print link of its own. */
export interface PrintLink {
  id: string;
  shopId: number;
  shopifyVariantId: string | null;
  /** Beside a variant it is there to be read, and decides nothing. */
  sku: string | null;
  productUid: string;
  fileUrl: string | null;
  /** All pages, front and back covers included; only for products with pages. */
  pageCount: number | null;
  /** Envelopes for each piece, which the earlier interface v2 takes; both null for none. */
  envelopeProductUid: string | null;
  envelopesPerPiece: number | null;
  source: LinkSource;
  /** When its file and its product are checked next; null: nothing is to be checked. */
  checkAt: Date | null;
  checkedAt: Date | null;
  /** What the last check found, as `products/check-link/link-problem.ts` has it. */
  problems: { code: string; field: string; message: string; remedy: string }[];
  createdAt: Date;
  updatedAt: Date;
}

/** What the metafields of a variant came to when they were last read. */
export interface LinkMetafieldReading {
  shopId: number;
  shopifyVariantId: string;
  /** Why they make no print link, as `products/link-metafields/decide-link.ts` has it; empty: nothing is wrong. */
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
  /** The store product, by the service's id, whose word the status is; null: nobody's at the service. */
  storeProductId: string | null;
  /** null: not read yet. */
  shopifyProductId: string | null;
  /** Why it is not connected, a code of `products/store-products/decide-connection.ts`; null: it is, or a person said so. */
  reason: string | null;
  /** When the variant was found to be gone from the shop. */
  deletedInStoreAt: Date | null;
  /** When the poll last looked whether the shop still has the variant. */
  checkedAt: Date | null;
  updatedAt: Date;
}

/** What the print service has of a product in one of its stock regions, as it was last read. */
export interface ProductStock {
  shopId: number;
  productUid: string;
  /** Such as `EU` or `US-CA`. */
  stockRegionUid: string;
  /** As the service says it: `in-stock`, `out-of-stock-replenishable`, `out-of-stock`, or a word that is new; `not-told`: it does not say. */
  status: string;
  /** YYYY-MM-DD. */
  replenishmentDate: string | null;
  /** By the call, which tells of every region of a product; else by an event, which tells of some. */
  isRead: boolean;
  /** Since when it is as it is; when it was first read, at the longest. */
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
  // Named for what was kept of them at first: processes of the release before go on beside this one.
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
