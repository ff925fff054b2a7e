import type { Shop } from '../../database/entities/shops.ts';
import { PlatenError } from '../../errors.ts';

/** Somebody has ended Platen for this shop (`platen leave`): a person of the shop has to say that it is used again. */
export class ShopLeftError extends PlatenError {
  readonly leftAt: Date | null;

  constructor({ leftAt }: Pick<Shop, 'leftAt'>) {
    super('shop_left', 'Platen was ended for this store. Open it in the admin and choose "Use Platen again".');
    this.leftAt = leftAt;
  }
}

/** Whether a shop was left and not taken up again since, also where its tokens were refused meanwhile. A shop that removed Platen installs it again. */
export function isLeft({ state, leftAt, signedInAt }: Pick<Shop, 'state' | 'leftAt' | 'signedInAt'>): boolean {
  if (state === 'uninstalled') return false;
  return state === 'leaving' || (leftAt !== null && leftAt >= signedInAt);
}
