import { RequestedTokenType } from '@shopify/shopify-api';
import type { Session, Shopify as Library } from '@shopify/shopify-api';
import { z } from 'zod';
import { InvalidSessionTokenError, ShopifyError } from '../admin/errors.ts';
import { runInExchange } from '../admin/request.ts';
import type { Exchange } from '../admin/request.ts';
import { toShopifyError } from '../admin/to-shopify-error.ts';
import type { SessionToken } from './verify-session-token.ts';

/** An offline access token. An expiring token lasts an hour and has a refresh token for 90 days. Each refresh replaces both. */
export interface OfflineToken {
  accessToken: string;
  expiresAt: Date | null;
  refreshToken: string | null;
  refreshTokenExpiresAt: Date | null;
  /** As Shopify lists them, separated by commas. */
  scopes: string;
}

/**
 * A token request that Shopify refused with an error code from RFC 6749. The kind is `unauthorized` if the presented token is no longer
 * valid, otherwise `forbidden`. `isAppError`: the app's key or secret is wrong.
 */
export class GrantRefusedError extends ShopifyError {
  readonly isAppError: boolean;

  constructor(operation: string, status: number, code: string) {
    const kind = TOKEN_ERROR_CODES.has(code) ? 'unauthorized' : 'forbidden';
    super(kind, { operation, status, effect: 'none', codes: [code] });
    this.isAppError = APP_ERROR_CODES.has(code);
  }
}

/**
 * Error codes that mean that a code or token is no longer valid. Shopify uses `invalid_request` for authorization codes and, with HTTP 401,
 * for refresh tokens.
 */
const TOKEN_ERROR_CODES: ReadonlySet<string> = new Set(['invalid_grant', 'invalid_request']);
const APP_ERROR_CODES: ReadonlySet<string> = new Set(['invalid_client', 'application_cannot_be_found']);
const REFUSAL_STATUSES: ReadonlySet<number> = new Set([400, 401, 403, 404]);

/**
 * Exchanges a shop's verified session token for an expiring offline token. Throws InvalidSessionTokenError if the token belongs to another
 * shop or Shopify rejects it, otherwise ShopifyError.
 */
export async function exchangeSessionToken(
  library: Library,
  exchange: Exchange,
  shop: string,
  { sessionToken, verified }: { sessionToken: string; verified: SessionToken },
): Promise<OfflineToken> {
  if (verified.shop !== shop) throw new InvalidSessionTokenError('it is for another shop');
  const requestedTokenType = RequestedTokenType.OfflineAccessToken;
  return grant('ExchangeSessionToken', exchange, () =>
    library.auth.tokenExchange({ shop, sessionToken, requestedTokenType, expiring: true }),
  );
}

/**
 * Requests a new offline token with a refresh token. GrantRefusedError `unauthorized` means that the refresh token is no longer valid, and
 * the merchant must open the app. If a response is lost or unclear, the same refresh token can be used again.
 */
export async function refreshToken(
  library: Library,
  exchange: Exchange,
  shop: string,
  token: string,
): Promise<OfflineToken> {
  return grant('RefreshToken', exchange, () => library.auth.refreshToken({ shop, refreshToken: token }));
}

/**
 * Runs one token request of the library and returns the granted token. Throws InvalidSessionTokenError, GrantRefusedError and ShopifyError.
 * Only Shopify's own error code proves that a code or token is invalid, because an edge server may also respond with 400 or 401.
 */
export async function grant(
  name: string,
  exchange: Exchange,
  ask: () => Promise<{ session: Session }>,
): Promise<OfflineToken> {
  // The library's error is dropped, because it quotes the response, which may contain a token.
  const granted = await runInExchange(exchange, ask).catch(() => null);
  if (granted?.session.accessToken) return toOfflineToken(granted.session, granted.session.accessToken);
  const call = { name, kind: 'mutation' } as const;
  const { status, body } = exchange.answer ?? { status: 0, body: '' };
  const code = REFUSAL_STATUSES.has(status) ? readErrorCode(body) : null;
  if (code === 'invalid_subject_token') throw new InvalidSessionTokenError('Shopify rejected it');
  if (code !== null) throw new GrantRefusedError(name, status, code);
  if (status === 400 || status === 401)
    throw new ShopifyError('unavailable', { operation: name, status, effect: 'none' });
  throw toShopifyError(call, exchange);
}

function toOfflineToken(session: Session, accessToken: string): OfflineToken {
  return {
    accessToken,
    expiresAt: session.expires ?? null,
    refreshToken: session.refreshToken ?? null,
    refreshTokenExpiresAt: session.refreshTokenExpires ?? null,
    scopes: session.scope ?? '',
  };
}

const refusalSchema = z.looseObject({ error: z.string().regex(/^[a-z_]{1,60}$/) });

/** Returns the `error` of a refused grant (RFC 6749, section 5.2), or null if the body does not have that form. */
function readErrorCode(body: string): string | null {
  try {
    return refusalSchema.safeParse(JSON.parse(body)).data?.error ?? null;
  } catch {
    return null;
  }
}
