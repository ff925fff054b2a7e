import { RequestedTokenType } from '@shopify/shopify-api';
import type { Session, Shopify as Library } from '@shopify/shopify-api';
import { z } from 'zod';
import { InvalidSessionTokenError, ShopifyError } from '../admin/errors.ts';
import { inExchange } from '../admin/request.ts';
import type { Exchange } from '../admin/request.ts';
import { toShopifyError } from '../admin/to-shopify-error.ts';
import type { SessionToken } from './verify-session-token.ts';

/** An offline access token. Expiring ones live an hour and come with a refresh token of 90 days, which each refresh replaces. */
export interface OfflineToken {
  accessToken: string;
  expiresAt: Date | null;
  refreshToken: string | null;
  refreshTokenExpiresAt: Date | null;
  /** As Shopify lists them, with commas. */
  scopes: string;
}

/**
 * A request for a token that Shopify refuses in its own words, an error code of RFC 6749: `unauthorized` when what was presented is
 * worth nothing any more, else `forbidden`, which `isOfApp` when it is the app's key or secret that is wrong.
 */
export class GrantRefusedError extends ShopifyError {
  readonly isOfApp: boolean;

  constructor(operation: string, status: number, code: string) {
    const kind = ofToken.has(code) ? 'unauthorized' : 'forbidden';
    super(kind, { operation, status, effect: 'none', codes: [code] });
    this.isOfApp = ofApp.has(code);
  }
}

/** Shopify says `invalid_request` of an authorization code and, with HTTP 401, of a refresh token that is no longer active. */
const ofToken: ReadonlySet<string> = new Set(['invalid_grant', 'invalid_request']);
const ofApp: ReadonlySet<string> = new Set(['invalid_client', 'application_cannot_be_found']);
const refusals: ReadonlySet<number> = new Set([400, 401, 403, 404]);

/**
 * Exchanges a verified session token of the shop for an expiring offline token. Throws InvalidSessionTokenError for a token that is
 * not this shop's or that Shopify refuses, else ShopifyError.
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
 * A new offline token for a refresh token. GrantRefusedError `unauthorized`: the refresh token is worth nothing any more, the
 * merchant must open the app. After an unclear answer the same refresh token may be tried again.
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
 * The token that one request of the library is granted. Throws InvalidSessionTokenError, GrantRefusedError and ShopifyError; that a
 * code or token is worth nothing is taken from Shopify's own words alone, for an edge may answer 400 or 401 too.
 */
export async function grant(
  name: string,
  exchange: Exchange,
  ask: () => Promise<{ session: Session }>,
): Promise<OfflineToken> {
  // The library's error is left behind: it quotes the answer, and here the answer may hold a token.
  const granted = await inExchange(exchange, ask).catch(() => null);
  if (granted?.session.accessToken) return toOfflineToken(granted.session, granted.session.accessToken);
  const call = { name, kind: 'mutation' } as const;
  const { status, body } = exchange.answer ?? { status: 0, body: '' };
  const code = refusals.has(status) ? refusalCode(body) : null;
  if (code === 'invalid_subject_token') throw new InvalidSessionTokenError('Shopify refuses it');
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

/** The `error` of a refused grant (RFC 6749, 5.2), when it looks like one. */
function refusalCode(body: string): string | null {
  try {
    return refusalSchema.safeParse(JSON.parse(body)).data?.error ?? null;
  } catch {
    return null;
  }
}
