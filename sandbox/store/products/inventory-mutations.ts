import type { GraphQLResolveInfo } from 'graphql';
import { runMutation, UserError } from '../graphql/run-mutation.ts';
import { runIdempotent } from '../graphql/run-idempotent.ts';
import { inventoryItemView, inventoryLevelView } from './product-view.ts';
import type { Variant } from './product-state.ts';
import type { Shop } from '../state.ts';
import type { Store } from '../store.ts';
import { activateLevel, draftItem, type ItemDraft, saveItem } from './stock.ts';
import { dateTime, notModeledError, queryError, type View } from '../graphql/view.ts';
import type { Views } from '../graphql/views.ts';

interface ActivateArguments {
  inventoryItemId: string;
  locationId: string;
  available?: number | null;
  onHand?: number | null;
}

interface SetArguments {
  input: {
    name: string;
    reason: string;
    quantities: { inventoryItemId: string; locationId: string; quantity: number; changeFromQuantity?: number | null }[];
  };
}

interface ToggleArguments {
  inventoryItemId: string;
  inventoryItemUpdates: { locationId: string; activate: boolean }[];
}

interface ItemArguments {
  id: string;
  input: { sku?: string | null; tracked?: boolean | null; requiresShipping?: boolean | null };
}

/** The valid reasons for changing a quantity (shopify.dev, quantities and states). */
const REASONS: ReadonlySet<string> = new Set([
  'correction',
  'cycle_count_available',
  'damaged',
  'movement_created',
  'movement_updated',
  'movement_received',
  'movement_canceled',
  'other',
  'promotion',
  'quality_control',
  'received',
  'reservation_created',
  'reservation_deleted',
  'reservation_updated',
  'restock',
  'safety_stock',
  'shrinkage',
]);

/** Returns the mutations for inventory items, their locations and quantities. */
export function inventoryMutations(views: Views): View {
  const { store, shop } = views;
  return {
    inventoryActivate: (input: ActivateArguments, info: GraphQLResolveInfo) =>
      runMutation(['inventoryLevel'], () => {
        const { inventoryItemId, locationId, available, onHand } = input;
        const draft = draftItem(store, shop, inventoryItemId, ['inventoryItemId']);
        requireSku(shop, draft, locationId);
        const level = activateLevel(store, shop, draft.item, locationId, available ?? onHand);
        runIdempotent(views, info, input, () => saveItem(store, draft));
        return { inventoryLevel: inventoryLevelView(store, shop, draft.product, draft.variant, level) };
      }),
    inventorySetQuantities: ({ input }: SetArguments, info: GraphQLResolveInfo) =>
      runMutation(['inventoryAdjustmentGroup'], () => {
        const changes: { name: string; delta: number }[] = [];
        runIdempotent(views, info, input, () => changes.push(...setQuantities(views, input)));
        const group = { __typename: 'InventoryAdjustmentGroup', id: store.newGid('InventoryAdjustmentGroup') };
        const createdAt = dateTime(store.clock.now().toISOString());
        return { inventoryAdjustmentGroup: { ...group, createdAt, reason: input.reason, changes } };
      }),
    inventoryBulkToggleActivation: (input: ToggleArguments) =>
      runMutation(['inventoryItem', 'inventoryLevels'], () => toggleLevels(views, input)),
    inventoryDeactivate: ({ inventoryLevelId }: { inventoryLevelId: string }) =>
      runMutation([], () => {
        const product = store
          .products(shop.domain)
          .find(({ variants }) => variants.some(({ inventoryItem }) => hasLevel(inventoryItem, inventoryLevelId)));
        const variant = product?.variants.find(({ inventoryItem }) => hasLevel(inventoryItem, inventoryLevelId));
        const draft = draftItem(store, shop, variant?.inventoryItem.id ?? '', ['inventoryLevelId']);
        for (const level of draft.item.levels)
          if (level.id === inventoryLevelId) deactivateLevel(views, draft, level.locationId);
        saveItem(store, draft);
        return {};
      }),
    inventoryItemUpdate: ({ id, input }: ItemArguments) =>
      runMutation(['inventoryItem'], () => {
        const draft = draftItem(store, shop, id, ['id']);
        updateItem(draft, input);
        saveItem(store, draft);
        return { inventoryItem: inventoryItemView(store, shop, draft.product, draft.variant) };
      }),
  };
}

/** Changes the editable fields of an inventory item in place. */
export function updateItem({ variant, item }: ItemDraft, input: ItemArguments['input']): void {
  const { sku, tracked, requiresShipping, ...rest } = input;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw notModeledError(`InventoryItemInput.${unknown}`);
  if (sku !== undefined) variant.sku = sku;
  item.tracked = tracked ?? item.tracked;
  item.requiresShipping = requiresShipping ?? item.requiresShipping;
}

const MAX_QUANTITIES = 250;
const MAX_QUANTITY = 1_000_000_000;

