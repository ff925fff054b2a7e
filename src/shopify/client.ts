import type { IncomingMessage } from 'node:http';
import { ApiVersion, LogSeverity, Session, shopifyApi } from '@shopify/shopify-api';
import type { Shopify as Library } from '@shopify/shopify-api';
import { Agent } from 'undici';
import { InvalidInputError } from '../errors.ts';
import type { Log } from '../log.ts';
import { createAdminApi } from './admin-api.ts';
import type { AdminApi, ShopifyCall } from './admin-api.ts';
import type { Exchange } from './request.ts';
import { isShopDomain } from './shop-domain.ts';
import { createThrottle } from './throttle.ts';
import { exchangeSessionToken, refreshToken } from './tokens.ts';
import type { OfflineToken } from './tokens.ts';
import { verifySessionToken } from './verify-session-token.ts';
import type { SessionToken } from './verify-session-token.ts';
import { verifyFulfillmentCallback, verifyWebhook } from './verify-webhook.ts';
import type { CallbackVerdict, WebhookVerdict } from './verify-webhook.ts';

export interface ShopifyOptions {
  apiKey: string;
  apiSecret: string;
  appUrl: string;
  /** Where calls go, `{shop}` replaced: `https://{shop}`, or a stand-in such as `http://127.0.0.1:4020/{shop}`. */
  adminOrigin: string;
  /** For one HTTP request from connecting to the last byte, in milliseconds. */
  timeoutMs?: number;
  log: Log;
  onCall?: (call: ShopifyCall) => void;
}

/** Shopify as this app knows it: the shops' Admin API, their tokens, and proof of who calls. */
export interface Shopify {
  admin(session: { shop: string; accessToken: string }): AdminApi;
  exchangeSessionToken(shop: string, sessionToken: string): Promise<OfflineToken>;
  refreshToken(shop: string, refreshToken: string): Promise<OfflineToken>;
  verifySessionToken(token: string): Promise<SessionToken>;
  verifyWebhook(rawBody: Buffer, request: Pick<IncomingMessage, 'headers'>): WebhookVerdict;
  verifyFulfillmentCallback(rawBody: Buffer, request: Pick<IncomingMessage, 'headers'>): CallbackVerdict;
  close(): Promise<void>;
}

/** To one host: each shop is a host of its own. */
const MOST_CONNECTIONS = 64;
const CONNECT_TIMEOUT_MS = 5_000;
const LARGEST_ANSWER = 16 * 1024 * 1024;

/** The client of one app. Several with different origins may live in one process. Close it to end its connections. */
export function createShopify(options: ShopifyOptions): Shopify {
  const { apiSecret, log, timeoutMs = 20_000, onCall = () => {} } = options;
  const library = createLibrary(options);
  const dispatcher = new Agent({
    connections: MOST_CONNECTIONS,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: LARGEST_ANSWER,
  });
  const throttle = createThrottle();

  function originOf(shop: string): string {
    if (!isShopDomain(shop)) throw new InvalidInputError('shop', 'This is no domain of a shop: NAME.myshopify.com.');
    return options.adminOrigin.replace('{shop}', shop).replace(/\/$/, '');
  }

  function openExchange(shop: string): Exchange {
    return { origin: originOf(shop), dispatcher, timeoutMs, answer: null, failure: null };
  }

  return {
    admin({ shop, accessToken }) {
      const origin = originOf(shop);
      const session = new Session({ id: `offline_${shop}`, shop, state: '', isOnline: false, accessToken });
      const client = new library.clients.Graphql({ session });
      return createAdminApi({ shop, client, origin, dispatcher, timeoutMs, throttle, log, onCall });
    },
    exchangeSessionToken: async (shop, token) => exchangeSessionToken(library, openExchange(shop), shop, token),
    refreshToken: async (shop, token) => refreshToken(library, openExchange(shop), shop, token),
    verifySessionToken: (token) => verifySessionToken(library, token),
    verifyWebhook: (rawBody, request) => verifyWebhook(apiSecret, rawBody, request),
    verifyFulfillmentCallback: (rawBody, request) => verifyFulfillmentCallback(apiSecret, rawBody, request),
    close: () => dispatcher.close(),
  };
}

function createLibrary({ apiKey, apiSecret, appUrl, log }: ShopifyOptions): Library {
  const { host, protocol } = new URL(appUrl);
  return shopifyApi({
    apiKey,
    apiSecretKey: apiSecret,
    hostName: host,
    hostScheme: protocol === 'http:' ? 'http' : 'https',
    apiVersion: ApiVersion.October26,
    isEmbeddedApp: true,
    userAgentPrefix: 'Platen',
    logger: { level: LogSeverity.Warning, log: (_severity, message) => log.warn({ library: 'shopify-api' }, message) },
    _logDisabledFutureFlags: false,
  });
}
