import { EntitySchema } from 'typeorm';
import { timestampOrNull, textOrNull } from './columns.ts';

/** A variant in the store as Platen last checked it, and Platen's changes to it. Platen undoes only these changes. */
export interface VariantInStore {
  shopId: number;
  shopifyVariantId: string;
  /** The titles of the variant and its product. Null if they have not been checked yet. */
  title: string | null;
  /**
   * The SKU in the form that `toLinkedSku` returns, which is used to find print links. Null if the variant has no SKU or has not been
   * checked yet.
   */
  sku: string | null;
  inventoryItemId: string | null;
  /** The ID of the print link for the variant. Null if the variant has no print link. */
  printLinkId: string | null;
  /** The print service's products that make up the variant. */
  productUids: string[];
  /**
   * The facts on which the last check was based: the last change of the variant's connection, a hash of its products' stock, and the
   * regions with reported stock.
   */
  connectionSeen: Date | null;
  stockSeen: string | null;
  regionsSeen: string[] | null;
  /**
   * When Platen stocked the variant at its own location. Written before the request to the store. Null if the variant is not stocked there
   * or someone else stocked it.
   */
  stockedAt: Date | null;
  /**
   * Whether the store has shown the variant at Platen's location since `stockedAt`. If the variant is no longer there, someone has removed
   * it.
   */
  stockedSeen: boolean;
  /** Platen's location when the variant was stocked there, even if someone has since removed it. */
  locationId: string | null;
  /** Whether a person asked Platen to update the variant's stocking, even if the setting `stockAtLocation` is off. */
  locationAsked: boolean;
  /** Why the variant is not stocked at Platen's location, or could not be removed from it. Null if there is no problem. */
  locationProblem: { code: string; message: string } | null;
  /**
   * The variant's state before Platen made it unsellable, and the time of the change. Written before the request to the store. Null if
   * Platen has not changed it.
   */
  found: { tracked: boolean; inventoryPolicy: 'DENY' | 'CONTINUE'; available: number; at?: string } | null;
  /**
   * When the variant became unsellable. If `found` is set, null means that the store is still being changed or did not accept all
   * changes.
   */
  hiddenAt: Date | null;
  /** A note on the variant's stock at the print service, such as why Platen did not change the variant. */
  stockNote: { code: string; message: string } | null;
  /** When the variant became due for a check. Null if the variant is not due. */
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
    connectionSeen: timestampOrNull,
    stockSeen: textOrNull,
    regionsSeen: { type: 'text', array: true, nullable: true },
    stockedAt: timestampOrNull,
    stockedSeen: { type: 'boolean', default: false },
    locationId: textOrNull,
    locationAsked: { type: 'boolean', default: false },
    locationProblem: { type: 'jsonb', nullable: true },
    found: { type: 'jsonb', nullable: true },
    hiddenAt: timestampOrNull,
    stockNote: { type: 'jsonb', nullable: true },
    dueAt: timestampOrNull,
    lookedAt: timestampOrNull,
  },
});
