import type { VariantInStore } from '../../database/entities/variants-in-store.ts';

/** What is known of a variant that may have to be unsellable. */
export interface SellableFacts extends Pick<VariantInStore, 'found' | 'hiddenAt'> {
  /** It cannot be delivered, is printed, and the setting is on. */
  isToHide: boolean;
  /** It is stocked at Platen's location. */
  isStocked: boolean;
  tracked: boolean;
  inventoryPolicy: 'DENY' | 'CONTINUE';
  /** Somebody has changed what Platen had set, and it was left as it is: so it is until it can be delivered again. */
  wasChanged: boolean;
}

/**
 * What is to be done: `hide` it, unless there is stock of it elsewhere; `restore` what was found; `changed`, forget what was found, since
 * somebody has changed it meanwhile; leave it, with the reason; or nothing.
 */
export type SellableStep = 'hide' | 'restore' | 'changed' | 'not_at_location' | 'tracked_by_merchant' | 'nothing';

/** What the store is told of a variant's stock. Whatever counts its stock already is somebody else's, and is never touched. */
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
