import type { DataSource, EntityManager } from 'typeorm';
import type { App } from '../../app.ts';
import { decryptColumn, encryptColumn } from '../../database/encrypt-column.ts';
import { encryptedColumns } from '../../database/encrypted-columns.ts';
import { ShopTokens } from '../../database/entities/shops.ts';
import type { Shop, ShopToken } from '../../database/entities/shops.ts';
import { PlatenError } from '../../errors.ts';
import type { AdminApi } from '../../shopify/admin/admin-api.ts';
import { ShopifyError } from '../../shopify/admin/errors.ts';
import { GrantRefusedError } from '../../shopify/auth/exchange-tokens.ts';
import type { OfflineToken } from '../../shopify/auth/exchange-tokens.ts';
import { fencedOffError } from '../fence.ts';
import { clearAdminRefused, recordAdminRefused } from './admin-refused.ts';
import { runUnderLock } from './run-under-lock.ts';

type ShopWithToken = Pick<Shop, 'id' | 'domain'>;
type WhileLeaving = boolean | 'only';

/** How long before its expiry a token is renewed, so that work in progress can finish. */
const RENEW_MS = 5 * 60 * 1000;
/** While the store cannot be reached for a new token, the old token is used until this long before its expiry. */
const LAST_USE_MS = 30 * 1000;

/** How long a shop's row that was read remains valid for later requests. After a failed request, the row is read again. */
const MAX_AGE_MS = 5_000;

/**
 * The renewals in progress in this process, keyed by the token that they replace. A shop's jobs share one renewal and one database
 * connection.
 */
const renewals = new WeakMap<DataSource, Map<string, Promise<string>>>();

/**
 * Opens a shop's Admin API with a valid offline token, which is renewed if it expires within five minutes. Refresh tokens rotate, so the
 * row is locked during a renewal. One process renews the token, and the others use the result
 * (docs/rules/shopify.md#expiring-offline-tokens). A request that gets a 401 had no effect. In that case, the token is renewed, and the
 * request is sent once more. If the second request also gets a 401, the shop must sign in.
 *
 * The shop's rows are read now, and again before a request if the last reading is older than a few seconds. No request is sent once the
 * shop has removed Platen or must sign in. While Platen is leaving the store, only callers with `whileLeaving` may send requests, and the
 * rows are read before each request. With `whileLeaving` set to `only`, no request is sent after the shop has resumed Platen.
 *
 * `isBulk`: requests wait behind requests for orders. `seen`: rows that the caller has just read. Throws ShopifyError. Throws PlatenError
 * `shop_needs_sign_in` if the store accepts neither token, and records this in the shop's state. Throws PlatenError `fenced_off` if another
 * database has taken over the store.
 */
export async function openAdmin(
  app: App,
  shop: ShopWithToken,
  {
    whileLeaving = false,
    isBulk = false,
    seen = null,
  }: { whileLeaving?: WhileLeaving; isBulk?: boolean; seen?: SeenToken | null } = {},
): Promise<AdminApi> {
  let held: TokenReading | null = await readToken(seen);
  async function readToken(row: SeenToken | null = null): Promise<TokenReading> {
    const at = app.clock.now();
    const isFresh = row !== null && at.getTime() - row.at.getTime() < MAX_AGE_MS;
    const read = isFresh ? row : { at, ...(await readRow(app, shop)) };
    return { at: read.at, ...(await ensureValidToken(app, shop, read, whileLeaving)) };
  }

  async function readRecentToken(): Promise<TokenReading> {
    const isFresh = held !== null && app.clock.now().getTime() - held.at.getTime() < MAX_AGE_MS;
    if (held !== null && isFresh && whileLeaving === false) return held;
    return readToken();
  }

  async function call<Answer>(act: (admin: AdminApi) => Promise<Answer>): Promise<Answer> {
    const currentReading = await readRecentToken();
    const { at: readAt, accessToken, isRefused } = currentReading;
    // If the request fails, the next request reads the row again.
    held = null;
    let isRenewed = false;
    const callStore = (token: string) => act(app.shopify.admin({ shop: shop.domain, accessToken: token, isBulk }));
    try {
      const answer = await callStore(accessToken).catch(async (error: unknown) => {
        if (!isUnauthorized(error)) throw error;
        isRenewed = true;
        return callStore(await renewOnce(app, shop, accessToken));
      });
      if (isRefused) await clearAdminRefused(app, shop);
      else if (!isRenewed) held = currentReading;
      return answer;
    } catch (error) {
      await recordAdminRefused(app, shop, error);
      // The API has rejected the token, and no other token is available.
      if (error instanceof GrantRefusedError) throw await markNeedsSignIn(app, shop, readAt);
      // The new token was also rejected, although the store has just issued it.
      if (isUnauthorized(error)) throw await markNeedsSignIn(app, shop, app.clock.now());
      throw error;
    }
  }
  return {
    shop: shop.domain,
    request: (document, variables) => call((admin) => admin.request(document, variables)),
    requestPartial: (document, variables) => call((admin) => admin.requestPartial(document, variables)),
  };
}

