import type { EntityManager } from 'typeorm';
import type { App } from '../app.ts';
import { decryptColumn, encryptColumn } from '../database/encrypt-column.ts';
import { ShopTokens } from '../database/shops.ts';
import type { Shop, ShopToken } from '../database/shops.ts';
import { PlatenError } from '../errors.ts';
import type { AdminApi } from '../shopify/admin-api.ts';
import { ShopifyError } from '../shopify/errors.ts';
import type { OfflineToken } from '../shopify/tokens.ts';

type ShopOfToken = Pick<Shop, 'id' | 'domain'>;

/** A token is renewed this long before it expires: what is begun with it can be finished. */
const RENEW_MS = 5 * 60 * 1000;
/** While the store cannot be asked for a new token, the old one is used up to this long before it expires. */
const LAST_USE_MS = 30 * 1000;

/**
 * The Admin API of a shop with a valid offline token, renewed when it expires within five minutes. Refresh tokens rotate: the row is
 * locked meanwhile, so that one process at a time renews it and the others take what it got (Shopify page, "Expiring offline tokens").
 * A call that is answered with 401 renews the token and is made once more, since it had no effect.
 * Throws ShopifyError, and PlatenError `shop_needs_sign_in` when the store takes neither token: the shop's state says so too.
 */
export async function openAdmin(app: App, shop: ShopOfToken): Promise<AdminApi> {
  let accessToken = await readValidToken(app, shop);
  const open = () => app.shopify.admin({ shop: shop.domain, accessToken });
  async function call<Answer>(act: (admin: AdminApi) => Promise<Answer>): Promise<Answer> {
    const used = accessToken;
    try {
      return await act(open());
    } catch (error) {
      if (!isUnauthorized(error)) throw error;
      accessToken = await renewToken(app, shop, used);
      return act(open());
    }
  }
  return {
    shop: shop.domain,
    request: (document, variables) => call((admin) => admin.request(document, variables)),
    requestPartial: (document, variables) => call((admin) => admin.requestPartial(document, variables)),
  };
}

/** Keeps the tokens of a shop, both at once, encrypted. */
export async function saveToken(app: App, manager: EntityManager, shopId: number, token: OfflineToken): Promise<void> {
  const { encryptionKeys } = app.config;
  const { accessToken, refreshToken, ...rest } = token;
  const row: ShopToken = {
    ...rest,
    shopId,
    accessTokenEncrypted: encryptColumn(encryptionKeys, accessPlace(shopId), accessToken),
    refreshTokenEncrypted:
      refreshToken === null ? null : encryptColumn(encryptionKeys, refreshPlace(shopId), refreshToken),
    updatedAt: app.now(),
  };
  await manager.getRepository(ShopTokens).upsert(row, ['shopId']);
}

async function readValidToken(app: App, shop: ShopOfToken): Promise<string> {
  const row = await app.db.getRepository(ShopTokens).findOneBy({ shopId: shop.id });
  if (!row) throw await needSignIn(app, shop, null);
  const accessToken = readAccessToken(app, row);
  if (!expiresWithin(app, row, RENEW_MS)) return accessToken;
  try {
    return await renewToken(app, shop, accessToken);
  } catch (error) {
    const mayPass = error instanceof ShopifyError && error.retryable;
    if (mayPass && !expiresWithin(app, row, LAST_USE_MS)) return accessToken;
    throw error;
  }
}

/** Renews the token unless another process has done so since `stale` was read. */
async function renewToken(app: App, shop: ShopOfToken, stale: string): Promise<string> {
  const renewed = await app.db.transaction(async (manager) => {
    // Longer than the refresh of whoever holds the row.
    await manager.query("set local lock_timeout = '25s'");
    const where = { shopId: shop.id };
    const row = await manager.getRepository(ShopTokens).findOne({ where, lock: { mode: 'for_no_key_update' } });
    if (!row) return { accessToken: null, updatedAt: null };
    const kept = readAccessToken(app, row);
    if (kept !== stale && !expiresWithin(app, row, LAST_USE_MS)) return { accessToken: kept };
    const token = await askForToken(app, shop, row);
    if (!token) return { accessToken: null, updatedAt: row.updatedAt };
    await saveToken(app, manager, shop.id, token);
    return token;
  });
  if (renewed.accessToken === null) throw await needSignIn(app, shop, renewed.updatedAt);
  return renewed.accessToken;
}

/** A new token from the store, null when it refuses the refresh token. */
async function askForToken(app: App, shop: ShopOfToken, row: ShopToken): Promise<OfflineToken | null> {
  if (row.refreshTokenEncrypted === null) return null;
  const { encryptionKeys } = app.config;
  const refreshToken = decryptColumn(encryptionKeys, refreshPlace(shop.id), row.refreshTokenEncrypted);
  try {
    return await app.shopify.refreshToken(shop.domain, refreshToken);
  } catch (error) {
    if (isUnauthorized(error)) return null;
    throw error;
  }
}

/** Keeps that the shop must sign in, unless it has done so since the refused token was saved at `refusedOf`. */
async function needSignIn(app: App, shop: ShopOfToken, refusedOf: Date | null): Promise<PlatenError> {
  await app.db.transaction(async (manager) => {
    // First the lock, then the look: a sign-in under way has been committed by then.
    await manager.query('select from shops where id = $1 for no key update', [shop.id]);
    await manager.query(
      `update shops set state = 'needs_sign_in' where id = $1 and state = 'installed'
        and not exists (select from shop_tokens
          where shop_id = $1 and ($2::timestamptz is null or date_trunc('milliseconds', updated_at) > $2))`,
      [shop.id, refusedOf],
    );
  });
  return new PlatenError(
    'shop_needs_sign_in',
    `The store ${shop.domain} no longer accepts Platen's tokens: open Platen once in the store's admin.`,
  );
}

function readAccessToken(app: App, row: ShopToken): string {
  return decryptColumn(app.config.encryptionKeys, accessPlace(row.shopId), row.accessTokenEncrypted);
}

function expiresWithin(app: App, row: ShopToken, milliseconds: number): boolean {
  return row.expiresAt !== null && row.expiresAt.getTime() - app.now().getTime() <= milliseconds;
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof ShopifyError && error.kind === 'unauthorized';
}

function accessPlace(shopId: number): string {
  return `shop_tokens.access_token:${shopId}`;
}

function refreshPlace(shopId: number): string {
  return `shop_tokens.refresh_token:${shopId}`;
}
