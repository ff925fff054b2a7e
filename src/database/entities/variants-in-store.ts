import { EntitySchema } from 'typeorm';
import { momentOrNull, textOrNull } from './columns.ts';

/** A variant in the store as Platen last checked it, and its changes by Platen: nothing else is ever undone. */
export interface VariantInStore {
  shopId: number;
  shopifyVariantId: string;
  /** The titles of its product and itself; null if not checked yet. */
  title: string | null;
  /** In the form of `toLinkedSku`, by which print links are found; null if it has none, or was not checked yet. */
  sku: string | null;
  inventoryItemId: string | null;
  /** The print link that it is printed by, or null. */
  printLinkId: string | null;
  /** The products of the print service that it consists of. */
  productUids: string[];
  /** What the last check was based on: the last change of its connection, the stock of its products, the reported regions. */
  connectionSeen: Date | null;
  stockSeen: string | null;
  regionsSeen: string[] | null;
  /**
   * When Platen stocked it at its own location, written before the store call; null if it is not, or someone else stocked it.
   */
  stockedAt: Date | null;
  /** The store has shown it at Platen's location since then: if it is no longer there, someone removed it. */
  stockedSeen: boolean;
  /** Platen's location when it was stocked there, even if someone has removed it since. */
  locationId: string | null;
  /** Someone asked to fix its location, whatever the setting says. */
  locationAsked: boolean;
  /** Why its location is not as it should be. */
  locationProblem: { code: string; message: string } | null;
  /** Its state before Platen made it unsellable, and when that was; written before the store call. Null if Platen did not. */
  found: { tracked: boolean; inventoryPolicy: 'DENY' | 'CONTINUE'; available: number; at?: string } | null;
  /** Since when it is unsellable; null beside `found` while the store is being changed, or if it did not accept all of it. */
  hiddenAt: Date | null;
  /** A note on its stock at the print service, such as why it was left unchanged. */
  stockNote: { code: string; message: string } | null;
  /** Since when it is due for a check; null if it is not. */
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
