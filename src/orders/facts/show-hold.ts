import type { Hold } from '../../database/entities/orders.ts';
import { remedyOf } from './hold-codes.ts';

/** A hold as it is shown. */
export interface ShownHold {
  code: string;
  field: string | null;
  message: string;
  remedy: string;
  /** Where to fix it in the store's admin; null: elsewhere. */
  adminUrl: string | null;
}

/** A hold with its remedy; `urls` come from `readHoldUrls`. */
export function showHold({ id, code, field, message }: Hold, urls: ReadonlyMap<string, string>): ShownHold {
  return { code, field, message, remedy: remedyOf(code), adminUrl: urls.get(id) ?? null };
}
