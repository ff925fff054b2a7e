import { createHmac } from 'node:crypto';
import type { Random } from '../fuzz/random.ts';
import { createExampleRequest, fillPath, type KnownValues } from './create-example-request.ts';
import { createTestSessionToken, createWebhookHeaders } from './test-app.ts';

/** The credentials with which requests reach the handlers, and values for their parameters and bodies. */
export interface RequestInputs {
  secret: string;
  appUrl: string;
  /** The shop that most requests are for. */
  shop: string;
  /** A shop for requests that change the settings or end the connection to the print service. */
  spareShop: string;
  /** A shop for requests that make Platen leave a shop or return to it. */
  leavingShop: string;
  /** A shop for webhooks that uninstall Platen or erase a shop's data. */
  removedShop: string;
  /** The secret parts of callback addresses. */
  printToken: string;
  ratesToken: string;
  metricsToken: string;
  values: KnownValues;
  webhooks: [topic: string, bodies: unknown[]][];
  events: unknown[];
  carts: unknown[];
}

/** Changes the parts of a request while it is built, so that a signature still covers the changed parts. */
export interface RequestMutation {
  text(value: string): string;
  /** Changes a token or signature. */
  proof(value: string): string;
  body(value: unknown): Buffer;
  csv(value: string): Buffer;
}

export interface Draft {
  method: string;
  path: string;
  query: [name: string, value: string][];
  headers: Record<string, string>;
  body: Buffer | null;
}

/** Leaves every part as it is. */
const noMutation: RequestMutation = {
  text: (value) => value,
  proof: (value) => value,
  body: (value) => Buffer.from(JSON.stringify(value) ?? ''),
  csv: (value) => Buffer.from(value),
};

/** Routes that affect all later requests of their shop, and therefore use separate shops. */
const LEAVING_ROUTES = /\/api\/(?:leave|take-up)$/;
const SETTINGS_ROUTES = /^(?:PUT \/api\/settings|DELETE |POST \/api\/settings\/(?:disconnect|print-webhook))/;
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const HMAC = 'X-Shopify-Hmac-Sha256';

/**
 * Creates a request to any route of the app, such as `GET /api/orders/:id`, with the credentials or signature of its usual sender. A route
 * without its own case is requested like a page of the admin.
 */
