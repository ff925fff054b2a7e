import { createHmac, timingSafeEqual } from 'node:crypto';
import { ServerResponse } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { BotActivityDetected } from '@shopify/shopify-api';
import type { Shopify as Library } from '@shopify/shopify-api';
import { PlatenError } from '../../errors.ts';
import { ShopifyError } from '../admin/errors.ts';
import type { Exchange } from '../admin/request.ts';
import { isShopDomain } from '../shop-domain.ts';
import { grant } from './exchange-tokens.ts';
import type { OfflineToken } from './exchange-tokens.ts';

/** The store's URL at which the merchant approves the app, and the cookies that bind the callback to the merchant's browser. */
export interface AuthorizationStart {
  location: string;
  cookies: string[];
}

/**
 * A sign-in by authorization code that cannot be completed. `isBot`: the request comes from a bot. The error never contains the code or the
 * state.
 */
export class AuthorizationError extends PlatenError {
  readonly isBot: boolean;
  constructor(reason: string, { isBot = false }: { isBot?: boolean } = {}) {
    super('authorization_refused', `The sign-in could not be completed: ${reason}.`);
    this.isBot = isBot;
  }
}

const CALLBACK_PATH = '/auth/callback';
const SHOP_COOKIE = 'platen_authorize_shop';
/**
 * How long a sign-in may take: long enough for a person to read which permissions the app requests. The library's default of one minute is
 * too short.
 */
const COOKIE_SECONDS = 600;
const COOKIES = ['shopify_app_state', 'shopify_app_state.sig', SHOP_COOKIE];

/**
 * Begins the authorization-code grant for a shop's offline token, with a one-time state of 256 bits. The library binds the state to the
 * browser, and another cookie binds the state to the shop. Scripts cannot read the cookies. Throws AuthorizationError for bots.
 */
export async function beginAuthorization(
  library: Library,
  { origin, apiSecret }: { origin: string; apiSecret: string },
  request: IncomingMessage,
  shop: string,
): Promise<AuthorizationStart> {
  // Uses a separate response, because the library ends the response that it receives.
  const response = new ServerResponse(request);
  const parts = { rawRequest: request, rawResponse: response };
  await library.auth.begin({ shop, callbackPath: CALLBACK_PATH, isOnline: false, ...parts });
  if (response.statusCode !== 302) throw new AuthorizationError('the request comes from a bot', { isBot: true });
  const { pathname, search, searchParams } = new URL(String(response.getHeader('Location')));
  const set = [response.getHeader('Set-Cookie') ?? []].flat().map((cookie) => String(cookie).split(';', 1)[0] ?? '');
  const bound = `${SHOP_COOKIE}=${signShop(apiSecret, searchParams.get('state'), shop)}`;
  return {
    location: origin + pathname + search,
    cookies: [...set, bound].map((cookie) => `${cookie}; ${toCookieAttributes(COOKIE_SECONDS)}`),
  };
}

/**
 * Exchanges the returned code for an expiring offline token. The library checks the state against its cookie, and the query's HMAC and age.
 * This function checks the rest. No query parameter may be repeated, because the HMAC covers the last value but the first value is used.
 * The shop must have a valid domain and be the shop for which the sign-in began. Throws AuthorizationError, and ShopifyError if the store
 * does not respond.
 */
export async function finishAuthorization(
  library: Library,
  { apiSecret, openExchange }: { apiSecret: string; openExchange: (shop: string) => Exchange },
  request: IncomingMessage,
): Promise<{ shop: string; token: OfflineToken }> {
  const { searchParams: query } = new URL(request.url ?? '', 'http://app');
  if (new Set(query.keys()).size !== query.size) throw new AuthorizationError('its query repeats a parameter');
  const shop = query.get('shop') ?? '';
  if (!isShopDomain(shop)) throw new AuthorizationError('its shop is not valid');
  const bound = signShop(apiSecret, query.get('state'), shop);
  if (!isEqual(readCookie(request, SHOP_COOKIE), bound))
    throw new AuthorizationError('it was started in another browser or more than 10 minutes ago');
  const exchange = openExchange(shop);
  let isBot = false;
  const parts = { rawRequest: request, rawResponse: new ServerResponse(request) };
  const ask = () =>
    library.auth.callback({ expiring: true, ...parts }).catch((error: unknown) => {
      isBot = error instanceof BotActivityDetected;
      throw error;
    });
  try {
    return { shop, token: await grant('ExchangeAuthorizationCode', exchange, ask) };
  } catch (error) {
    const wasSent = exchange.answer !== null || exchange.failure !== null;
    if (!wasSent) throw new AuthorizationError('its state or signature is not valid', { isBot });
    if (error instanceof ShopifyError && error.kind === 'unauthorized')
      throw new AuthorizationError('its code is no longer valid');
    throw error;
  }
}

/** Returns cookies that delete those of a sign-in, regardless of its result, because a state is valid only once. */
export function endAuthorization(): string[] {
  return COOKIES.map((name) => `${name}=; ${toCookieAttributes(0)}`);
}

function toCookieAttributes(seconds: number): string {
  return `Path=${CALLBACK_PATH}; Max-Age=${seconds}; Secure; HttpOnly; SameSite=Lax`;
}

function signShop(apiSecret: string, state: string | null, shop: string): string {
  return createHmac('sha256', apiSecret).update(`${SHOP_COOKIE}\n${state}\n${shop}`).digest('hex');
}

function readCookie(request: IncomingMessage, name: string): string {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
}

function isEqual(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
