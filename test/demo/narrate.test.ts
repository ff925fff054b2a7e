import { afterAll, beforeAll, expect, test } from 'vitest';
import { StorefrontOrders, TimelineEntries } from '../../src/database/entities/orders.ts';
import { narrate } from '../../src/demo/narrate.ts';
import { startPlaten, type Platen } from '../helpers/platen.ts';

let platen: Platen;

beforeAll(async () => {
  platen = await startPlaten();
  // The polls after the installation end before the test adds orders that the store does not have.
  await platen.pass(60_000);
});
afterAll(() => platen.stop());

/** Adds an order that Platen has not read yet, so it has no name. */
async function receive(number: number): Promise<string> {
  const { app, shop } = platen;
  const row = { shopId: shop.id, shopifyOrderId: `gid://shopify/Order/${number}`, name: '', placedAt: app.clock.now() };
  const { identifiers } = await app.db.manager.insert(StorefrontOrders, row);
  return String(identifiers[0]?.['id']);
}

async function step(storefrontOrderId: string, message: string): Promise<void> {
  const { app, shop } = platen;
  const row = { shopId: shop.id, storefrontOrderId, at: app.clock.now(), kind: 'noted', message };
  await app.db.manager.insert(TimelineEntries, { ...row, by: 'platen' });
}

test('the first steps of an order are shown with the name that the order gets a moment later', async () => {
  const lines: string[] = [];
  const stopped = new AbortController();
  const done = narrate(platen.app, (line) => lines.push(line.slice(10)), stopped.signal);
  await platen.pass(1);
  const order = await receive(7001);
  await step(order, 'The order is received.');
  await step(order, 'The order is planned.');
  const lost = await receive(7002);
  await platen.pass(1_000);
  expect(lines).toEqual([]);
  await platen.app.db.manager.update(StorefrontOrders, { id: order }, { name: '#1002' });
  await platen.pass(6_000);
  expect(lines).toEqual(['#1002   The order is received.', '#1002   The order is planned.']);
  // An order that never gets a name is shown with the number from its ID.
  await step(lost, 'The order is received.');
  await platen.pass(20_000);
  expect(lines.at(-1)).toBe('7002    The order is received.');
  stopped.abort();
  await done;
});
