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

async function addRandomOrder(shopId: number, number: number): Promise<void> {
  const { manager } = app.db;
  const { id } = await manager.getRepository(StorefrontOrders).save({
    shopId,
    shopifyOrderId: `gid://shopify/Order/${number}`,
    name: `#${number}`,
    placedAt: app.clock.now(),
    canceledAt: randomInt(8) === 0 ? app.clock.now() : null,
    outcome: pick(['waiting', 'nothing_to_do', 'planned'] as const),
    outcomeReason: pick([null, 'lines_removed', 'not_paid', 'nothing_left']),
  });
  const storefrontOrderId = id;
  if (randomInt(8) === 0)
    await manager.insert(Holds, { shopId, storefrontOrderId, code: 'high_risk', message: 'It waits.' });
  for (let line = 0; line < randomInt(3); line += 1) {
    const orderedQuantity = randomInt(3);
    await manager.insert(OrderLines, {
      storefrontOrderId,
      shopifyLineItemId: `gid://shopify/LineItem/${line}`,
      decision: pick(['ours', 'not_ours', 'held'] as const),
      orderedQuantity,
      fulfilledQuantity: randomInt(orderedQuantity + 2),
    });
  }
  for (let part = 1; part <= randomInt(3); part += 1)
    await manager.insert(PrintOrders, {
      shopId,
      storefrontOrderId,
      shopifyFulfillmentOrderId: 'gid://shopify/FulfillmentOrder/1',
      part,
      reference: `ref-${id}-${part}`,
      state: pick(STATES),
      submitWay: 'direct',
      planSha256: '0',
      confirmedAt: pick([null, app.clock.now()]),
      fencedAt: randomInt(5) === 0 ? app.clock.now() : null,
      printAgainAt: randomInt(5) === 0 ? app.clock.now() : null,
    });
}

test('the filter by state finds exactly the orders that show that state, and for "held" also canceled orders on hold', async () => {
  const shop = await addShop(app.db);
  for (let number = 1; number <= 300; number += 1) await addRandomOrder(shop.id, number);
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