/** Stores both tokens of a shop, encrypted. */
export async function saveToken(app: App, manager: EntityManager, shopId: number, token: OfflineToken): Promise<void> {
  const { encryptionKeys } = app.config;
  const { accessToken, refreshToken, ...rest } = token;
  const row: ShopToken = {
    ...rest,
    shopId,
    accessTokenEncrypted: encryptColumn(encryptionKeys, encryptedColumns.accessToken.toPlace(shopId), accessToken),
    refreshTokenEncrypted:
      refreshToken === null
        ? null
        : encryptColumn(encryptionKeys, encryptedColumns.refreshToken.toPlace(shopId), refreshToken),
    updatedAt: app.clock.now(),
  };
  await manager.getRepository(ShopTokens).upsert(row, ['shopId']);
}

/** The state of a shop's token when it was read. `isRefused`: the store responded to the last request with 403. */
interface TokenState {
  accessToken: string;
  isRefused: boolean;
}

/** The token state of a shop and the time at which it was read. */
type TokenReading = TokenState & { at: Date };

/** A shop's rows that determine whether its store can be called. A missing row is null. */
interface TokenRows {
  shop: Pick<Shop, 'state' | 'adminRefusedAt' | 'fencedOffAt'> | null;
  token: TokenRow | null;
}

/** The rows and the time at which they were read. */
export type SeenToken = TokenRows & { at: Date };

async function readRow({ db: { manager } }: App, { id }: ShopWithToken): Promise<TokenRows> {
  const [row]: (Pick<Shop, 'state' | 'adminRefusedAt' | 'fencedOffAt'> & TokenRow)[] = await manager.query(
    `select s.state, s.admin_refused_at as "adminRefusedAt", s.fenced_off_at as "fencedOffAt", s.id as "shopId", t.expires_at as "expiresAt",
       t.access_token_encrypted as "accessTokenEncrypted"
     from shops s left join shop_tokens t on t.shop_id = s.id where s.id = $1`,
    [id],
  );
  return { shop: row ?? null, token: row?.accessTokenEncrypted ? row : null };
}

async function ensureValidToken(
  app: App,
  shop: ShopWithToken,
  { shop: row, token }: TokenRows,
  whileLeaving: WhileLeaving,
): Promise<TokenState> {
  const isOpen =
    row?.state === 'leaving' ? whileLeaving !== false : row?.state === 'installed' && whileLeaving !== 'only';
  if (!row || !isOpen) throw signInError(shop);
  if (row.fencedOffAt !== null) throw fencedOffError(shop);
  if (token === null) throw await markNeedsSignIn(app, shop, null);
  const isRefused = row.adminRefusedAt !== null;
  const accessToken = readAccessToken(app, token);
  if (!expiresWithin(app, token, RENEW_MS)) return { accessToken, isRefused };
  try {
    return { accessToken: await renewOnce(app, shop, accessToken), isRefused };
  } catch (error) {
    await recordAdminRefused(app, shop, error);
    const isTransient = error instanceof ShopifyError && error.retryable;
    if (isTransient && !expiresWithin(app, token, LAST_USE_MS)) return { accessToken, isRefused };
    throw error;
  }
}

