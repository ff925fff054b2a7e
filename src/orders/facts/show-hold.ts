import type { Hold } from '../../database/entities/orders.ts';
import { remedyOf } from './hold-codes.ts';

/** A hold as shown in lists and order details. */
export interface ShownHold {
  code: string;
  field: string | null;
  message: string;
  remedy: string;
  /** The page in the store's admin where the cause can be fixed. Null if it is fixed elsewhere. */
  adminUrl: string | null;
}

/** Returns a hold with its remedy. `urls` come from `readHoldUrls`. */
export function showHold({ id, code, field, message }: Hold, urls: ReadonlyMap<string, string>): ShownHold {
  return { code, field, message, remedy: remedyOf(code), adminUrl: urls.get(id) ?? null };
}
