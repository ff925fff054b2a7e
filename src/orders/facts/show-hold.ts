import type { Hold } from '../../database/entities/orders.ts';
import { remedyOf } from './hold-codes.ts';

/** What waits for a person, as it is shown. */
export interface ShownHold {
  code: string;
  field: string | null;
  message: string;
  remedy: string;
  /** Where in the store's admin it is mended; null: elsewhere. */
  adminUrl: string | null;
}

/** A hold with what to do about it; `urls` as `readHoldUrls` reads them. */
export function showHold({ id, code, field, message }: Hold, urls: ReadonlyMap<string, string>): ShownHold {
  return { code, field, message, remedy: remedyOf(code), adminUrl: urls.get(id) ?? null };
}
