import { RequestedTokenType } from '@shopify/shopify-api';
import type { Session, Shopify as Library } from '@shopify/shopify-api';
import { z } from 'zod';
import { InvalidSessionTokenError, ShopifyError } from './errors.ts';
import { inExchange } from './request.ts';
import type { Exchange } from './request.ts';
import { toShopifyError } from './to-shopify-error.ts';
import { verifySessionToken } from './verify-session-token.ts';

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
 * Exchanges a session token of the shop for an expiring offline token. Throws InvalidSessionTokenError for a token that is
 * not this shop's or that Shopify refuses, else ShopifyError.
 */
export async function exchangeSessionToken(
  library: Library,
  exchange: Exchange,
  shop: string,
  sessionToken: string,
): Promise<OfflineToken> {
  const verified = await verifySessionToken(library, sessionToken);
  if (verified.shop !== shop) throw new InvalidSessionTokenError('it is for another shop');
  const requestedTokenType = RequestedTokenType.OfflineAccessToken;
  return grant('ExchangeSessionToken', exchange, () =>
    library.auth.tokenExchange({ shop, sessionToken, requestedTokenType, expiring: true }),
  );
}

/**
 * A new offline token for a refresh token. ShopifyError `unauthorized`: the refresh token is worth nothing any more, the
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

async function grant(
  name: string,
  exchange: Exchange,
  ask: () => Promise<{ session: Session }>,
): Promise<OfflineToken> {
  // The library's error is left behind: it quotes the answer, and here the answer may hold a token.
  const granted = await inExchange(exchange, ask).catch(() => null);
  if (granted?.session.accessToken) return toOfflineToken(granted.session, granted.session.accessToken);
  const call = { name, kind: 'mutation' } as const;
  if (exchange.answer?.status !== 400) throw toShopifyError(call, exchange);
  const code = refusalCode(exchange.answer.body);
  if (code === 'invalid_subject_token') throw new InvalidSessionTokenError('Shopify refuses it');
  // Our own credentials are wrong, not the shop's token: signing in again would mend nothing.
  const kind = code === 'invalid_client' ? 'forbidden' : 'unauthorized';
  throw new ShopifyError(kind, { operation: name, status: 400, effect: 'none', codes: code ? [code] : [] });
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
