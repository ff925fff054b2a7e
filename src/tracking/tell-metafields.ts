import { createHash } from 'node:crypto';
import { setOrderMetafields } from '../shopify/order-extras.ts';
import { isGranted } from '../shops/scopes.ts';
import type { TellScope } from './tell-store.ts';
import { METAFIELD_TYPES, NOTHING_HELD, toExtras, type MetafieldKey } from './to-extras.ts';
import { keepTold, readTold } from './told.ts';

const KEYS = Object.keys(METAFIELD_TYPES) as MetafieldKey[];

/**
 * Writes where the printing of an order stands to its metafields: those that have changed, in one call. Only where the shop wants it
 * and the store permits it; words of others are overwritten with the customer's data, whatever the shop wants by then. Throws ShopifyError.
 */
export async function tellMetafields(scope: TellScope): Promise<void> {
  const { app, shop, storefrontOrder } = scope;
  const { metafields: told = {} } = readTold(storefrontOrder);
  const values = toValues(scope, 'hold' in told);
  const changed = KEYS.flatMap((key) => {
    const value = values[key];
    return value === undefined || hash(value) === told[key] ? [] : [{ key, type: METAFIELD_TYPES[key], value }];
  });
  if (changed.length === 0 || !(await isGranted(app, shop, 'writesOrderMetafields'))) return;
  await setOrderMetafields(await scope.admin(), storefrontOrder.shopifyOrderId, changed);
  const now = Object.fromEntries(changed.map(({ key, value }) => [key, hash(value)]));
  await keepTold(scope, { metafields: { ...told, ...now } });
}

function toValues(scope: TellScope, hasHold: boolean): Partial<Record<MetafieldKey, string>> {
  const { settings, storefrontOrder } = scope;
  const nothingHeld = hasHold ? { hold: NOTHING_HELD } : {};
  if (settings.writesOrderMetafields) return { ...nothingHeld, ...toExtras(scope)?.metafields };
  return storefrontOrder.redactedAt === null ? {} : nothingHeld;
}

/** What is held may be said in words of others, which are kept in one place alone. */
function hash(value: string): string {
  return createHash('sha256').update(value).digest('base64url').slice(0, 22);
}
