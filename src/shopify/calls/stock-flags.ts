import { randomUUID } from 'node:crypto';
import type { AdminApi } from '../admin/admin-api.ts';
import { runInHalves, sendBatch } from '../admin/batch.ts';
import { ShopifyError } from '../admin/errors.ts';
import { LevelsOfItemDocument, SetQuantitiesDocument, UpdateVariantsDocument } from '../generated/operations.ts';
import type { ProductVariantInventoryPolicy } from '../generated/operations.ts';
import type { Complaint } from './stocking.ts';

/** Number of items whose levels are read per call. Each item costs 61 points. */
const ITEMS_PER_CALL = 10;
/** Number of products changed per call. Each product costs ten points. */
const PRODUCTS_PER_CALL = 50;
/** The maximum for a list in one call (docs/rules/shopify.md#limits). */
const MAX_LIST_LENGTH = 250;

/** The available quantity of an item at one location, and whether the item has stock at other locations. */
export interface ItemStock {
  available: number;
  /** Whether there is stock at another location. Also true if there are more locations than are read. */
  hasStockElsewhere: boolean;
  /** When a quantity at another location last changed, to the second. Null if never or unknown. */
  changedElsewhereAt: Date | null;
}

/** Reads each item's stock, by item ID. Throws ShopifyError. */
export async function readItemStock(
  admin: AdminApi,
  itemIds: readonly string[],
  locationId: string,
): Promise<Map<string, ItemStock>> {
  const found = new Map<string, ItemStock>();
  for (const ids of splitIntoChunks(itemIds, ITEMS_PER_CALL)) {
    const each = ids.map((id) => ({ id }));
    for (const { inventoryItem } of await sendBatch(admin, LevelsOfItemDocument, each)) {
      if (!inventoryItem) continue;
      const { nodes, pageInfo } = inventoryItem.inventoryLevels;
      const levels = nodes.map(({ location, quantities }) => ({
        at: location.id,
        quantity: quantities[0]?.quantity ?? 0,
        changedAt: Date.parse(quantities[0]?.updatedAt ?? ''),
      }));
      const available = levels.find(({ at }) => at === locationId)?.quantity ?? 0;
      const hasStockElsewhere =
        pageInfo.hasNextPage || levels.some(({ at, quantity }) => at !== locationId && quantity > 0);
      const changes = levels.flatMap(({ at, changedAt }) =>
        at === locationId || Number.isNaN(changedAt) ? [] : [changedAt],
      );
      const changedElsewhereAt = changes.length > 0 ? new Date(Math.max(...changes)) : null;
      found.set(inventoryItem.id, { available, hasStockElsewhere, changedElsewhereAt });
    }
  }
  return found;
}

/** A change of a quantity at a location. */
export interface QuantityChange {
  inventoryItemId: string;
  /** The change applies only if the quantity still has this value. */
  from: number;
  to: number;
}

/**
 * Sets quantities at a location, each only if its current value is still the expected one. Returns the reasons for quantities that the
 * store did not set, by item. Throws ShopifyError.
 */
export async function setQuantities(
  admin: AdminApi,
  changes: readonly QuantityChange[],
  locationId: string,
): Promise<Map<string, Complaint>> {
  const refused = new Map<string, Complaint>();
  for (const part of splitIntoChunks(changes, MAX_LIST_LENGTH)) {
    const left = await runInHalves(part, async (some) => {
      const quantities = some.map(({ inventoryItemId, from, to }) => {
        return { inventoryItemId, locationId, quantity: to, changeFromQuantity: from };
      });
      const input = { name: 'available', reason: 'other', quantities };
      const { inventorySetQuantities: payload } = await admin.request(SetQuantitiesDocument, {
        input,
        key: randomUUID(),
      });
      const [first] = payload?.complaints ?? [];
      if (!first) return;
      // The store applies all quantities or none, and its error does not reliably show which item is refused. `runInHalves` therefore sends
      // smaller lists until only the refused item remains.
      if (some.length > 1) throw createRefusal(SetQuantitiesDocument.name, first);
      for (const { inventoryItemId } of some) refused.set(inventoryItemId, toComplaintFromUserError(first));
    });
    for (const [{ inventoryItemId }, error] of left) refused.set(inventoryItemId, toComplaintFromError(error));
  }
  return refused;
}

/** The desired state of a variant. */
export interface VariantChange {
  productId: string;
  variantId: string;
  tracked?: boolean;
  inventoryPolicy?: ProductVariantInventoryPolicy;
}

/** Changes variants, one product at a time. Returns the reasons for unchanged variants, by variant. Throws ShopifyError. */
export async function updateVariants(
  admin: AdminApi,
  changes: readonly VariantChange[],
): Promise<Map<string, Complaint>> {
  const complaints = new Map<string, Complaint>();
  const products = [...Map.groupBy(changes, ({ productId }) => productId)].flatMap(([productId, ofProduct]) =>
    [...splitIntoChunks(ofProduct, MAX_LIST_LENGTH)].map((some) => ({ productId, some })),
  );
  for (const part of splitIntoChunks(products, PRODUCTS_PER_CALL)) {
    const refused = await runInHalves(part, async (those) => {
      const each = those.map(({ productId, some }) => ({ productId, variants: some.map(toInput) }));
      const answers = await sendBatch(admin, UpdateVariantsDocument, each);
      answers.forEach(({ productVariantsBulkUpdate: payload }, at) => {
        for (const { field, code, message } of payload?.complaints ?? []) {
          // The error's path names the input of one variant. An error without a path concerns all variants of the product.
          const named = those[at]?.some[Number(field?.[0] === 'variants' ? field[1] : Number.NaN)];
          for (const one of named ? [named] : (those[at]?.some ?? []))
            complaints.set(one.variantId, toComplaintFromUserError({ code, message }));
        }
      });
    });
    for (const [{ some }, error] of refused)
      for (const { variantId } of some) complaints.set(variantId, toComplaintFromError(error));
  }
  return complaints;
}

function toInput({ variantId, tracked, inventoryPolicy }: VariantChange) {
  return {
    id: variantId,
    ...(inventoryPolicy === undefined ? {} : { inventoryPolicy }),
    ...(tracked === undefined ? {} : { inventoryItem: { tracked } }),
  };
}

function createRefusal(operation: string, { code, message }: { code: string | null; message: string }): ShopifyError {
  const userErrors = [{ field: null, message }];
  return new ShopifyError('user_error', { operation, effect: 'none', userErrors, codes: code === null ? [] : [code] });
}

function toComplaintFromUserError({ code, message }: { code: string | null; message: string }): Complaint {
  return { code: (code ?? 'INVALID_INPUT').toLowerCase(), message };
}

function toComplaintFromError({ code, message, userErrors }: ShopifyError): Complaint {
  return { code, message: userErrors[0]?.message ?? message };
}

function* splitIntoChunks<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
