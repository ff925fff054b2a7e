import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Change } from '../../books.ts';
import { redeemCode } from './authorize.ts';
import { installApp } from './install.ts';
import { toScopeText } from './scopes.ts';
import { isSessionToken } from './session-token.ts';
import type { Shop } from '../state.ts';
import type { Store } from '../store.ts';

const ACCESS_SECONDS = 3600;
const REFRESH_SECONDS = 90 * 24 * 3600;
const CLIENT_SECONDS = 24 * 3600 - 1;

interface AccessToken {
  key: string;
  shop: string;
  /** Null if the token never expires. */
  expiresAt: number | null;
}

interface RefreshToken {
  key: string;
  shop: string;
  expiresAt: number;
  /** The refresh token that replaced this one. This token stays valid until the new one is used. */
  next: string | null;
  used: boolean;
}

/** The number of tokens issued to a shop, by grant type. */
type GrantCounts = Readonly<Record<GrantType, number>>;
type GrantType = 'token_exchange' | 'refresh_token' | 'authorization_code' | 'client_credentials';

/** A response from the token endpoint, as defined in RFC 6749 and in Shopify's format. */
export interface TokenResponse {
  status: number;
  body: Record<string, unknown>;
}

const expiring = z
  .union([z.string(), z.number(), z.boolean()])
  .optional()
  .transform((value) => ['1', 'true'].includes(String(value)));

const requestSchema = z.union([
  z.looseObject({
    grant_type: z.literal('urn:ietf:params:oauth:grant-type:token-exchange'),
    subject_token: z.string(),
    subject_token_type: z.literal('urn:ietf:params:oauth:token-type:id_token'),
    requested_token_type: z.literal('urn:shopify:params:oauth:token-type:offline-access-token'),
    expiring,
  }),
  z.looseObject({ grant_type: z.literal('refresh_token'), refresh_token: z.string() }),
  z.looseObject({ grant_type: z.literal('client_credentials') }),
  // Shopify's exchange of an authorization code specifies no grant type.
  z.looseObject({
    grant_type: z.literal('authorization_code').default('authorization_code'),
    code: z.string(),
    expiring,
  }),
]);

const clientSchema = z.looseObject({ client_id: z.string(), client_secret: z.string() });

/** Handles a token request: token exchange (which installs the app), refresh with rotation, authorization code or client credentials. */
export function respondToTokenRequest(store: Store, shop: Shop, body: unknown): TokenResponse {
  const client = clientSchema.safeParse(body);
  const { apiKey, apiSecret } = store.options;
  if (!client.success || client.data.client_id !== apiKey || client.data.client_secret !== apiSecret) {
    return toTokenRefusal('invalid_client', 'The client id or the client secret is wrong.');
  }
  const request = requestSchema.safeParse(body);
  if (!request.success) return toTokenRefusal('invalid_request', 'The grant type or one of its parameters is wrong.');
  const input = request.data;
  switch (input.grant_type) {
    case 'client_credentials':
      if (!shop.installed) return toTokenRefusal('app_not_installed', 'The app is not installed in this shop.');
      return respondWithToken(store, shop, 'client_credentials', CLIENT_SECONDS, null);
    case 'refresh_token':
      return respondToRefresh(store, shop, input.refresh_token);
    case 'authorization_code':
      if (!redeemCode(store, shop, input.code)) {
        return toTokenRefusal('invalid_request', 'The authorization code was not found or was already used');
      }
      return respondWithOfflineToken(store, shop, 'authorization_code', input.expiring);
    default:
      if (!isSessionToken(input.subject_token, store.options, shop)) {
        return toTokenRefusal('invalid_subject_token', 'The session token is not valid.');
      }
      return respondWithOfflineToken(
        store,
        shop.installed ? shop : installApp(store, shop),
        'token_exchange',
        input.expiring,
      );
  }
}

