import type { IncomingMessage } from 'node:http';
import { logOutage } from '../log.ts';
import { ApiVersion, LogSeverity, Session, shopifyApi } from '@shopify/shopify-api';
import type { Shopify as Library } from '@shopify/shopify-api';
import { Agent } from 'undici';
import { systemClock, withinTime, type Clock } from '../clock.ts';
import { InvalidInputError } from '../errors.ts';
import type { Log } from '../log.ts';
import { createAdminApi } from './admin/admin-api.ts';
import type { OutgoingCall } from '../outgoing-call.ts';
import type { AdminApi } from './admin/admin-api.ts';
import { installScopes } from './auth/access-scopes.ts';
import { beginAuthorization, finishAuthorization } from './auth/authorization-code.ts';
import type { AuthorizationStart } from './auth/authorization-code.ts';
import type { Exchange } from './admin/request.ts';
import { isShopDomain } from './shop-domain.ts';
import { createThrottle } from './admin/throttle.ts';
import { exchangeSessionToken, refreshToken } from './auth/exchange-tokens.ts';
import type { OfflineToken } from './auth/exchange-tokens.ts';
import { verifySessionToken } from './auth/verify-session-token.ts';
import type { SessionToken } from './auth/verify-session-token.ts';
import { verifyFlowRequest, verifyFulfillmentCallback, verifyWebhook } from './webhooks/verify-webhook.ts';
import type { CallbackVerdict, FlowVerdict, WebhookVerdict } from './webhooks/verify-webhook.ts';
import { verifyProxyRequest } from './webhooks/verify-proxy-request.ts';

export interface ShopifyOptions {
  clock: Clock;
  apiKey: string;
  apiSecret: string;
  /** The secret before a rotation. Session tokens, webhooks and callbacks signed with it are still accepted. */
  previousApiSecret?: string | null;
  appUrl: string;
  /** The address for calls, in which `{shop}` is replaced: `https://{shop}`, or a stand-in such as `http://127.0.0.1:4020/{shop}`. */
  adminOrigin: string;
  /** Time limit of one HTTP request, from connecting to the last byte, in milliseconds. */
  timeoutMs?: number;
  log: Log;
  onCall?: (call: OutgoingCall) => void;
}

/** The parts of Shopify that Platen uses: the shops' Admin API, their tokens and the verification of callers. */
export interface Shopify {
  /** Returns a shop's Admin API. A bulk job's calls (`isBulk`) leave room for order calls. */
  admin(session: { shop: string; accessToken: string; isBulk?: boolean }): AdminApi;
  exchangeSessionToken(shop: string, sessionToken: string): Promise<OfflineToken>;
  refreshToken(shop: string, refreshToken: string): Promise<OfflineToken>;
  beginAuthorization(shop: string, request: IncomingMessage): Promise<AuthorizationStart>;
  finishAuthorization(request: IncomingMessage): Promise<{ shop: string; token: OfflineToken }>;
  verifySessionToken(token: string): Promise<SessionToken>;
  verifyWebhook(rawBody: Buffer, request: Pick<IncomingMessage, 'headers'>): WebhookVerdict;
  verifyFulfillmentCallback(rawBody: Buffer, request: Pick<IncomingMessage, 'headers'>): CallbackVerdict;
  verifyFlowRequest(rawBody: Buffer, request: Pick<IncomingMessage, 'headers'>): FlowVerdict;
  /** Returns the domain of the shop whose page sent a request through the app's proxy, or null if Shopify did not sign the request. */
  verifyProxyRequest(query: URLSearchParams, now: Date): string | null;
  /** Returns how many outages of a shop's Admin API have been detected (`CircuitBreaker`). */
  outages(): number;
  /** Waits up to one second for running calls, then closes all connections. Calls that are still running fail without a response. */
  close(): Promise<void>;
}

/** The version of the Admin API that Platen calls. */
export const API_VERSION = ApiVersion.October26;