export function draftRequest(
  route: string,
  keys: RequestInputs,
  random: Random,
  damage: RequestMutation = noMutation,
): Draft {
  const [method = '', template = ''] = route.split(' ');
  const empty: Draft = { method, path: template, query: [], headers: { 'user-agent': BROWSER }, body: null };
  const to = (path: string, bodies: unknown[]): Draft => ({ ...empty, path, body: damage.body(random.pick(bodies)) });
  const toSegment = (token: string) => encodeURIComponent(damage.proof(token).toWellFormed());
  if (template.startsWith('/api/') && method !== 'OPTIONS') return draftApiRequest(route, keys, random, damage);
  if (template === '/webhooks/shopify') return { ...empty, ...draftWebhook(keys, random, damage) };
  if (template === '/webhooks/print/:token') return to(`/webhooks/print/${toSegment(keys.printToken)}`, keys.events);
  if (template === '/rates/:token') return to(`/rates/${toSegment(keys.ratesToken)}`, keys.carts);
  if (/^\/(?:flow|fulfillment)\//.test(template))
    return { ...empty, ...draftSignedCallback(template, keys, random, damage) };
  if (template === '/proxy/estimate') return { ...empty, query: draftEstimate(keys, random, damage) };
  if (template === '/packing-slips') return { ...empty, query: draftPackingSlips(keys, random, damage) };
  if (template === '/metrics') return { ...empty, headers: { authorization: `Bearer ${keys.metricsToken}` } };
  if (template.startsWith('/auth')) return { ...empty, query: draftSignIn(template, keys, random, damage) };
  return draftPage(empty, keys, random, damage);
}

function draftApiRequest(route: string, keys: RequestInputs, random: Random, damage: RequestMutation): Draft {
  const { method, path, query, body, type } = createExampleRequest(route, keys.values, random);
  const shop = LEAVING_ROUTES.test(route) ? keys.leavingShop : SETTINGS_ROUTES.test(route) ? keys.spareShop : keys.shop;
  const headers = { authorization: `Bearer ${damage.proof(createTestSessionToken(shop))}` };
  if (type === null) return { method, path, query, headers, body: null };
  const bytes = type === 'text/csv' ? damage.csv(String(body)) : damage.body(body);
  return { method, path, query, headers: { ...headers, 'content-type': type }, body: bytes };
}

function draftWebhook(keys: RequestInputs, random: Random, damage: RequestMutation): Pick<Draft, 'headers' | 'body'> {
  const [topic, bodies] = random.pick(keys.webhooks);
  const shop = /uninstalled|redact/.test(topic) ? keys.removedShop : keys.shop;
  return withSignature(damage.body(random.pick(bodies)), { topic, shop }, damage);
}

function draftSignedCallback(
  template: string,
  keys: RequestInputs,
  random: Random,
  damage: RequestMutation,
): Pick<Draft, 'headers' | 'body'> {
  const run = {
    shop_id: '1',
    shopify_domain: keys.shop,
    action_run_id: `run-${random.below(1_000_000)}`,
    action_definition_id: 'Hold print order',
    properties: { order_id: random.pick(keys.values['orders'] ?? []) },
  };
  const use = {
    flow_trigger_definition_id: 'Print order sent',
    has_enabled_flow: random.chance(0.5),
    shopify_domain: keys.shop,
    timestamp: new Date().toISOString(),
  };
  const notice = { kind: random.pick(['FULFILLMENT_REQUEST', 'CANCELLATION_REQUEST']) };
  const body = template.startsWith('/fulfillment') ? notice : template.endsWith('use') ? use : run;
  return withSignature(damage.body(body), { shop: keys.shop }, damage);
}

function withSignature(body: Buffer, about: { topic?: string; shop: string }, damage: RequestMutation) {
  const headers = createWebhookHeaders(body, about);
  return { headers: { ...headers, [HMAC]: damage.proof(headers[HMAC] ?? '') }, body };
}

function draftEstimate(keys: RequestInputs, random: Random, damage: RequestMutation): Draft['query'] {
  const query: Draft['query'] = [
    ['shop', keys.shop],
    ['path_prefix', '/apps/platen'],
    ['timestamp', toSeconds(0)],
    ['variant', damage.text(String(random.pick(keys.values['variantId'] ?? [])))],
    ['country', damage.text(random.pick(['DE', 'US', 'GB']))],
    ['sku', damage.text(String(random.pick(keys.values['sku'] ?? [])))],
  ];
  const content = query
    .map(([name, value]) => `${name}=${value.toWellFormed()}`)
    .toSorted()
    .join('');
  return [...query, ['signature', damage.proof(toHmac(keys, content))]];
}

/** Leaves the signed values unchanged, because Platen signs only orders that it has checked. */
function draftPackingSlips(keys: RequestInputs, random: Random, damage: RequestMutation): Draft['query'] {
  const orders = Array.from({ length: 1 + random.below(3) }, () => String(random.pick(keys.values['orders'] ?? [])));
  const query: Draft['query'] = [
    ['shop', keys.shop],
    ['orders', orders.join('-')],
    ['locale', random.pick(['en', 'de'])],
    ['expires', toSeconds(random.pick([600, 600, 600, -10]))],
  ];
  const content = `packing slips\n${JSON.stringify(query.map(([, value]) => value))}`;
  return [...query, ['signature', damage.proof(toHmac(keys, content))]];
}

function draftSignIn(template: string, keys: RequestInputs, random: Random, damage: RequestMutation): Draft['query'] {
  const shop = random.pick([keys.shop, keys.shop, 'new.myshopify.com']);
  if (template.endsWith('bounce'))
    return [
      ['shop', shop],
      ['shopify-reload', `${keys.appUrl}/orders?shop=${shop}`],
    ];
  if (!template.endsWith('callback')) return [['shop', shop]];
  const query: Draft['query'] = [
    ['code', damage.text('code')],
    ['shop', shop],
    ['state', '0'.repeat(64)],
    ['timestamp', toSeconds(0)],
  ];
  return [...query, ['hmac', toHmac(keys, new URLSearchParams(query).toString())]];
}

/** Creates a request to a page of the admin, or to any other route that needs at most a session token in its URL. */
function draftPage(empty: Draft, keys: RequestInputs, random: Random, damage: RequestMutation): Draft {
  const path = fillPath(empty.path, (name) => String(random.pick(keys.values[name] ?? ['any'])));
  if (empty.method !== 'GET' || /assets|healthz|readyz/.test(path)) return { ...empty, path };
  const query: Draft['query'] = [
    ['id_token', damage.proof(createTestSessionToken(keys.shop))],
    ['shop', keys.shop],
    ['host', Buffer.from('admin.shopify.com/store/demo').toString('base64')],
    ['embedded', '1'],
    ['locale', random.pick(['en', 'de', 'fr'])],
  ];
  return { ...empty, path, query };
}

const toHmac = ({ secret }: RequestInputs, content: string) =>
  createHmac('sha256', secret).update(content).digest('hex');
const toSeconds = (later: number) => String(Math.floor(Date.now() / 1000) + later);
