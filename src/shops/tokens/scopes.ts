import type { App } from '../../app.ts';
import { ShopTokens } from '../../database/entities/shops.ts';
import type { Shop } from '../../database/entities/shops.ts';
import { ScopeNeededError } from '../../errors.ts';
import type { OptionalScope } from '../../shopify/auth/access-scopes.ts';
import { readAccessScopes } from '../../shopify/calls/shop.ts';
import { fillSettings } from '../settings/settings-schema.ts';
import type { SettingsChange } from '../settings/settings-schema.ts';
import { openAdmin } from './tokens.ts';

/** The permission that a setting needs: an optional scope in `shopify.app.toml`, requested when the setting is turned on. */
export const settingScopes = {
  sendsCustomerId: 'read_customers',
  takesOrdersFrom: 'read_all_orders',
  liveRates: 'write_shipping',
  tagsOrders: 'write_orders',
  writesOrderMetafields: 'write_orders',
  writesConnectionStatus: 'write_products',
  stockAtLocation: 'read_shipping',
  hideOutOfStock: 'write_products',
} as const satisfies Partial<Record<keyof SettingsChange, OptionalScope>>;

/** The permission for correcting an order's address in Platen. It is requested when the merchant corrects the address. */
export const addressScope: OptionalScope = 'write_orders';

/** A chosen setting that has no effect because the store has revoked its permission. */
export interface SettingWithoutScope {
  setting: keyof typeof settingScopes;
  scope: OptionalScope;
}

/** Orders older than this cannot be read without `read_all_orders` (docs/rules/shopify.md#orders-older-than-60-days). */
const READABLE_MS = 60 * 24 * 60 * 60 * 1000;

/** Returns the access scopes that a shop has granted, as recorded in its row. The result is empty for a shop without a token. */
export async function readGrantedScopes(app: App, shop: Pick<Shop, 'id'>): Promise<ReadonlySet<string>> {
  const token = await app.db.getRepository(ShopTokens).findOneBy({ shopId: shop.id });
  return toGranted(token?.scopes.split(',') ?? []);
}

/**
 * Reads the currently granted scopes from the store, stores them and returns them. Throws ShopifyError, and PlatenError
 * `shop_needs_sign_in`.
 */
export async function refreshGrantedScopes(app: App, shop: Pick<Shop, 'id' | 'domain'>): Promise<ReadonlySet<string>> {
  const scopes = await readAccessScopes(await openAdmin(app, shop, { whileLeaving: true }));
  // Leaves `updated_at` unchanged, because it records when the token was last renewed.
  await app.db.query('update shop_tokens set scopes = $2 where shop_id = $1', [shop.id, scopes.join(',')]);
  return toGranted(scopes);
}

/**
 * Rejects a change that turns on a setting whose permission the store has not granted. If a permission is missing in Platen's records, the
 * granted permissions are read from the store first. Throws ScopeNeededError with all missing scopes, and ShopifyError.
 */
export async function requireScopes(app: App, shop: Shop, change: SettingsChange): Promise<void> {
  const needed = findNeededScopes(app, shop, change);
  if (needed.length === 0 || withoutGranted(needed, await readGrantedScopes(app, shop)).length === 0) return;
  const missing = withoutGranted(needed, await refreshGrantedScopes(app, shop));
  const [first] = missing;
  if (first === undefined) return;
  const { setting, scope } = first;
  const message = `${setting}: the store has not granted Platen the permission ${scope}, which this setting needs. Open Platen in the store's admin, and turn on the setting there. The store then requests the permission.`;
  throw new ScopeNeededError(
    setting,
    missing.map((one) => one.scope),
    message,
  );
}

/**
 * Refuses to read orders placed more than 60 days ago without `read_all_orders`, because the store would silently omit them. The granted
 * scopes are read from the store first. Throws ScopeNeededError, and ShopifyError.
 */