/** Returns the shop of an access token, or undefined if the token is unknown or expired, or if the app is not installed. */
export function shopOfToken(store: Store, token: string): Shop | undefined {
  const known = store.books.get<AccessToken>('tokens', keyOf(token));
  if (!known || (known.expiresAt !== null && known.expiresAt <= store.clock.now().getTime())) return undefined;
  const shop = store.shop(known.shop);
  return shop?.installed ? shop : undefined;
}

/** Expires all current access tokens. Refresh tokens stay valid. */
export function expireAccessTokens(store: Store): void {
  store.books.clear('tokens');
}

/** Returns the changes that invalidate the access and refresh tokens of a shop. */
export function planTokenDeletions(store: Store, domain: string): Change[] {
  return (['tokens', 'refreshTokens'] as const).flatMap((table) =>
    store.books
      .all<AccessToken | RefreshToken>(table)
      .filter(({ shop }) => shop === domain)
      .map(({ key }): Change => ['delete', table, key]),
  );
}

/** Returns the number of tokens issued to each shop since the last reset. */
export function countGrants(store: Store): Record<string, GrantCounts> {
  return Object.fromEntries(store.shops().map(({ domain }) => [domain, grantsOf(store, domain)]));
}

function grantsOf(store: Store, domain: string): GrantCounts {
  const none: GrantCounts = { token_exchange: 0, refresh_token: 0, authorization_code: 0, client_credentials: 0 };
  return store.books.get('grants', domain) ?? none;
}

function respondToRefresh(store: Store, shop: Shop, token: string): TokenResponse {
  const known = store.books.get<RefreshToken>('refreshTokens', keyOf(token));
  const next =
    known?.next === undefined || known.next === null
      ? undefined
      : store.books.get<RefreshToken>('refreshTokens', keyOf(known.next));
  if (
    !known ||
    known.shop !== shop.domain ||
    known.expiresAt <= store.clock.now().getTime() ||
    next?.used === true ||
    !shop.installed
  ) {
    // Shopify's response for a token that has been used or revoked, or that belongs to an uninstalled app.
    return toTokenRefusal('invalid_request', 'This request requires an active refresh_token', 401);
  }
  const successor = known.next ?? createRefreshToken(store, shop);
  store.books.put('refreshTokens', keyOf(token), { ...known, used: true, next: successor });
  return respondWithToken(store, shop, 'refresh_token', ACCESS_SECONDS, successor);
}

function createRefreshToken(store: Store, shop: Shop): string {
  const token = `shprt_${randomBytes(24).toString('hex')}`;
  const expiresAt = store.clock.now().getTime() + REFRESH_SECONDS * 1000;
  const record: RefreshToken = { key: keyOf(token), shop: shop.domain, expiresAt, next: null, used: false };
  store.books.put('refreshTokens', record.key, record);
  return token;
}

function respondWithOfflineToken(store: Store, shop: Shop, grant: GrantType, expires: boolean): TokenResponse {
  if (!expires) return respondWithToken(store, shop, grant, null, null);
  return respondWithToken(store, shop, grant, ACCESS_SECONDS, createRefreshToken(store, shop));
}

function respondWithToken(
  store: Store,
  shop: Shop,
  grant: GrantType,
  seconds: number | null,
  refreshToken: string | null,
): TokenResponse {
  const token = `shpat_${randomBytes(24).toString('hex')}`;
  const expiresAt = seconds === null ? null : store.clock.now().getTime() + seconds * 1000;
  const record: AccessToken = { key: keyOf(token), shop: shop.domain, expiresAt };
  const grants = grantsOf(store, shop.domain);
  store.books.write([
    ['put', 'tokens', record.key, record],
    ['put', 'grants', shop.domain, { ...grants, [grant]: grants[grant] + 1 }],
  ]);
  return {
    status: 200,
    body: {
      access_token: token,
      scope: toScopeText(shop.grantedScopes),
      ...(seconds === null ? {} : { expires_in: seconds }),
      ...(refreshToken === null ? {} : { refresh_token: refreshToken, refresh_token_expires_in: REFRESH_SECONDS }),
    },
  };
}

function toTokenRefusal(error: string, description: string, status = 400): TokenResponse {
  return { status, body: { error, error_description: description } };
}

function keyOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
