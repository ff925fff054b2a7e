import type { Shop } from '../../database/entities/shops.ts';
import { PlatenError } from '../../errors.ts';

/** Platen was stopped for this shop (`platen leave`). Someone at the shop must choose to use Platen again. */
export class ShopLeftError extends PlatenError {
  readonly leftAt: Date | null;

  constructor({ leftAt }: Pick<Shop, 'leftAt'>) {
    super('shop_left', 'Platen was stopped for this store. Open it in the admin, and choose "Use Platen again".');
    this.leftAt = leftAt;
  }
}

/**
 * Whether a shop was left and has not resumed since, even if the store has rejected its tokens in the meantime. A shop that removed
 * Platen only needs to reinstall it.
 */
export function isShopLeft({ state, leftAt, signedInAt }: Pick<Shop, 'state' | 'leftAt' | 'signedInAt'>): boolean {
  if (state === 'uninstalled') return false;
  return state === 'leaving' || (leftAt !== null && leftAt >= signedInAt);
}
