import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Holds, OrderLines, StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { PrintOrders, type PrintOrderState } from '../../../src/database/entities/print-orders.ts';
import { listOrders, listOrdersPage } from '../../../src/orders/lists/list-orders.ts';
import { orderLabels } from '../../../src/orders/facts/to-order-state.ts';
import { addShop, openTestApp, type TestApp } from '../../http/test-app.ts';

let app: TestApp;
beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());

const pick = <Value>(values: readonly Value[]): Value => values[randomInt(values.length)]!;
const STATES: PrintOrderState[] = ['planned', 'submitted', 'shipped', 'fulfilled', 'held', 'canceled', 'failed'];

/** Adds orders with random rows of each kind. */
async function addRandomOrders(shopId: number, count: number): Promise<void> {
  const { manager } = app.db;
  const placedAt = app.clock.now();
  const { identifiers } = await manager.insert(
    StorefrontOrders,
    Array.from({ length: count }, (_, number) => ({
      shopId,
      shopifyOrderId: `gid://shopify/Order/${number}`,
      name: `#${number}`,
      placedAt,
      canceledAt: randomInt(8) === 0 ? placedAt : null,
      outcome: pick(['waiting', 'nothing_to_do', 'planned'] as const),
      outcomeReason: pick([null, 'lines_removed', 'not_paid', 'nothing_left']),
    })),
  );
  const ids = identifiers.map((row) => String(row['id']));
  const upTo = (most: number) => Array.from({ length: randomInt(most + 1) }, (_, index) => index + 1);
  const held = ids.filter(() => randomInt(8) === 0);
  await manager.insert(
    Holds,
    held.map((storefrontOrderId) => ({ shopId, storefrontOrderId, code: 'high_risk', message: 'It waits.' })),
  );
  const lines = ids.flatMap((storefrontOrderId) =>
    upTo(2).map((line) => {
      const orderedQuantity = randomInt(3);
      return {
        storefrontOrderId,
        shopifyLineItemId: `gid://shopify/LineItem/${line}`,
        decision: pick(['ours', 'not_ours', 'held'] as const),
        orderedQuantity,
        fulfilledQuantity: randomInt(orderedQuantity + 2),
      };
    }),
  );
  await manager.insert(OrderLines, lines);
  const prints = ids.flatMap((storefrontOrderId) =>
    upTo(2).map((part) => ({
      shopId,
      storefrontOrderId,
      shopifyFulfillmentOrderId: 'gid://shopify/FulfillmentOrder/1',
      part,
      reference: `ref-${storefrontOrderId}-${part}`,
      state: pick(STATES),
      submitWay: 'direct' as const,
      planSha256: '0',
      confirmedAt: pick([null, placedAt]),
      fencedAt: randomInt(5) === 0 ? placedAt : null,
      printAgainAt: randomInt(5) === 0 ? placedAt : null,
    })),
  );
  await manager.insert(PrintOrders, prints);
}

test('the filter by state finds exactly the orders that show that state, and for "held" also canceled orders on hold', async () => {
  const shop = await addShop(app.db);
  await addRandomOrders(shop.id, 300);
  const shown = new Map<string, string[]>();
  for await (const { name, label } of listOrders(app, shop)) shown.set(label, [...(shown.get(label) ?? []), name]);
  expect(shown.size).toBe(orderLabels.length);
  const onHold: string[] = [];
  for await (const { name } of listOrders(app, shop, { isHeld: true })) onHold.push(name);
  expect(onHold.length).toBeGreaterThan(shown.get('held')?.length ?? 0);
  shown.set('held', onHold);
  for (const label of orderLabels) {
    const found: string[] = [];
    for (let after: string | null = null; ;) {
      const page = await listOrdersPage(app, shop, { state: label, after });
      found.push(...page.orders.map(({ name }) => name));
      after = page.next;
      if (after === null) break;
    }
    expect([label, found.toSorted()]).toEqual([label, shown.get(label)?.toSorted() ?? []]);
  }
});
