import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startStore, type StoreServiceOptions } from '../../../sandbox/store/start.ts';
import { currentClock, eventually, useClock } from '../../helpers/eventually.ts';
import { openVirtualClock } from '../../helpers/virtual-clock.ts';

const app = { apiKey: 'sandbox-app', apiSecret: 'sandbox-secret' };
export const demo = 'demo.myshopify.com';

/** The configuration of an app with every scope, so that tests that do not concern scopes never lack one. */
const everyScope = fileURLToPath(new URL('every-scope.toml', import.meta.url));

/** A request that reached the app. */
interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface ControlOrder {
  id: string;
  name: string;
  shop: string;
  lines: { id: string; sku: string | null; variantId: string | null; quantity: number }[];
  fulfillments: {
    id: string;
    lines: { sku: string | null; quantity: number }[];
    trackingCodes: string[];
    trackingUrls: string[];
    notified: boolean;
    notifications: number;
  }[];
  fulfillmentOrders: { id: string; status: string; requestStatus: string }[];
  cancelledAt: string | null;
}

interface ControlVariant {
  variantId: string;
  sku: string;
  title: string;
  productTitle: string;
  shop: string;
  price: string;
  requiresShipping: boolean;
  printed: boolean;
  productUid: string | null;
}

interface GraphqlAnswer {
  data: Json;
  errors?: { message: string; path?: (string | number)[]; extensions?: { code?: string; requiredAccess?: string } }[];
  extensions?: { cost: { requestedQueryCost: number; throttleStatus: { maximumAvailable: number } } };
}

interface Json {
  [key: string]: Json;
}

/** Returns a value from a response as text. */
function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns a value from a response as a list. Throws if the value is not a list. */
export function list<Item>(value: unknown): Item[] {
  if (!Array.isArray(value)) throw new Error(`not a list: ${JSON.stringify(value)}`);
  return value as Item[];
}

/** Opens a store with its own books, and an app that records and accepts the requests it gets. */
export async function openTestStore(options: Partial<StoreServiceOptions> = {}) {
  const home = await mkdtemp(join(tmpdir(), 'store-'));
  const received: Received[] = [];
  const listener = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) });
      response.writeHead(200).end();
    });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  const appUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const isFirst = currentClock() === null;
  const clock = currentClock() ?? (await openVirtualClock(null));
  useClock(clock);
  const serving = await startStore({ clock, home, port: 0, appUrl, ...app, appToml: everyScope, ...options });
  const calls = callsTo(serving.url);
  const tokens: Record<string, string> = {};
  return {
    ...calls,
    url: serving.url,
    clock,
    home,
    appUrl,
    received,
    topics: () => received.map(({ headers }) => String(headers['x-shopify-topic'] ?? 'callback')),
    async graphql(query: string, variables: object = {}, shop = demo): Promise<GraphqlAnswer> {
      const ask = () => {
        const headers = { 'x-shopify-access-token': tokens[shop] ?? '' };
        return calls.post(`/${shop}/admin/api/2026-10/graphql.json`, { query, variables }, headers);
      };
      let answer = await ask();
      if (answer.status === 401) {
        tokens[shop] = await calls.token(shop);
        answer = await ask();
      }
      return answer.body as unknown as GraphqlAnswer;
    },
    async close() {
      await serving.close();
      listener.close();
      listener.closeAllConnections();
      if (isFirst) useClock(null);
      await rm(home, { recursive: true, force: true });
    },
  };
}

export type TestStore = Awaited<ReturnType<typeof openTestStore>>;

/** Returns functions that call the store at a URL through its control endpoints, its token endpoint and the Admin API. */
function callsTo(url: string) {
  async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Json };
  }
  const get = (path: string) => call('GET', path);
  const post = (path: string, body?: unknown, headers?: Record<string, string>) => call('POST', path, body, headers);
  return {
    get,
    post,
    async token(shop = demo): Promise<string> {
      const grant = { client_id: app.apiKey, client_secret: app.apiSecret, grant_type: 'client_credentials' };
      const { body } = await post(`/${shop}/admin/oauth/access_token`, grant);
      return text(body['access_token']);
    },
    async variants(): Promise<ControlVariant[]> {
      return (await get('/_control/variants')).body as unknown as ControlVariant[];
    },
    async variant(sku: string): Promise<ControlVariant> {
      const found = (await this.variants()).find((variant) => variant.sku === sku);
      if (!found) throw new Error(`no variant ${sku}`);
      return found;
    },
    async orders(): Promise<ControlOrder[]> {
      return (await get('/_control/orders')).body as unknown as ControlOrder[];
    },
    async order(id: string): Promise<ControlOrder> {
      return (await get(`/_control/orders/${encodeURIComponent(id)}`)).body as unknown as ControlOrder;
    },
    /** Places an order with this many units of each SKU, and returns the order with its fulfillment orders. */
    async buy(units: Record<string, number>, more: object = {}): Promise<ControlOrder> {
      const variants = await this.variants();
      const idOf = (sku: string) => variants.find((variant) => variant.sku === sku)?.variantId;
      const lines = Object.entries(units).map(([sku, quantity]) => ({ variantId: idOf(sku), quantity }));
      const { status, body } = await post('/_control/orders', { lines, ...more });
      if (status !== 201) throw new Error(JSON.stringify(body));
      const made = body as unknown as ControlOrder;
      await until(async () => (await this.order(made.id)).fulfillmentOrders.length > 0);
      return this.order(made.id);
    },
  };
}

/** Waits until a condition holds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  await eventually(holds).toBe(true);
}
