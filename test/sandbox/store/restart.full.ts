import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { callsTo, demo, openTestStore, text, until } from './open-store.ts';

const script = fileURLToPath(new URL('store-process.ts', import.meta.url));

async function startProcess(home: string, appUrl: string) {
  const child = spawn(process.execPath, [script, home, appUrl], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, ...callsTo(line.toString().trim()) };
}

test('a killed store keeps its orders, tokens and products, and never reuses an ID', async () => {
  const home = await mkdtemp(join(tmpdir(), 'store-kill-'));
  const nowhere = 'http://127.0.0.1:9';
  const killed = await startProcess(home, nowhere);
  const token = await killed.token();
  const variants = await killed.variants();
  const routed = await killed.buy({ CARDS: 1 });
  const lines = [{ variantId: variants[0]?.variantId, quantity: 1 }];
  const unrouted = await killed.post('/_control/orders', { lines });
  expect(unrouted.body['fulfillmentOrders']).toEqual([]);
  killed.child.kill('SIGKILL');
  await once(killed.child, 'exit');

  const store = await openTestStore({ home });
  try {
    expect(await store.variants()).toEqual(variants);
    expect(await store.order(routed.id)).toEqual(routed);
    await until(async () => (await store.order(text(unrouted.body['id']))).fulfillmentOrders.length === 1);
    const path = `/${demo}/admin/api/2026-10/graphql.json`;
    const query = { query: '{ shop { myshopifyDomain } }' };
    expect((await store.post(path, query, { 'x-shopify-access-token': token })).status).toBe(200);
    const next = await store.buy({ CARDS: 1 });
    expect([routed.name, unrouted.body['name'], next.name]).toEqual(['#1001', '#1002', '#1003']);
    expect(Number(next.id.split('/').at(-1))).toBeGreaterThan(Number(text(unrouted.body['id']).split('/').at(-1)));
    // Webhooks that the killed process planned are still sent to its old address. Webhooks about new changes arrive at this receiver.
    await until(() => store.topics().includes('fulfillment_orders/order_routing_complete'));
  } finally {
    await store.close();
  }
});

test('a scheduled order whose time passes while the store is stopped opens after the restart', async () => {
  const first = await openTestStore();
  const order = await first.buy({ VASE: 1 }, { fulfillAt: '2100-01-01T00:00:00Z' });
  await first.close(true);
  const books = join(first.home, 'sandbox-store.jsonl');
  await writeFile(books, (await readFile(books, 'utf8')).replaceAll('2100-01-01', '2020-01-01'));
  const store = await openTestStore({ home: first.home });
  try {
    await until(() => store.topics().includes('fulfillment_orders/scheduled_fulfillment_order_ready'));
    expect((await store.order(order.id)).fulfillmentOrders).toMatchObject([{ status: 'OPEN' }]);
  } finally {
    await store.close();
  }
});
