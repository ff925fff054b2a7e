import { createHmac, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Pool } from 'undici';

// Sends webhooks of changed orders over several connections. Each connection sends its next webhook after the response to the previous one.

export interface LoadArguments {
  /** The server's address, without a path. */
  url: string;
  path: string;
  apiSecret: string;
  /** The shops' domains, used in turn. */
  shops: readonly string[];
  requests: number;
  connections: number;
}

export interface Load {
  seconds: number;
  /** The milliseconds from the request to the last byte of its response, for each accepted webhook. */
  takenMs: number[];
  /** The number of webhooks that were rejected with a 503. Shopify would retry such a webhook later. */
  refused: number;
}

const ORDER = new URL(
  '../../test/fixtures/shopify/rest_2026-07_order_paid_with_addresses_no_fulfilment.json',
  import.meta.url,
);

interface Delivery {
  body: string;
  headers: Record<string, string>;
}

/** Creates a delivery of `orders/updated` for a new order. Its body has about 6.6 kB. */
function createDelivery(shop: string, apiSecret: string, order: Record<string, unknown>): Delivery {
  const id = firstId++;
  const now = new Date().toISOString();
  const body = JSON.stringify({ ...order, id, admin_graphql_api_id: `gid://shopify/Order/${id}`, updated_at: now });
  const headers = {
    'content-type': 'application/json',
    'x-shopify-hmac-sha256': createHmac('sha256', apiSecret).update(body).digest('base64'),
    'x-shopify-shop-domain': shop,
    'x-shopify-topic': 'orders/updated',
    'x-shopify-api-version': '2026-10',
    'x-shopify-webhook-id': randomUUID(),
    'x-shopify-event-id': randomUUID(),
    'x-shopify-triggered-at': now,
  };
  return { body, headers };
}

const given = JSON.parse(process.argv[2] ?? '') as LoadArguments;
const order = JSON.parse(readFileSync(ORDER, 'utf8')) as Record<string, unknown>;
let firstId = 5_000_000_000 + Math.floor(Math.random() * 1_000_000_000_000);
// The webhooks are created and signed in advance, so that this work does not affect the measurement.
const deliveries = Array.from({ length: given.requests }, (_, index) =>
  createDelivery(given.shops[index % given.shops.length] ?? '', given.apiSecret, order),
);
const pool = new Pool(given.url, { connections: given.connections, pipelining: 1 });
const takenMs: number[] = [];
let refused = 0;

async function sendDelivery({ body, headers }: Delivery): Promise<void> {
  const startedAt = performance.now();
  const answer = await pool.request({ path: given.path, method: 'POST', headers, body });
  await answer.body.dump();
  if (answer.statusCode === 503) refused += 1;
  else if (answer.statusCode === 200) takenMs.push(performance.now() - startedAt);
  else throw new Error(`A webhook got status ${answer.statusCode}.`);
}

let next = 0;
const startedAt = performance.now();
await Promise.all(
  Array.from({ length: given.connections }, async () => {
    for (let one = deliveries[next++]; one !== undefined; one = deliveries[next++]) await sendDelivery(one);
  }),
);
const load: Load = { seconds: (performance.now() - startedAt) / 1000, takenMs, refused };
await pool.close();
// A large result takes several writes, so the channel is closed only after the last one.
process.send?.(load, () => process.disconnect());
