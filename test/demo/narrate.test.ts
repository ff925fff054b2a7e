import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { StorefrontOrders, TimelineEntries } from '../../src/database/entities/orders.ts';
import type { Shop } from '../../src/database/entities/shops.ts';
import { narrate } from '../../src/demo/narrate.ts';
import { addShop, openTestApp, type OpenTestApp } from '../http/test-app.ts';

let app: OpenTestApp;
let shop: Shop;

beforeAll(async () => {
  app = await openTestApp();
  shop = await addShop(app.db);
});
afterAll(() => app.close());

async function receive(number: number): Promise<string> {
  const { identifiers } = await app.db.manager.insert(StorefrontOrders, {
    shopId: shop.id,
    shopifyOrderId: `gid://shopify/Order/${number}`,
    name: '',
    placedAt: new Date(),
  });
  return String(identifiers[0]?.['id']);
}

async function step(storefrontOrderId: string, message: string, secondsAgo = 0): Promise<void> {
  const at = new Date(Date.now() - secondsAgo * 1000);
  await app.db.manager.insert(TimelineEntries, {
    shopId: shop.id,
    storefrontOrderId,
    at,
    kind: 'noted',
    message,
    by: 'platen',
  });
}

test('the first steps of an order are shown with the name that the order gets a moment later', async () => {
  const lines: string[] = [];
  const steps = () => lines.filter((line) => !line.endsWith('Started.'));
  const reads = vi.spyOn(app.db, 'query');
  const stopped = new AbortController();
  const done = narrate(app, (line) => lines.push(line.slice(10)), stopped.signal);
  try {
    // The narration shows only steps that are recorded after its start, whose time the test does not know. Retry until a step appears.
    await vi.waitFor(async () => {
      const first = await receive(Math.ceil(Math.random() * 1e9));
      await app.db.manager.update(StorefrontOrders, { id: first }, { name: '#1' });
      await step(first, 'Started.');
      await delay(50);
      expect(lines.at(-1)).toBe('#1      Started.');
    });
    const order = await receive(7001);
    await step(order, 'The order is received.');
    await step(order, 'The order is planned.');
    const lost = await receive(7002);
    // Wait until the steps have been read without a name.
    const seen = reads.mock.calls.length;
    await vi.waitFor(() => expect(reads.mock.calls.length).toBeGreaterThan(seen + 1));
    expect(steps()).toEqual([]);
    await app.db.manager.update(StorefrontOrders, { id: order }, { name: '#1002' });
    await vi.waitFor(() => expect(steps()).toHaveLength(2));
    expect(steps()).toEqual(['#1002   The order is received.', '#1002   The order is planned.']);
    // An order that never gets a name is shown with the number from its ID.
    await step(lost, 'The order is received.', 60);
    await vi.waitFor(() => expect(steps().at(-1)).toBe('7002    The order is received.'));
  } finally {
    stopped.abort();
    await done;
  }
});
