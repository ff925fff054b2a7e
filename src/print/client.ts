import { Agent } from 'undici';
import type { Catalog, CatalogProduct, CatalogProductPage, CatalogSummary } from './current/catalog-objects.ts';
import type { ProductPrice, ProductStock } from './current/catalog-objects.ts';
import { getCatalog, getProductPrices, getStockAvailability, listCatalogs } from './current/catalog-v3.ts';
import { readCatalogProducts, searchCatalogProducts } from './current/catalog-v3.ts';
import type { AttributeFilters, ProductPricesRequest, SearchCatalogProductsRequest } from './current/catalog-v3.ts';
import type { ReportOutage } from '../circuit-breaker.ts';
import { systemClock, withinTime, type Clock } from '../clock.ts';
import { InvalidInputError } from '../errors.ts';
import { createSend, type Address, type OnCall } from './http/create-send.ts';
import { createCallLimits } from './http/limit-calls.ts';
import type { Order, SearchOrderRecord } from './current/objects.ts';
import { createV1Calls, createV2Calls, type LegacyV1Calls, type LegacyV2Calls } from './legacy/legacy-calls.ts';
import { createOrder, type CreateOrderOptions, type CreateOrderRequest } from './current/orders-v3.ts';
import { searchOrdersV3, type SearchOrdersV3Request, type SearchOrderV3Record } from './current/orders-v3.ts';
import { cancelOrder, deleteDraft, getOrder, patchOrder, quote, searchOrders } from './current/orders-v4.ts';
import type { PatchOrderRequest, QuoteRequest, QuoteResponse, SearchOrdersRequest } from './current/orders-v4.ts';
import type { Unsupported } from './port.ts';
import type { LegacyHost, PrintHost, SearchRecord, Send } from './http/send.ts';
import {
  createStoreProductFromTemplate,
  getStoreProduct,
  getTemplate,
  listStoreProducts,
} from './current/store-products.ts';
import { readStoreProductPage } from './current/store-products.ts';
import type { CreateStoreProductRequest, StoreProduct, StoreProductPage, Template } from './current/store-products.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** Maximum size of a response. A page of 100 products with many variants takes several megabytes. */
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;
const CONNECTIONS_PER_HOST = 50;
const CLOSE_MS = 1_000;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

export type { LegacyV1Calls, LegacyV2Calls } from './legacy/legacy-calls.ts';

/** The address of each host, which must use https, or http on loopback. Null if the operator has not set the address. */
type PrintUrls = Record<Exclude<PrintHost, 'legacyTest'>, string> & { legacyTest: string | null };

export interface PrintClientOptions {
  clock: Clock;
  urls: PrintUrls;
  /** Timeout of a call, from its start to the end of its response, including retries. */
  timeoutMs: number;
  onCall?: OnCall;
  /** Called when the service stops responding for an account, and when it responds again. */
  onOutage?: ReportOutage;
}

/** The print service's client. One client serves all accounts and keeps its connections alive. */
export interface PrintClient {
  /** Returns the service for the account with this key, with or without the extended calls. */
  withKey(key: string, options: KeyOptions): PrintService;
  /** Returns how many outages have been detected so far, across all keys. */
  outages(): number;
  /** Waits up to one second for running calls, then closes all connections. Calls that are still running fail without a response. */
  close(): Promise<void>;
}

interface KeyOptions {
  extendedCalls: boolean;
  /** The shop that makes the calls. During an outage, each shop that shares the account has its own turn to retry. */
  shopId?: number;
}

/** The calls that one account can make. A failed call throws a PrintServiceError. */
export interface PrintService {
  /**
   * Returns the seconds to wait while the service is down for this account, or null if calls are allowed. A caller that must wait takes the
   * next turn of its shop. Callers check this before they start a step.
   */
  outageSeconds(): number | null;
  /** The extended calls, or 'unsupported' if the account does not use them. */
  extended: ExtendedCalls | Unsupported;
  quote(request: QuoteRequest): Promise<QuoteResponse>;
  createOrder(request: CreateOrderRequest, options?: CreateOrderOptions): Promise<Order>;
  searchOrders(filters: SearchOrdersRequest): AsyncIterable<SearchRecord<SearchOrderRecord>>;
  searchOrdersV3(filters: SearchOrdersV3Request): AsyncIterable<SearchOrderV3Record>;
  deleteDraft(orderId: string): Promise<void>;
  /** The calls of v1, an earlier interface with integer references and one product per order. */
  v1(host: LegacyHost): LegacyV1Calls;
  /** The calls of v2, an earlier interface with string references. */
  v2(host: LegacyHost): LegacyV2Calls;
  searchCatalogProducts(catalogUid: string, request?: SearchCatalogProductsRequest): Promise<CatalogProductPage>;
  readCatalogProducts(catalogUid: string, attributeFilters?: AttributeFilters): AsyncIterable<CatalogProduct>;
  getStoreProduct(storeId: string, productId: string): Promise<StoreProduct>;
}