/** Renews the token, or waits for a renewal that is already in progress in this process. */
function renewOnce(app: App, shop: ShopWithToken, stale: string): Promise<string> {
  const renewalsInProgress = renewals.get(app.db) ?? new Map<string, Promise<string>>();
  renewals.set(app.db, renewalsInProgress);
  const known = renewalsInProgress.get(stale);
  if (known) return known;
  const renewal = renewToken(app, shop, stale).finally(() => renewalsInProgress.delete(stale));
  renewalsInProgress.set(stale, renewal);
  return renewal;
}

/** Renews the token unless another process has renewed it since `stale` was read. */
async function renewToken(app: App, shop: ShopWithToken, stale: string): Promise<string> {
  const renewed = await runUnderLock(app, 'RefreshToken', async (manager) => {
    const where = { shopId: shop.id };
    const row = await manager.getRepository(ShopTokens).findOne({ where, lock: { mode: 'for_no_key_update' } });
    if (!row) return { accessToken: null, updatedAt: null };
    const kept = readAccessToken(app, row);
    if (kept !== stale && !expiresWithin(app, row, LAST_USE_MS)) return { accessToken: kept };
    const token = await requestToken(app, shop, row);
    if (!token) return { accessToken: null, updatedAt: row.updatedAt };
    await saveToken(app, manager, shop.id, token);
    return token;
  });
  if (renewed.accessToken === null) throw await markNeedsSignIn(app, shop, renewed.updatedAt);
  return renewed.accessToken;
}

/** Requests a new token from the store. Returns null if the store rejects the refresh token. */
async function requestToken(app: App, shop: ShopWithToken, row: ShopToken): Promise<OfflineToken | null> {
  if (row.refreshTokenEncrypted === null) return null;
  const { encryptionKeys } = app.config;
  const refreshToken = decryptColumn(
    encryptionKeys,
    encryptedColumns.refreshToken.toPlace(shop.id),
    row.refreshTokenEncrypted,
  );
  try {
    return await app.shopify.refreshToken(shop.domain, refreshToken);
  } catch (error) {
    if (isUnauthorized(error)) return null;
    throw error;
  }
}

/** Records that the shop must sign in, unless a token was saved after the rejected token was read. Null means that there was no token. */
async function markNeedsSignIn(app: App, shop: ShopWithToken, rejectedTokenReadAt: Date | null): Promise<PlatenError> {
  await app.db.transaction(async (manager) => {
    // The row is locked before it is read, so that a sign-in in progress is committed first.
    await manager.query('select from shops where id = $1 for no key update', [shop.id]);
    await manager.query(
      `update shops set state = 'needs_sign_in', signed_out_at = $3 where id = $1 and state in ('installed', 'leaving')
        and not exists (select from shop_tokens
          where shop_id = $1 and ($2::timestamptz is null or date_trunc('milliseconds', updated_at) > $2))`,
      [shop.id, rejectedTokenReadAt, app.clock.now()],
    );
  });
  return signInError(shop);
}

function signInError({ domain }: ShopWithToken): PlatenError {
  const message = `The store ${domain} no longer accepts Platen's tokens. Open Platen in the store's admin.`;
  return new PlatenError('shop_needs_sign_in', message);
}

type TokenRow = Pick<ShopToken, 'shopId' | 'accessTokenEncrypted' | 'expiresAt'>;

function readAccessToken(app: App, row: Omit<TokenRow, 'expiresAt'>): string {
  return decryptColumn(
    app.config.encryptionKeys,
    encryptedColumns.accessToken.toPlace(row.shopId),
    row.accessTokenEncrypted,
  );
}

function expiresWithin(app: App, row: Pick<ShopToken, 'expiresAt'>, milliseconds: number): boolean {
  return row.expiresAt !== null && row.expiresAt.getTime() - app.clock.now().getTime() <= milliseconds;
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof ShopifyError && error.kind === 'unauthorized';
}
