import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { accessScopes } from './access-scopes.ts';
import { isSessionToken } from './session-token.ts';
import type { Shop } from './state.ts';
import type { Store } from './store.ts';

const ACCESS_SECONDS = 3600;
const REFRESH_SECONDS = 90 * 24 * 3600;
const CLIENT_SECONDS = 24 * 3600 - 1;

interface AccessToken {
  shop: string;
  /** null: it never expires. */
  expiresAt: number | null;
}

interface RefreshToken {
  shop: string;
  expiresAt: number;
  /** The refresh token that came in its place: until that one is used, this one may be tried again. */
  next: string | null;
  used: boolean;
}

/** An answer of the token endpoint: RFC 6749's, as Shopify gives it. */
export interface TokenAnswer {
  status: number;
  body: Record<string, unknown>;
}

const requestSchema = z.discriminatedUnion('grant_type', [
  z.looseObject({
    grant_type: z.literal('urn:ietf:params:oauth:grant-type:token-exchange'),
    subject_token: z.string(),
    subject_token_type: z.literal('urn:ietf:params:oauth:token-type:id_token'),
    requested_token_type: z.literal('urn:shopify:params:oauth:token-type:offline-access-token'),
    expiring: z.union([z.string(), z.number(), z.boolean()]).optional(),
  }),
  z.looseObject({ grant_type: z.literal('refresh_token'), refresh_token: z.string() }),
  z.looseObject({ grant_type: z.literal('client_credentials') }),
]);

const clientSchema = z.looseObject({ client_id: z.string(), client_secret: z.string() });

/** Answers a request for a token: token exchange (which installs the app), refresh with rotation, client credentials. */
export function answerTokenRequest(store: Store, shop: Shop, body: unknown): TokenAnswer {
  const client = clientSchema.safeParse(body);
  const { apiKey, apiSecret } = store.options;
  if (!client.success || client.data.client_id !== apiKey || client.data.client_secret !== apiSecret) {
    return refuse('invalid_client', 'The client id or the client secret is wrong.');
  }
  const request = requestSchema.safeParse(body);
  if (!request.success) return refuse('invalid_request', 'The grant type or one of its parameters is wrong.');
  const input = request.data;
  switch (input.grant_type) {
    case 'client_credentials':
      return answer(store, shop, CLIENT_SECONDS, null);
    case 'refresh_token':
      return refresh(store, shop, input.refresh_token);
    default:
      if (!isSessionToken(input.subject_token, store.options, shop.domain)) {
        return refuse('invalid_subject_token', 'The session token is not valid.');
      }
      if (!shop.installed) store.write([['put', 'shops', shop.domain, { ...shop, installed: true }]]);
      if (!['1', 'true'].includes(String(input.expiring))) return answer(store, shop, null, null);
      return answer(store, shop, ACCESS_SECONDS, newRefreshToken(store, shop));
  }
}

/** The shop that an access token opens now; undefined for one that is unknown, expired or of an app that is not installed. */
export function shopOfToken(store: Store, token: string): Shop | undefined {
  const known = store.books.get<AccessToken>('tokens', keyOf(token));
  if (!known || (known.expiresAt !== null && known.expiresAt <= Date.now())) return undefined;
  const shop = store.shop(known.shop);
  return shop?.installed ? shop : undefined;
}

/** Makes every access token of now expire; refresh tokens stay good. */
export function expireAccessTokens(store: Store): void {
  store.books.clear('tokens');
}

function refresh(store: Store, shop: Shop, token: string): TokenAnswer {
  const known = store.books.get<RefreshToken>('refreshTokens', keyOf(token));
  const next =
    known?.next === undefined || known.next === null
      ? undefined
      : store.books.get<RefreshToken>('refreshTokens', keyOf(known.next));
  if (!known || known.shop !== shop.domain || known.expiresAt <= Date.now() || next?.used === true || !shop.installed) {
    return refuse('invalid_grant', 'The refresh token is not valid.');
  }
  const successor = known.next ?? newRefreshToken(store, shop);
  store.books.put('refreshTokens', keyOf(token), { ...known, used: true, next: successor });
  return answer(store, shop, ACCESS_SECONDS, successor);
}

function newRefreshToken(store: Store, shop: Shop): string {
  const token = `shprt_${randomBytes(24).toString('hex')}`;
  const expiresAt = Date.now() + REFRESH_SECONDS * 1000;
  const record: RefreshToken = { shop: shop.domain, expiresAt, next: null, used: false };
  store.books.put('refreshTokens', keyOf(token), record);
  return token;
}

function answer(store: Store, shop: Shop, seconds: number | null, refreshToken: string | null): TokenAnswer {
  const token = `shpat_${randomBytes(24).toString('hex')}`;
  const record: AccessToken = { shop: shop.domain, expiresAt: seconds === null ? null : Date.now() + seconds * 1000 };
  store.books.put('tokens', keyOf(token), record);
  return {
    status: 200,
    body: {
      access_token: token,
      scope: accessScopes.join(','),
      ...(seconds === null ? {} : { expires_in: seconds }),
      ...(refreshToken === null ? {} : { refresh_token: refreshToken, refresh_token_expires_in: REFRESH_SECONDS }),
    },
  };
}

function refuse(error: string, description: string): TokenAnswer {
  return { status: 400, body: { error, error_description: description } };
}

function keyOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