/**
 * The extended calls, which some accounts may not use (docs/rules/print-interface.md#extended-calls). A failed call throws a
 * PrintServiceError.
 */
export interface ExtendedCalls {
  getOrder(orderId: string): Promise<Order>;
  patchOrder(orderId: string, change: PatchOrderRequest): Promise<Order>;
  cancelOrder(orderId: string): Promise<void>;
  listCatalogs(): Promise<CatalogSummary[]>;
  getCatalog(catalogUid: string): Promise<Catalog>;
  getProductPrices(productUid: string, request?: ProductPricesRequest): Promise<ProductPrice[]>;
  getStockAvailability(productUids: readonly string[]): Promise<ProductStock[]>;
  listStoreProducts(storeId: string): AsyncIterable<StoreProduct>;
  readStoreProductPage(storeId: string, offset: number): Promise<StoreProductPage>;
  getTemplate(templateId: string): Promise<Template>;
  createStoreProductFromTemplate(storeId: string, request: CreateStoreProductRequest): Promise<StoreProduct>;
}

/** Creates the print service's client. Throws InvalidInputError for an address to which a key would be sent unencrypted. */
export function createPrintClient(options: PrintClientOptions): PrintClient {
  const { clock, urls } = options;
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
    maxResponseSize: MAX_RESPONSE_BYTES,
    allowH2: false,
  });
  const limits = createCallLimits(clock, options.onOutage);
  return {
    withKey(key, { extendedCalls, shopId }) {
      const { timeoutMs, onCall } = options;
      const lane = shopId === undefined ? '' : String(shopId);
      const send = createSend({ clock, agent, addresses, limits, timeoutMs, onCall, lane }, key);
      return {
        outageSeconds: () => limits.requestTurn(key, lane),
        extended: extendedCalls ? createExtendedCalls(send) : 'unsupported',
        quote: (request) => quote(send, request),
        createOrder: (request, createOptions) => createOrder(send, request, createOptions),
        searchOrders: (filters) => searchOrders(send, filters),
        searchOrdersV3: (filters) => searchOrdersV3(send, filters),
        deleteDraft: (orderId) => deleteDraft(send, orderId),
        v1: (host) => createV1Calls(clock, send, host),
        v2: (host) => createV2Calls(clock, send, host),
        searchCatalogProducts: (catalogUid, search) => searchCatalogProducts(send, catalogUid, search),
        readCatalogProducts: (catalogUid, filters) => readCatalogProducts(send, catalogUid, filters),
        getStoreProduct: (storeId, productId) => getStoreProduct(send, storeId, productId),
      };
    },
    outages: () => limits.outages(),
    async close() {
      const late = (): Promise<void> => agent.destroy();
      await withinTime(systemClock, { work: agent.close(), milliseconds: CLOSE_MS, late });
    },
  };
}

function createExtendedCalls(send: Send): ExtendedCalls {
  return {
    getOrder: (orderId) => getOrder(send, orderId),
    patchOrder: (orderId, change) => patchOrder(send, orderId, change),
    cancelOrder: (orderId) => cancelOrder(send, orderId),
    listCatalogs: () => listCatalogs(send),
    getCatalog: (catalogUid) => getCatalog(send, catalogUid),
    getProductPrices: (productUid, request) => getProductPrices(send, productUid, request),
    getStockAvailability: (productUids) => getStockAvailability(send, productUids),
    listStoreProducts: (storeId) => listStoreProducts(send, storeId),
    readStoreProductPage: (storeId, offset) => readStoreProductPage(send, storeId, offset),
    getTemplate: (templateId) => getTemplate(send, templateId),
    createStoreProductFromTemplate: (storeId, request) => createStoreProductFromTemplate(send, storeId, request),
  };
}

function toAddress(host: PrintHost, url: string): Address {
  const parsed = URL.parse(url);
  const allowed = parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && LOOPBACK.test(parsed.hostname));
  if (parsed === null || !allowed) {
    const variable = `PRINT_${host === 'legacyTest' ? 'LEGACY_TEST' : host.toUpperCase()}_URL`;
    const message = `${variable} must be an https address; plain http is allowed only for loopback addresses.`;
    throw new InvalidInputError(`urls.${host}`, message);
  }
  return { origin: parsed.origin, prefix: parsed.pathname.replace(/\/$/, '') };
}
