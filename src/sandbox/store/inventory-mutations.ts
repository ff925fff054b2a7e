import type { GraphQLResolveInfo } from 'graphql';
import { answerMutation, UserError } from './answer-mutation.ts';
import { actOnce } from './idempotent.ts';
import { inventoryItemView, inventoryLevelView } from './product-view.ts';
import { activateLevel, draftItem, type ItemDraft, saveItem } from './stock.ts';
import { dateTime, notModelled, type View } from './view.ts';
import type { Views } from './views.ts';

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

/** The mutations of where an item is stocked and how much of it. */
export function inventoryMutations(views: Views): View {
  const { store, shop } = views;
  return {
    inventoryActivate: (input: ActivateArguments, info: GraphQLResolveInfo) =>
      answerMutation(['inventoryLevel'], () => {
        const { inventoryItemId, locationId, available, onHand } = input;
        const draft = draftItem(store, shop, inventoryItemId, ['inventoryItemId']);
        const level = activateLevel(store, shop, draft.item, locationId, available ?? onHand);
        actOnce(views, info, input, () => saveItem(store, draft));
        return { inventoryLevel: inventoryLevelView(store, shop, draft.product, draft.variant, level) };
      }),
    inventorySetQuantities: ({ input }: SetArguments, info: GraphQLResolveInfo) =>
      answerMutation(['inventoryAdjustmentGroup'], () => {
        const changes: { name: string; delta: number }[] = [];
        actOnce(views, info, input, () => changes.push(...setQuantities(views, input)));
        const group = { __typename: 'InventoryAdjustmentGroup', id: store.newGid('InventoryAdjustmentGroup') };
        const createdAt = dateTime(new Date().toISOString());
        return { inventoryAdjustmentGroup: { ...group, createdAt, reason: input.reason, changes } };
      }),
    inventoryBulkToggleActivation: (input: ToggleArguments) =>
      answerMutation(['inventoryItem', 'inventoryLevels'], () => toggleLevels(views, input)),
    inventoryDeactivate: ({ inventoryLevelId }: { inventoryLevelId: string }) =>
      answerMutation([], () => {
        const product = store
          .products(shop.domain)
          .find(({ variants }) => variants.some(({ inventoryItem }) => hasLevel(inventoryItem, inventoryLevelId)));
        const variant = product?.variants.find(({ inventoryItem }) => hasLevel(inventoryItem, inventoryLevelId));
        const draft = draftItem(store, shop, variant?.inventoryItem.id ?? '', ['inventoryLevelId']);
        for (const level of draft.item.levels) if (level.id === inventoryLevelId) deactivate(draft, level.locationId);
        saveItem(store, draft);
        return {};
      }),
    inventoryItemUpdate: ({ id, input }: ItemArguments) =>
      answerMutation(['inventoryItem'], () => {
        const draft = draftItem(store, shop, id, ['id']);
        updateItem(draft, input);
        saveItem(store, draft);
        return { inventoryItem: inventoryItemView(store, shop, draft.product, draft.variant) };
      }),
  };
}

/** Changes what can be changed of an inventory item, in place. */
export function updateItem({ variant, item }: ItemDraft, input: ItemArguments['input']): void {
  const { sku, tracked, requiresShipping, ...rest } = input;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw notModelled(`InventoryItemInput.${unknown}`);
  if (sku !== undefined) variant.sku = sku;
  item.tracked = tracked ?? item.tracked;
  item.requiresShipping = requiresShipping ?? item.requiresShipping;
}

function setQuantities({ store, shop }: Views, input: SetArguments['input']) {
  if (input.name !== 'available' && input.name !== 'on_hand') {
    throw new UserError(
      ['input', 'name'],
      "The quantity name must be either 'available' or 'on_hand'.",
      'INVALID_NAME',
    );
  }
  return input.quantities.map(({ inventoryItemId, locationId, quantity, changeFromQuantity }) => {
    const draft = draftItem(store, shop, inventoryItemId, ['input', 'quantities', 'inventoryItemId']);
    const level = draft.item.levels.find((one) => one.locationId === locationId && one.isActive);
    if (!level) {
      const message = 'The inventory item is not stocked at the location.';
      throw new UserError(['input', 'quantities', 'locationId'], message, 'INVALID_LOCATION');
    }
    if (changeFromQuantity !== null && changeFromQuantity !== undefined && changeFromQuantity !== level.available) {
      const message = 'The changeFromQuantity value does not match persisted value.';
      throw new UserError(['input', 'quantities', 'changeFromQuantity'], message, 'CHANGE_FROM_QUANTITY_STALE');
    }
    const delta = quantity - level.available;
    level.available = quantity;
    saveItem(store, draft);
    return { name: input.name, delta };
  });
}

function toggleLevels({ store, shop }: Views, input: ToggleArguments): View {
  const draft = draftItem(store, shop, input.inventoryItemId, ['inventoryItemId']);
  const { product, variant, item } = draft;
  for (const { locationId, activate } of input.inventoryItemUpdates) {
    if (activate) activateLevel(store, shop, item, locationId);
    else deactivate(draft, locationId);
  }
  saveItem(store, draft);
  return {
    inventoryItem: inventoryItemView(store, shop, product, variant),
    inventoryLevels: item.levels
      .filter(({ locationId }) => input.inventoryItemUpdates.some((update) => update.locationId === locationId))
      .map((level) => inventoryLevelView(store, shop, product, variant, level)),
  };
}

function deactivate({ item }: ItemDraft, locationId: string): void {
  const others = item.levels.some((level) => level.isActive && level.locationId !== locationId);
  if (!others) {
    const message = 'The item cannot be unstocked from its only location.';
    throw new UserError(['inventoryItemUpdates'], message, 'CANNOT_DEACTIVATE_FROM_ONLY_LOCATION');
  }
  for (const level of item.levels) if (level.locationId === locationId) level.isActive = false;
}

function hasLevel(item: ItemDraft['item'], levelId: string): boolean {
  return item.levels.some(({ id }) => id === levelId);
}
