import type { DataSource, EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import { decryptColumn, encryptColumn } from '../../database/encrypt-column.ts';
import { ShopTokens } from '../../database/entities/shops.ts';
import type { Shop, ShopToken } from '../../database/entities/shops.ts';
import { PlatenError } from '../../errors.ts';
import type { AdminApi } from '../../shopify/admin/admin-api.ts';
import { ShopifyError } from '../../shopify/admin/errors.ts';
import { GrantRefusedError } from '../../shopify/auth/exchange-tokens.ts';
import type { OfflineToken } from '../../shopify/auth/exchange-tokens.ts';
import { clearAdminRefused, noteAdminRefused } from './admin-refused.ts';
import { underLock } from './under-lock.ts';

type ShopOfToken = Pick<Shop, 'id' | 'domain'>;
type WhileLeaving = boolean | 'only';

/** A token is renewed this long before it expires: what is begun with it can be finished. */
const RENEW_MS = 5 * 60 * 1000;
/** While the store cannot be asked for a new token, the old one is used up to this long before it expires. */
const LAST_USE_MS = 30 * 1000;

/** What was read of a shop's row holds for the calls that follow within this time; a call that fails has the row read again. */
const HOLD_MS = 5_000;

/** The renewals under way in this process, by the token they replace: jobs of one shop share one, and one connection to the database. */
const renewals = new WeakMap<DataSource, Map<string, Promise<string>>>();

/**
 * The Admin API of a shop with a valid offline token, renewed when it expires within five minutes. Refresh tokens rotate: the row is
 * locked meanwhile, so that one process at a time renews it and the others take what it got (Shopify page, "Expiring offline tokens").
 * A call that is answered with 401 renews the token and is made once more, since it had no effect; when the renewal is refused too,
 * in whatever words, the shop must sign in. The shop's row is read first, and again for a call some seconds later. Once the shop has
 * removed Platen, or must sign in, no further call is made. While the store is being left, only callers with `whileLeaving` may call, and
 * each call reads the row again; callers with `only` must stop once the shop uses Platen again. The calls of a job that handles many
 * products (`isBulk`) wait behind those of orders. `seen`: the rows as they were just read for something else.
 * Throws ShopifyError, and PlatenError `shop_needs_sign_in` when the store takes neither token: the shop's state says so too.
 */
export async function openAdmin(
  app: App,
  shop: ShopOfToken,
  {
    whileLeaving = false,
    isBulk = false,
    seen = null,
  }: { whileLeaving?: WhileLeaving; isBulk?: boolean; seen?: SeenToken | null } = {},
): Promise<AdminApi> {
  let held: Look | null = await look(seen);
  async function look(row: SeenToken | null = null): Promise<Look> {
    const at = app.now();
    const isFresh = row !== null && at.getTime() - row.at.getTime() < HOLD_MS;
    const read = isFresh ? row : { at, ...(await readRow(app, shop)) };
    return { at: read.at, ...(await toValidToken(app, shop, read, whileLeaving)) };
  }

  async function lookLately(): Promise<Look> {
    const isFresh = held !== null && app.now().getTime() - held.at.getTime() < HOLD_MS;
    if (held !== null && isFresh && whileLeaving === false) return held;
    return look();
  }

  async function call<Answer>(act: (admin: AdminApi) => Promise<Answer>): Promise<Answer> {
    const looked = await lookLately();
    const { at: askedAt, accessToken, isRefused } = looked;
    // After a failure the next call reads the row again.
    held = null;
    let isRenewed = false;
    const ask = (token: string) => act(app.shopify.admin({ shop: shop.domain, accessToken: token, isBulk }));
    try {
      const answer = await ask(accessToken).catch(async (error: unknown) => {
        if (!isUnauthorized(error)) throw error;
        isRenewed = true;
        return ask(await renewOnce(app, shop, accessToken));
      });
      if (isRefused) await clearAdminRefused(app, shop);
      else if (!isRenewed) held = looked;
      return answer;
    } catch (error) {
      await noteAdminRefused(app, shop, error);
      // The API refused the token, and no other is to be had.
      if (error instanceof GrantRefusedError) throw await needSignIn(app, shop, askedAt);
      // The new token was refused as well: it is worth nothing, whatever the store said as it gave it.
      if (isUnauthorized(error)) throw await needSignIn(app, shop, app.now());
      throw error;
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

/** What one look at a shop says of its token; `isRefused`: the store answered 403 when it was last called. */
interface TokenState {
  accessToken: string;
  isRefused: boolean;
}

/** When a shop's row was looked at, and what it said. */
type Look = TokenState & { at: Date };

/** A shop's rows that decide whether it can be called; null: there is no such row. */
interface TokenRows {
  shop: Pick<Shop, 'state' | 'adminRefusedAt'> | null;
  token: TokenRow | null;
}

/** The same, and when they were read. */
export type SeenToken = TokenRows & { at: Date };

async function readRow({ db: { manager } }: App, { id }: ShopOfToken): Promise<TokenRows> {
  const [row]: (Pick<Shop, 'state' | 'adminRefusedAt'> & TokenRow)[] = await manager.query(
    `select s.state, s.admin_refused_at as "adminRefusedAt", s.id as "shopId", t.expires_at as "expiresAt",
       t.access_token_encrypted as "accessTokenEncrypted"
     from shops s left join shop_tokens t on t.shop_id = s.id where s.id = $1`,
    [id],
  );
  return { shop: row ?? null, token: row?.accessTokenEncrypted ? row : null };
}

async function toValidToken(
  app: App,
  shop: ShopOfToken,
  { shop: row, token }: TokenRows,
  whileLeaving: WhileLeaving,
): Promise<TokenState> {
  const isOpen =
    row?.state === 'leaving' ? whileLeaving !== false : row?.state === 'installed' && whileLeaving !== 'only';
  if (!row || !isOpen) throw signInNeeded(shop);
  if (token === null) throw await needSignIn(app, shop, null);
  const isRefused = row.adminRefusedAt !== null;
  const accessToken = readAccessToken(app, token);
  if (!expiresWithin(app, token, RENEW_MS)) return { accessToken, isRefused };
  try {
    return { accessToken: await renewOnce(app, shop, accessToken), isRefused };
  } catch (error) {
    await noteAdminRefused(app, shop, error);
    const mayPass = error instanceof ShopifyError && error.retryable;
    if (mayPass && !expiresWithin(app, token, LAST_USE_MS)) return { accessToken, isRefused };
    throw error;
  }
}

/** Renews the token, or waits for the renewal of it that is under way in this process. */
function renewOnce(app: App, shop: ShopOfToken, stale: string): Promise<string> {
  const underWay = renewals.get(app.db) ?? new Map<string, Promise<string>>();
  renewals.set(app.db, underWay);
  const known = underWay.get(stale);
  if (known) return known;
  const renewal = renewToken(app, shop, stale).finally(() => underWay.delete(stale));
  underWay.set(stale, renewal);
  return renewal;
}

/** Renews the token unless another process has done so since `stale` was read. */
async function renewToken(app: App, shop: ShopOfToken, stale: string): Promise<string> {
  const renewed = await underLock(app, 'RefreshToken', async (manager) => {
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
      `update shops set state = 'needs_sign_in', signed_out_at = $3 where id = $1 and state in ('installed', 'leaving')
        and not exists (select from shop_tokens
          where shop_id = $1 and ($2::timestamptz is null or date_trunc('milliseconds', updated_at) > $2))`,
      [shop.id, refusedOf, app.now()],
    );
  });
  return signInNeeded(shop);
}

function signInNeeded({ domain }: ShopOfToken): PlatenError {
  const message = `The store ${domain} no longer accepts Platen's tokens: open Platen once in the store's admin.`;
  return new PlatenError('shop_needs_sign_in', message);
}

type TokenRow = Pick<ShopToken, 'shopId' | 'accessTokenEncrypted' | 'expiresAt'>;

function readAccessToken(app: App, row: Omit<TokenRow, 'expiresAt'>): string {
  return decryptColumn(app.config.encryptionKeys, accessPlace(row.shopId), row.accessTokenEncrypted);
}

function expiresWithin(app: App, row: Pick<ShopToken, 'expiresAt'>, milliseconds: number): boolean {
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
