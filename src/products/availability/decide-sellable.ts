import type { VariantInStore } from '../../database/entities/variants-in-store.ts';

/** The state of a variant that may have to be made unsellable. */
export interface SellableFacts extends Pick<VariantInStore, 'found' | 'hiddenAt'> {
  /** Whether the setting `hideOutOfStock` is on and the variant is printed but cannot be delivered. */
  isToHide: boolean;
  /** Whether the variant is stocked at Platen's location. */
  isStocked: boolean;
  tracked: boolean;
  inventoryPolicy: 'DENY' | 'CONTINUE';
  /**
   * Whether someone changed the variant after Platen made it unsellable. Such a variant stays unchanged until it can be delivered again.
   */
  wasChanged: boolean;
}

/**
 * The next step. `hide` makes the variant unsellable, unless it is in stock elsewhere. `restore` restores the original values. `changed`
 * discards the recorded original values, because someone has changed the variant since Platen made it unsellable. With `not_at_location`
 * and `tracked_by_merchant`, the variant stays unchanged for the named reason.
 */
export type SellableStep = 'hide' | 'restore' | 'changed' | 'not_at_location' | 'tracked_by_merchant' | 'nothing';

/**
 * Decides whether to make a variant unsellable or to restore it. Never makes a variant unsellable if someone else already tracks its stock.
 */
export function decideSellable(facts: SellableFacts): SellableStep {
  const { isToHide, isStocked, tracked, inventoryPolicy, found, hiddenAt, wasChanged } = facts;
  if (found !== null && !isToHide) return 'restore';
  if (!isToHide) return 'nothing';
  if (found !== null && hiddenAt === null) return 'hide';
  if (found !== null) return tracked && inventoryPolicy === 'DENY' ? 'nothing' : 'changed';
  if (wasChanged) return 'changed';
  if (!isStocked) return 'not_at_location';
  return tracked ? 'tracked_by_merchant' : 'hide';
}