export async function requireReadableOrders(app: App, shop: Shop, since: Date): Promise<void> {
  const oldest = new Date(app.clock.now().getTime() - READABLE_MS);
  if (since >= oldest || (await refreshGrantedScopes(app, shop)).has(settingScopes.takesOrdersFrom)) return;
  const message = `since: Platen can read orders placed before ${oldest.toISOString()}, 60 days ago, only with the permission ${settingScopes.takesOrdersFrom}, which the store has not granted. Choose a later time, or have Shopify approve the permission for the app and grant it on Platen's page in the store's admin.`;
  throw new ScopeNeededError('since', [settingScopes.takesOrdersFrom], message);
}

/**
 * Refuses to change an order's address without the permission. The granted scopes are read from the store first, because the webhook about
 * a revoked permission may still be on its way. Throws ScopeNeededError, and ShopifyError.
 */
export async function requireAddressScope(app: App, shop: Pick<Shop, 'id' | 'domain'>): Promise<void> {
  if ((await refreshGrantedScopes(app, shop)).has(addressScope)) return;
  const message = `The store has not granted Platen the permission ${addressScope}, without which Platen cannot change the address. Grant it, or change the address in your store.`;
  throw new ScopeNeededError('address', [addressScope], message);
}

/** Returns the chosen settings that have no effect because the store has revoked their permission. */
export async function settingsWithoutScope(app: App, shop: Shop): Promise<SettingWithoutScope[]> {
  const needed = findScopesOfFlags(fillSettings(shop.settings));
  // Orders placed after the installation were imported when they arrived, regardless of their current age.
  if (shop.takesOrdersFrom.getTime() < shop.installedAt.getTime() - READABLE_MS)
    needed.push(toSettingWithScope('takesOrdersFrom'));
  return needed.length === 0 ? [] : withoutGranted(needed, await readGrantedScopes(app, shop));
}

/** Returns whether a customer's ID may be read and sent: the shop must have chosen this, and the store must permit it. */
export async function canReadCustomer(app: App, shop: Pick<Shop, 'id' | 'settings'>): Promise<boolean> {
  return fillSettings(shop.settings).sendsCustomerId && (await isGranted(app, shop, 'sendsCustomerId'));
}

/** Returns whether the store has granted a setting's permission, regardless of whether the setting is on or off. */
export async function isGranted(app: App, shop: Pick<Shop, 'id'>, setting: FlagWithScope): Promise<boolean> {
  return (await readGrantedScopes(app, shop)).has(settingScopes[setting]);
}

const flagsWithScope = [
  'sendsCustomerId',
  'liveRates',
  'tagsOrders',
  'writesOrderMetafields',
  'writesConnectionStatus',
  'hideOutOfStock',
  'stockAtLocation',
] as const;
type FlagWithScope = (typeof flagsWithScope)[number];

function findScopesOfFlags(settings: Partial<Record<FlagWithScope, boolean | undefined>>): SettingWithoutScope[] {
  return flagsWithScope.filter((flag) => settings[flag]).map(toSettingWithScope);
}

function findNeededScopes(app: App, shop: Shop, change: SettingsChange): SettingWithoutScope[] {
  const { takesOrdersFrom } = change;
  const needed = findScopesOfFlags(change);
  // Only a change to an earlier date needs an additional permission.
  const reachesBack = takesOrdersFrom !== undefined && takesOrdersFrom < shop.takesOrdersFrom;
  if (reachesBack && takesOrdersFrom.getTime() < app.clock.now().getTime() - READABLE_MS)
    needed.push(toSettingWithScope('takesOrdersFrom'));
  return needed;
}

function toSettingWithScope(setting: keyof typeof settingScopes): SettingWithoutScope {
  return { setting, scope: settingScopes[setting] };
}

function withoutGranted(needed: readonly SettingWithoutScope[], granted: ReadonlySet<string>): SettingWithoutScope[] {
  return needed.filter(({ scope }) => !granted.has(scope));
}

/** Shopify does not always list a read scope that a write scope includes. */
function toGranted(scopes: readonly string[]): ReadonlySet<string> {
  const listed = scopes.map((scope) => scope.trim()).filter((scope) => scope !== '');
  return new Set(listed.flatMap((scope) => [scope, scope.replace(/^write_/, 'read_')]));
}
