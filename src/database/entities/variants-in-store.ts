import { EntitySchema } from 'typeorm';
import { momentOrNull, textOrNull } from './columns.ts';

/** A variant in the store as Platen last looked at it, and what Platen has set of it there: nothing else is ever undone. */
export interface VariantInStore {
  shopId: number;
  shopifyVariantId: string;
  /** Of its product and its own; null: not looked at yet. */
  title: string | null;
  /** As `toLinkedSku` has it, which print links are found by; null: it has none, or was not looked at yet. */
  sku: string | null;
  inventoryItemId: string | null;
  /** The print link by which it is printed; null: none. */
  printLinkId: string | null;
  /** The products of the print service that it is made of. */
  productUids: string[];
  /** What it was judged by when it was looked at: the last change of its connection, the stock of its products, the regions told of. */
  connectionSeen: Date | null;
  stockSeen: string | null;
  regionsSeen: string[] | null;
  /** Since when it is stocked at Platen's location by Platen, written before the store is told; null: it is not, or by somebody else. */
  stockedAt: Date | null;
  /** The store has had it at Platen's location since then: if it is there no more, somebody has taken it away. */
  stockedSeen: boolean;
  /** Platen's location when it was stocked there, also of one that somebody has taken away since. */
  locationId: string | null;
  /** Somebody asked that its location be put in order, whatever the setting says. */
  locationAsked: boolean;
  /** Why its location is not as it should be. */
  locationProblem: { code: string; message: string } | null;
  /** What was there before it was made unsellable, written before the store is told, and since when it is; null: it was not. */
  found: { tracked: boolean; inventoryPolicy: 'DENY' | 'CONTINUE'; available: number; at?: string } | null;
  /** Since when it is unsellable; null beside `found`: the store is being told, or did not take all of it. */
  hiddenAt: Date | null;
  /** What there is to say of its stock at the print service, such as why it was left as it is. */
  stockNote: { code: string; message: string } | null;
  /** Since when it is to be looked at; null: it is not. */
  dueAt: Date | null;
  lookedAt: Date | null;
}

export const VariantsInStore = new EntitySchema<VariantInStore>({
  name: 'VariantInStore',
  tableName: 'variants_in_store',
  columns: {
    shopId: { type: 'integer', primary: true },
    shopifyVariantId: { type: 'text', primary: true },
    title: textOrNull,
    sku: textOrNull,
    inventoryItemId: textOrNull,
    printLinkId: { type: 'bigint', nullable: true },
    productUids: { type: 'text', array: true, default: [] },
    connectionSeen: momentOrNull,
    stockSeen: textOrNull,
    regionsSeen: { type: 'text', array: true, nullable: true },
    stockedAt: momentOrNull,
    stockedSeen: { type: 'boolean', default: false },
    locationId: textOrNull,
    locationAsked: { type: 'boolean', default: false },
    locationProblem: { type: 'jsonb', nullable: true },
    found: { type: 'jsonb', nullable: true },
    hiddenAt: momentOrNull,
    stockNote: { type: 'jsonb', nullable: true },
    dueAt: momentOrNull,
    lookedAt: momentOrNull,
  },
});
