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
 * Whether Platen was stopped for a shop by `platen leave` and has not been resumed, even if the store has since rejected the shop's tokens.
 * False for a shop that removed Platen in the admin, because such a shop only needs to reinstall Platen.
 */
export function hasLeftShop({ state, leftAt, signedInAt }: Pick<Shop, 'state' | 'leftAt' | 'signedInAt'>): boolean {
  if (state === 'uninstalled') return false;
  return state === 'leaving' || (leftAt !== null && leftAt >= signedInAt);
}
