import { createHash } from 'node:crypto';
import type { StoreView } from './store-view.ts';
import { METAFIELD_TYPES, NOTHING_HELD, toExtras, type MetafieldKey } from './to-extras.ts';
import { readWrittenValues } from './written-values.ts';

const KEYS = Object.keys(METAFIELD_TYPES) as MetafieldKey[];

/** Returns an order's metafields whose value must change. `sign` is the hash that Platen stores instead of the value. */
export function toChangedMetafields(
  view: StoreView,
): { key: MetafieldKey; type: string; value: string; sign: string }[] {
  const { metafields: written = {} } = readWrittenValues(view.storefrontOrder);
  const values = toValues(view, 'hold' in written);
  return KEYS.flatMap((key) => {
    const value = values[key];
    if (value === undefined) return [];
    const sign = hashValue(value);
    return sign === written[key] ? [] : [{ key, type: METAFIELD_TYPES[key], value, sign }];
  });
}

/**
 * The `hold` metafield may quote customer data. For a redacted order, Platen overwrites this metafield even if the shop no longer writes
 * metafields.
 */
function toValues(view: StoreView, hasHold: boolean): Partial<Record<MetafieldKey, string>> {
  const nothingHeld = hasHold ? { hold: NOTHING_HELD } : {};
  if (view.settings.writesOrderMetafields) return { ...nothingHeld, ...toExtras(view)?.metafields };
  return view.storefrontOrder.redactedAt === null ? {} : nothingHeld;
}

/**
 * Hashes a value instead of storing it, because a hold may quote messages from the store or the print service. Platen stores such messages
 * only with the hold, where they can be erased.
 */
function hashValue(value: string): string {
  return createHash('sha256').update(value).digest('base64url').slice(0, 22);
}