/** Sets either all quantities or none: a single invalid quantity leaves every item unchanged. */
function setQuantities({ store, shop }: Views, input: SetArguments['input']) {
  const refuse = (field: string, message: string, code: string) =>
    new UserError(['input', ...field.split('.')], message, code);
  if (input.name !== 'available' && input.name !== 'on_hand')
    throw refuse('name', "The quantity name must be either 'available' or 'on_hand'.", 'INVALID_NAME');
  if (!REASONS.has(input.reason)) throw refuse('reason', 'The specified reason is invalid.', 'INVALID_REASON');
  if (input.quantities.length > MAX_QUANTITIES)
    throw queryError(`The input array size of ${input.quantities.length} is greater than the maximum allowed of 250.`);
  const drafts = new Map<string, ItemDraft>();
  const seen = new Set<string>();
  const changes = input.quantities.map(({ inventoryItemId, locationId, quantity, changeFromQuantity }, index) => {
    const at = `quantities.${index}`;
    const pair = `${inventoryItemId} ${locationId}`;
    if (seen.has(pair)) {
      const message = 'The combination of inventoryItemId and locationId must be unique.';
      throw refuse(`${at}.locationId`, message, 'NO_DUPLICATE_INVENTORY_ITEM_ID_GROUP_ID_PAIR');
    }
    seen.add(pair);
    const known =
      drafts.get(inventoryItemId) ?? productDraft(drafts, store.productOf(inventoryItemId)?.id, inventoryItemId);
    const draft = known ?? draftItem(store, shop, inventoryItemId, ['input', ...at.split('.'), 'inventoryItemId']);
    drafts.set(inventoryItemId, draft);
    const level = draft.item.levels.find((one) => one.locationId === locationId && one.isActive);
    if (!level) {
      throw refuse(`${at}.locationId`, 'The inventory item is not stocked at the location.', 'INVALID_LOCATION');
    }
    if (quantity < 0) throw refuse(`${at}.quantity`, "The quantity can't be negative.", 'INVALID_QUANTITY_NEGATIVE');
    if (quantity > MAX_QUANTITY) {
      const message = "The total quantity can't be higher than 1,000,000,000.";
      throw refuse(`${at}.quantity`, message, 'INVALID_QUANTITY_TOO_HIGH');
    }
    if (changeFromQuantity !== null && changeFromQuantity !== undefined && changeFromQuantity !== level.available) {
      const message = 'The changeFromQuantity value does not match persisted value.';
      throw refuse(`${at}.changeFromQuantity`, message, 'CHANGE_FROM_QUANTITY_STALE');
    }
    const delta = quantity - level.available;
    level.available = quantity;
    return { name: input.name, delta };
  });
  for (const draft of drafts.values()) saveItem(store, draft);
  return changes;
}

/** Returns an item's draft that shares the product draft of another item, or undefined if the product has no draft yet. */
function productDraft(drafts: ReadonlyMap<string, ItemDraft>, productId: string | undefined, itemId: string) {
  const product = [...drafts.values()].find((one) => one.product.id === productId)?.product;
  const variant = product?.variants.find(({ inventoryItem }) => inventoryItem.id === itemId);
  return product && variant ? { product, variant, item: variant.inventoryItem } : undefined;
}

/** Applies either all updates or none. Errors have the codes of this mutation. */
function toggleLevels(views: Views, input: ToggleArguments): View {
  const { store, shop } = views;
  const draft = withCode('INVENTORY_ITEM_NOT_FOUND', () =>
    draftItem(store, shop, input.inventoryItemId, ['inventoryItemId']),
  );
  const { product, variant, item } = draft;
  for (const { locationId, activate } of input.inventoryItemUpdates) {
    if (activate) {
      requireSku(shop, draft, locationId);
      withCode('LOCATION_NOT_FOUND', () => activateLevel(store, shop, item, locationId));
    } else deactivateLevel(views, draft, locationId);
  }
  saveItem(store, draft);
  return {
    inventoryItem: inventoryItemView(store, shop, product, variant),
    inventoryLevels: item.levels
      .filter(({ locationId }) => input.inventoryItemUpdates.some((update) => update.locationId === locationId))
      .map((level) => inventoryLevelView(store, shop, product, variant, level)),
  };
}

function withCode<Value>(code: string, act: () => Value): Value {
  try {
    return act();
  } catch (error) {
    throw error instanceof UserError ? new UserError(error.field, error.message, code) : error;
  }
}

/**
 * Throws a user error if an item without a SKU is stocked at a fulfillment service's location, because these services identify items by
 * SKU.
 */
function requireSku({ fulfillmentServices }: Shop, { variant }: ItemDraft, locationId: string): void {
  const isService = fulfillmentServices.some((service) => service.locationId === locationId);
  if (!isService || variant.sku?.trim()) return;
  const message = 'Cannot stock this inventory item at this location because the variant is missing a SKU.';
  throw new UserError(['locationId'], message, 'MISSING_SKU');
}

function deactivateLevel({ store }: Views, { variant, item }: ItemDraft, locationId: string): void {
  const level = item.levels.find((one) => one.isActive && one.locationId === locationId);
  if (!level) return;
  const others = item.levels.some((one) => one.isActive && one.locationId !== locationId);
  if (!others) {
    const message = 'The item cannot be unstocked from its only location.';
    throw new UserError(['inventoryItemUpdates'], message, 'CANNOT_DEACTIVATE_FROM_ONLY_LOCATION');
  }
  if (item.tracked && isCommitted(store, variant, locationId)) {
    const message = 'Cannot unstock this inventory item from this location because it has committed quantities.';
    throw new UserError(['inventoryItemUpdates'], message, 'COMMITTED_INVENTORY_AT_LOCATION');
  }
  level.isActive = false;
  level.available = 0;
}

/** Returns whether an open order for the variant is at the location. */
function isCommitted(store: Store, { id }: Variant, locationId: string): boolean {
  return store.orders().some(({ lineItems, fulfillmentOrders }) => {
    const lines = new Set(lineItems.filter(({ variantId }) => variantId === id).map((line) => line.id));
    const there = fulfillmentOrders.filter((one) => one.locationId === locationId);
    return there.some((one) =>
      one.lines.some(({ lineItemId, remainingQuantity }) => remainingQuantity > 0 && lines.has(lineItemId)),
    );
  });
}

function hasLevel(item: ItemDraft['item'], levelId: string): boolean {
  return item.levels.some(({ id }) => id === levelId);
}
