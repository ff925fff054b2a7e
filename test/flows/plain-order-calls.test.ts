import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { receiveOrder } from '../../src/orders/intake/receive-order.ts';
import { countAdminCalls } from '../helpers/count-admin-calls.ts';
import { startPlaten, type Platen } from '../helpers/platen.ts';
import { untilIdle } from '../helpers/until-idle.ts';
import { eventually } from '../helpers/eventually.ts';

const POSTER = 'POSTER-30X40';

let platen: Platen;
beforeAll(async () => {
  platen = await startPlaten({ advanceSeconds: null });
}, 60_000);
beforeEach(() => untilIdle(platen.app));
afterAll(() => platen.stop());

const dropWebhooks = (drop: number) => platen.control('store', 'POST', '/webhooks', { drop });

/** Places a paid order with one line and one package, and waits until it is fulfilled in the store. */
async function fulfillPlainOrder(): Promise<void> {
  const order = await platen.placeSkus({ [POSTER]: 1 });
  await eventually(async () => (await platen.storeOrder(order.id)).fulfillmentOrders.length).toBe(1);
  await receiveOrder(platen.app, platen.shop, order.id);
  await platen.untilState(order.id, 'printing');
  const [printed] = await platen.printedFor(order.name);
  for (const to of ['passed', 'printed', 'shipped']) {
    await platen.control('print', 'POST', `/orders/${printed?.id}/advance`, { to });
    await untilIdle(platen.app);
  }
  await platen.untilState(order.id, 'fulfilled');
  await untilIdle(platen.app);
}

test('a simple order is read from the store only three times, and each change in the store needs one request', async () => {
  // Drops the webhooks about Platen's own changes.
  await dropWebhooks(1);
  const count = await countAdminCalls(platen);
  await fulfillPlainOrder();
  const { byName, cost } = await count();
  expect(byName).toEqual({ OrderForPlan: 2, OrderForPlanAndSale: 1, RequestFulfillment: 1, CreateFulfillment: 1 });
  expect(cost).toBeLessThanOrEqual(440);
  await dropWebhooks(0);
}, 60_000);

test('webhooks about Platen’s own changes cause no changes, only readings of the order', async () => {
  const count = await countAdminCalls(platen);
  await fulfillPlainOrder();
  const { OrderForPlan: reads = 0, ...others } = (await count()).byName;
  expect(others).toEqual({ RequestFulfillment: 1, OrderForPlanAndSale: 1, CreateFulfillment: 1 });
  // One reading may cover several webhooks, so the number of readings depends on when the webhooks arrive.
  expect(reads).toBeLessThanOrEqual(6);
}, 60_000);
