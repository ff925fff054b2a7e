import { createHash } from 'node:crypto';
import type { StoreView } from './store-view.ts';
import { METAFIELD_TYPES, NOTHING_HELD, toExtras, type MetafieldKey } from './to-extras.ts';
import { readWritten } from './written.ts';

const KEYS = Object.keys(METAFIELD_TYPES) as MetafieldKey[];

/** The metafields of an order whose value changes; `sign` is the hash that is kept of a value. */
export function toChangedMetafields(
  view: StoreView,
): { key: MetafieldKey; type: string; value: string; sign: string }[] {
  const { metafields: written = {} } = readWritten(view.storefrontOrder);
  const values = toValues(view, 'hold' in written);
  return KEYS.flatMap((key) => {
    const value = values[key];
    if (value === undefined) return [];
    const sign = hash(value);
    return sign === written[key] ? [] : [{ key, type: METAFIELD_TYPES[key], value, sign }];
  });
}

/** When customer data is erased, quoted messages are overwritten, even if metafields are switched off. */
function toValues(view: StoreView, hasHold: boolean): Partial<Record<MetafieldKey, string>> {
  const nothingHeld = hasHold ? { hold: NOTHING_HELD } : {};
  if (view.settings.writesOrderMetafields) return { ...nothingHeld, ...toExtras(view)?.metafields };
  return view.storefrontOrder.redactedAt === null ? {} : nothingHeld;
}

/** Hashed, since a hold may quote messages of others, which are stored in only one place. */
function hash(value: string): string {
  return createHash('sha256').update(value).digest('base64url').slice(0, 22);
}
