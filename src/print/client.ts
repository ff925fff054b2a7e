import { Agent } from 'undici';
import { InvalidInputError } from '../errors.ts';
import { createSend, type Address, type OnCall } from './create-send.ts';
import type { Order, SearchOrderRecord } from './objects.ts';
import { createOrder, type CreateOrderOptions, type CreateOrderRequest } from './orders-v3.ts';
import { cancelOrder, deleteDraft, getOrder, patchOrder, quote, searchOrders } from './orders-v4.ts';
import type { QuoteRequest, QuoteResponse, SearchOrdersRequest } from './orders-v4.ts';
import type { PrintHost } from './send.ts';

const CONNECT_TIMEOUT_MS = 5_000;
const ANSWER_BYTES = 1024 * 1024;
const CONNECTIONS_PER_HOST = 50;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** The address of each host: https, or http on loopback; null: the operator has named none. */
export type PrintUrls = Record<Exclude<PrintHost, 'legacyTest'>, string> & { legacyTest: string | null };

export interface PrintClientOptions {
  urls: PrintUrls;
  /** One call with its repeats, from its start to the end of its answer. */
  timeoutMs: number;
  onCall?: OnCall;
}

/** The print service. One client serves all accounts and keeps its connections alive. */
export interface PrintClient {
  /** The service as the account of this key sees it. */
  withKey(key: string): PrintService;
  /** Waits for the calls under way, then closes all connections. */
  close(): Promise<void>;
}

/** The calls of one account. Each throws a PrintServiceError. */
export interface PrintService {
  quote(request: QuoteRequest): Promise<QuoteResponse>;
  createOrder(request: CreateOrderRequest, options?: CreateOrderOptions): Promise<Order>;
  searchOrders(filters: SearchOrdersRequest): AsyncIterable<SearchOrderRecord>;
  getOrder(orderId: string): Promise<Order>;
  patchOrder(orderId: string, change: { orderType: 'order' }): Promise<Order>;
  deleteDraft(orderId: string): Promise<void>;
  cancelOrder(orderId: string): Promise<void>;
}

/** The client of the print service. Throws InvalidInputError for an address that would send a key in the clear. */
export function createPrintClient(options: PrintClientOptions): PrintClient {
  const { urls } = options;
  const addresses: Record<PrintHost, Address | null> = {
    order: toAddress('order', urls.order),
    ecommerce: toAddress('ecommerce', urls.ecommerce),
    product: toAddress('product', urls.product),
    legacy: toAddress('legacy', urls.legacy),
    legacyTest: urls.legacyTest === null ? null : toAddress('legacyTest', urls.legacyTest),
  };
  const agent = new Agent({
    connect: { timeout: CONNECT_TIMEOUT_MS },
    connections: CONNECTIONS_PER_HOST,
    maxResponseSize: ANSWER_BYTES,
    allowH2: false,
  });
  return {
    withKey(key) {
      const send = createSend({ agent, addresses, timeoutMs: options.timeoutMs, onCall: options.onCall }, key);
      return {
        quote: (request) => quote(send, request),
        createOrder: (request, createOptions) => createOrder(send, request, createOptions),
        searchOrders: (filters) => searchOrders(send, filters),
        getOrder: (orderId) => getOrder(send, orderId),
        patchOrder: (orderId, change) => patchOrder(send, orderId, change),
        deleteDraft: (orderId) => deleteDraft(send, orderId),
        cancelOrder: (orderId) => cancelOrder(send, orderId),
      };
    },
    close: () => agent.close(),
  };
}

function toAddress(host: PrintHost, url: string): Address {
  const parsed = URL.parse(url);
  const allowed = parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && LOOPBACK.test(parsed.hostname));
  if (parsed === null || !allowed) {
    const variable = `PRINT_${host === 'legacyTest' ? 'LEGACY_TEST' : host.toUpperCase()}_URL`;
    const message = `${variable} must be an https address; plain http is for loopback alone.`;
    throw new InvalidInputError(`urls.${host}`, message);
  }
  return { origin: parsed.origin, prefix: parsed.pathname.replace(/\/$/, '') };
}
