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

/** Where a browser is sent to ask the store for its leave, and the cookies that bind what comes back to it. */
export interface AuthorizationStart {
  location: string;
  cookies: string[];
}

/** A sign-in by authorization code that cannot be finished; `isBot` when no person asks. It never holds the code or the state. */
export class AuthorizationError extends PlatenError {
  readonly isBot: boolean;
  constructor(reason: string, { isBot = false }: { isBot?: boolean } = {}) {
    super('authorization_refused', `The sign-in cannot be finished: ${reason}.`);
    this.isBot = isBot;
  }
}

const CALLBACK_PATH = '/auth/callback';
const SHOP_COOKIE = 'platen_authorize_shop';
/** As long as a person may read what the app asks for; the library's minute is too short. */
const COOKIE_SECONDS = 600;
const COOKIES = ['shopify_app_state', 'shopify_app_state.sig', SHOP_COOKIE];

/**
 * Begins the authorization-code grant for a shop's offline token, with a one-time state of 256 bits. To what the library binds
 * it, the browser, comes the shop; its cookies are kept from scripts. Throws AuthorizationError for bots.
 */
export async function beginAuthorization(
  library: Library,
  { origin, apiSecret }: { origin: string; apiSecret: string },
  request: IncomingMessage,
  shop: string,
): Promise<AuthorizationStart> {
  // Caught in a response of its own: the library ends the one it is given.
  const response = new ServerResponse(request);
  const parts = { rawRequest: request, rawResponse: response };
  await library.auth.begin({ shop, callbackPath: CALLBACK_PATH, isOnline: false, ...parts });
  if (response.statusCode !== 302) throw new AuthorizationError('no person asks', { isBot: true });
  const { pathname, search, searchParams } = new URL(String(response.getHeader('Location')));
  const set = [response.getHeader('Set-Cookie') ?? []].flat().map((cookie) => String(cookie).split(';', 1)[0] ?? '');
  const bound = `${SHOP_COOKIE}=${signShop(apiSecret, searchParams.get('state'), shop)}`;
  return {
    location: origin + pathname + search,
    cookies: [...set, bound].map((cookie) => `${cookie}; ${attributes(COOKIE_SECONDS)}`),
  };
}

/**
 * Exchanges the code that the store sent back for an expiring offline token. The library checks the state against its cookie and
 * the query's HMAC and age; what it leaves out: a query that names something twice (its HMAC is over the last, and the first is
 * used), the shop's domain, and that it is the shop that was asked. Throws AuthorizationError, and ShopifyError when the store
 * does not answer.
 */
export async function finishAuthorization(
  library: Library,
  { apiSecret, openExchange }: { apiSecret: string; openExchange: (shop: string) => Exchange },
  request: IncomingMessage,
): Promise<{ shop: string; token: OfflineToken }> {
  const { searchParams: query } = new URL(request.url ?? '', 'http://app');
  if (new Set(query.keys()).size !== query.size) throw new AuthorizationError('its query is ambiguous');
  const shop = query.get('shop') ?? '';
  if (!isShopDomain(shop)) throw new AuthorizationError('it is for no shop');
  const bound = signShop(apiSecret, query.get('state'), shop);
  if (!isSame(readCookie(request, SHOP_COOKIE), bound)) throw new AuthorizationError('it was not begun here');
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
    const wasAsked = exchange.answer !== null || exchange.failure !== null;
    if (!wasAsked) throw new AuthorizationError('its state or signature is not valid', { isBot });
    if (error instanceof ShopifyError && error.kind === 'unauthorized')
      throw new AuthorizationError('its code is not good any more');
    throw error;
  }
}

/** Cookies that end a sign-in, however it went: a state is good once. */
export function endAuthorization(): string[] {
  return COOKIES.map((name) => `${name}=; ${attributes(0)}`);
}

function attributes(seconds: number): string {
  return `Path=${CALLBACK_PATH}; Max-Age=${seconds}; Secure; HttpOnly; SameSite=Lax`;
}

function signShop(apiSecret: string, state: string | null, shop: string): string {
  return createHmac('sha256', apiSecret).update(`${SHOP_COOKIE}\n${state}\n${shop}`).digest('hex');
}

function readCookie(request: IncomingMessage, name: string): string {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
}

function isSame(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
