import { EntitySchema } from 'typeorm';
import { bigId, integer, insertTimestamp, timestamp, timestampOrNull, owner, text, textOrNull } from './columns.ts';

/** A store at the print service that belongs to this shop. Platen learns of the store when it reads one of the store's products. */
export interface PrintStore {
  shopId: number;
  storeId: string;
  firstSeenAt: Date;
  /** The position in the store's product list up to which the poll has listed products in the current round. */
  listedTo: number;
  roundStartedAt: Date;
  /** When the poll last began to list the store's products. Null if the poll has not listed them yet. */
  listedAt: Date | null;
}

/** One of the shop's products, as last read from the print service. */
export interface StoreProduct {
  id: string;
  shopId: number;
  /** The account whose key was used to read the product. */
  printAccountId: number;
  storeId: string;
  storeProductId: string;
  /** The product's ID in the shop. Null if the product has not been published there yet. */
  shopifyProductId: string | null;
  title: string | null;
  /** The service's own value: `created`, `publishing`, `publishing_error`, `active` or a new value. */
  status: string | null;
  publishingErrorCode: string | null;
  /** When the product entered `publishing`. Null if the product has another status. */
  publishingSince: Date | null;
  /** A hash of the data that Platen stores from a reading. If a new reading has the same hash, nothing has changed. */
  readingSha256: string;
  /** When Platen started the reading that this row contains. */
  readAt: Date;
  /** When the poll last found the product in the store's list. */
  listedAt: Date | null;
  /** When Platen found that the service had deleted the product. */
  deletedAt: Date | null;
  /** When Platen found that the product had been deleted in the shop. */
  deletedInStoreAt: Date | null;
  createdAt: Date;
}

/** A variant of a store product. */
export interface StoreProductVariant {
  /** The ID of the row of its store product. */
  storeProductId: string;
  storeVariantId: string;
  shopId: number;
  shopifyVariantId: string | null;
  title: string | null;
  /** The connection status that the service reports. */
  status: string | null;
  /** When the variant was first missing from its store product's variants. */
  removedAt: Date | null;
}

/** The value that was last written to the connection metafield of one of the shop's products or variants. */
export interface ConnectionMetafield {
  shopId: number;
  /** The GID of the product or variant. */
  ownerId: string;
  /** Null if no value has been written yet. */
  value: string | null;
  writtenAt: Date | null;
  /** The value that the store refused, and when. Null if nothing was refused since the last write. */
  refusedValue: string | null;
  refusedAt: Date | null;
}

export const PrintStores = new EntitySchema<PrintStore>({
  name: 'PrintStore',
  tableName: 'print_stores',
  columns: {
    shopId: { type: 'integer', primary: true },
    storeId: { type: 'text', primary: true },
    firstSeenAt: insertTimestamp,
    listedTo: { type: 'integer', default: 0 },
    roundStartedAt: insertTimestamp,
    listedAt: timestampOrNull,
  },
});

export const StoreProducts = new EntitySchema<StoreProduct>({
  name: 'StoreProduct',
  tableName: 'store_products',
  columns: {
    id: bigId,
    shopId: integer,
    printAccountId: integer,
    storeId: text,
    storeProductId: text,
    shopifyProductId: textOrNull,
    title: textOrNull,
    status: textOrNull,
    publishingErrorCode: textOrNull,
    publishingSince: timestampOrNull,
    readingSha256: text,
    readAt: timestamp,
    listedAt: timestampOrNull,
    deletedAt: timestampOrNull,
    deletedInStoreAt: timestampOrNull,
    createdAt: insertTimestamp,
  },
});

export const StoreProductVariants = new EntitySchema<StoreProductVariant>({
  name: 'StoreProductVariant',
  tableName: 'store_product_variants',
  columns: {
    storeProductId: { ...owner, primary: true },
    storeVariantId: { type: 'text', primary: true },
    shopId: integer,
    shopifyVariantId: textOrNull,
    title: textOrNull,
    status: textOrNull,
    removedAt: timestampOrNull,
  },
});

export const ConnectionMetafields = new EntitySchema<ConnectionMetafield>({
  name: 'ConnectionMetafield',
  tableName: 'connection_metafields',
  columns: {
    shopId: { type: 'integer', primary: true },
    ownerId: { type: 'text', primary: true },
    value: textOrNull,
    writtenAt: timestampOrNull,
    refusedValue: textOrNull,
    refusedAt: timestampOrNull,
  },
});