/** Maximum number of connections per host. Each shop has its own host. */
const MAX_CONNECTIONS = 64;
const CONNECT_TIMEOUT_MS = 5_000;
const CLOSE_MS = 1_000;
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/**
 * The time limit of token requests. It is shorter than the limit of other requests, because during a token request a row is locked or a
 * merchant is waiting for a page.
 */
const MAX_GRANT_MS = 8_000;

/** Creates the client of one app. A process may have several clients with different origins. Close a client to end its connections. */
export function createShopify(options: ShopifyOptions): Shopify {
  const { clock, apiSecret, log, timeoutMs = 20_000, onCall = () => {} } = options;
  const secrets = [apiSecret, ...(options.previousApiSecret ? [options.previousApiSecret] : [])];
  const library = createLibrary(options);
  const libraries = secrets.map((secret) =>
    secret === apiSecret ? library : createLibrary({ ...options, apiSecret: secret }),
  );
  const dispatcher = new Agent({
    connections: MAX_CONNECTIONS,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: MAX_RESPONSE_BYTES,
  });
  const throttle = createThrottle(
    clock,
    (shop) => (what, seconds) => logOutage(options.log, { api: 'store', shop, seconds }, what),
  );

  function toOrigin(shop: string): string {
    if (!isShopDomain(shop))
      throw new InvalidInputError('shop', 'The shop domain is not valid. It must have the form NAME.myshopify.com.');
    return options.adminOrigin.replace('{shop}', shop).replace(/\/$/, '');
  }

  function openExchange(shop: string): Exchange {
    const grantMs = Math.min(timeoutMs, MAX_GRANT_MS);
    return { clock, origin: toOrigin(shop), dispatcher, timeoutMs: grantMs, answer: null, failure: null };
  }

  return {
    admin({ shop, accessToken, isBulk = false }) {
      const origin = toOrigin(shop);
      const session = new Session({ id: `offline_${shop}`, shop, state: '', isOnline: false, accessToken });
      const client = new library.clients.Graphql({ session });
      return createAdminApi({ clock, shop, isBulk, client, origin, dispatcher, timeoutMs, throttle, log, onCall });
    },
    async exchangeSessionToken(shop, sessionToken) {
      const verified = await verifySessionToken(libraries, sessionToken);
      return exchangeSessionToken(library, openExchange(shop), shop, { sessionToken, verified });
    },
    refreshToken: async (shop, token) => refreshToken(library, openExchange(shop), shop, token),
    beginAuthorization: async (shop, request) =>
      beginAuthorization(library, { origin: toOrigin(shop), apiSecret }, request, shop),
    finishAuthorization: (request) => finishAuthorization(library, { apiSecret, openExchange }, request),
    verifySessionToken: (token) => verifySessionToken(libraries, token),
    verifyWebhook: (rawBody, request) => verifyWebhook(secrets, rawBody, request),
    verifyFulfillmentCallback: (rawBody, request) => verifyFulfillmentCallback(secrets, rawBody, request),
    verifyFlowRequest: (rawBody, request) => verifyFlowRequest(secrets, rawBody, request),
    verifyProxyRequest: (query, now) => verifyProxyRequest(secrets, query, now),
    outages: () => throttle.outages(),
    async close() {
      const late = (): Promise<void> => dispatcher.destroy();
      await withinTime(systemClock, { work: dispatcher.close(), milliseconds: CLOSE_MS, late });
    },
  };
}

function createLibrary({ apiKey, apiSecret, appUrl, log }: ShopifyOptions): Library {
  const source = { library: 'shopify-api' };
  const { host, protocol } = new URL(appUrl);
  return shopifyApi({
    apiKey,
    apiSecretKey: apiSecret,
    hostName: host,
    hostScheme: protocol === 'http:' ? 'http' : 'https',
    apiVersion: API_VERSION,
    isEmbeddedApp: true,
    userAgentPrefix: 'Platen',
    scopes: [...installScopes],
    logger: { level: LogSeverity.Warning, log: (_severity, message) => log.warn(source, removeContext(message)) },
    _logDisabledFutureFlags: false,
  });
}

/** Removes the state of a sign-in, which the library may append to a message. */
function removeContext(message: string): string {
  return message.split(' | {', 1)[0] ?? '';
}
