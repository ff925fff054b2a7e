import { EntitySchema } from 'typeorm';
import { bigId, integer, integerOrNull, text, textOrNull, madeNow, changedNow } from './columns.ts';

/** What makes a store variant printable. */
export interface PrintLink {
  id: string;
  shopId: number;
  shopifyVariantId: string;
  sku: string | null;
  productUid: string;
  fileUrl: string | null;
  /** All pages, front and back covers included; only for products with pages. */
  pageCount: number | null;
  /** Envelopes for each piece, which the earlier interface v2 takes; both null for none. */
  envelopeProductUid: string | null;
  envelopesPerPiece: number | null;
  createdAt: Date;
  updatedAt: Date;
}

export type ConnectionStatus = 'connected' | 'not_connected' | 'ignored';

/** The print service's view of a variant of the shop. */
export interface VariantConnection {
  id: string;
  shopId: number;
  shopifyVariantId: string;
  status: ConnectionStatus;
  storeProductId: string | null;
  updatedAt: Date;
}

export const PrintLinks = new EntitySchema<PrintLink>({
  name: 'PrintLink',
  tableName: 'print_links',
  columns: {
    id: bigId,
    shopId: integer,
    shopifyVariantId: text,
    sku: textOrNull,
    productUid: text,
    fileUrl: textOrNull,
    pageCount: integerOrNull,
    envelopeProductUid: textOrNull,
    envelopesPerPiece: integerOrNull,
    createdAt: madeNow,
    updatedAt: changedNow,
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
    updatedAt: changedNow,
  },
});
