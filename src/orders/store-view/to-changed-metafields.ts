import { createHash } from 'node:crypto';
import type { StoreView } from './store-view.ts';
import { METAFIELD_TYPES, NOTHING_HELD, toExtras, type MetafieldKey } from './to-extras.ts';
import { readWrittenValues } from './written-values.ts';

const KEYS = Object.keys(METAFIELD_TYPES) as MetafieldKey[];

/** The changes to an order's metafields. */
interface ChangedMetafields {
  /** `sign` is the hash that Platen stores instead of the value. */
  set: { key: MetafieldKey; type: string; value: string; sign: string }[];
  removed: MetafieldKey[];
}

/**
 * Computes the changes to an order's metafields, or null if nothing changes. Removes metafields that no longer have a value, and all of
 * them if the shop no longer wants metafields, so that buyers and workflows never see an outdated state.
 */
export function toChangedMetafields(view: StoreView): ChangedMetafields | null {
  const { metafields: written = {} } = readWrittenValues(view.storefrontOrder);
  const nothingHeld = 'hold' in written ? { hold: NOTHING_HELD } : {};
  const values: Partial<Record<MetafieldKey, string>> = view.settings.writesOrderMetafields
    ? { ...nothingHeld, ...toExtras(view)?.metafields }
    : {};
  const set = KEYS.flatMap((key) => {
    const value = values[key];
    if (value === undefined) return [];
    const sign = hashValue(value);
    return sign === written[key] ? [] : [{ key, type: METAFIELD_TYPES[key], value, sign }];
  });
  const removed = KEYS.filter((key) => key in written && values[key] === undefined);
  return set.length + removed.length === 0 ? null : { set, removed };
}

/**
 * Hashes a value instead of storing it, because a hold may quote messages from the store or the print service. Platen stores such messages
 * only with the hold, where they can be erased.
 */
function hashValue(value: string): string {
  return createHash('sha256').update(value).digest('base64url').slice(0, 22);
}
