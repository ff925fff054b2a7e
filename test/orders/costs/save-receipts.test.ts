import { afterAll, beforeAll, expect, test } from 'vitest';
import { OrderSales, PrintReceipts } from '../../../src/database/entities/costs.ts';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { PrintOrderLines, ServiceOrders } from '../../../src/database/entities/print-orders.ts';
import { saveReceipts } from '../../../src/orders/costs/save-receipts.ts';
import { listReceipts } from '../../../src/orders/costs/list-receipts.ts';
import { readCosts } from '../../../src/orders/costs/read-costs.ts';
import { planStorefrontOrder } from '../../../src/orders/plan/plan-storefront-order.ts';
import { openSubmitScope } from '../../../src/orders/submit/submit-scope.ts';
import { orderSchema } from '../../../src/print/current/objects.ts';
import { parseJson } from '../../../src/print/http/parse-json.ts';
import { openTestShop, type TestShop } from '../../shipments/test-shop.ts';

let shop: TestShop;
beforeAll(async () => void (shop = await openTestShop()), 60_000);
afterAll(() => shop.close());

const purchase = (id: string | null, total: number, more: object = {}) => ({
  id,
  transactionType: 'purchase',
  currency: 'USD',
  productsPrice: total,
  total,
  totalVat: 0,
  totalInclVat: total,
  ...more,
});

async function setUp() {
  const { printOrder, storefrontOrderId } = await shop.ordered({ 'POSTER-13X18': 1 });
  const scope = await openSubmitScope(shop.app, printOrder.id);
  if (!scope) throw new Error('no scope');
  const { db } = shop.app;
  return {
    storefrontOrderId,
    printOrder,
    /** Stores receipts as if they had arrived in a response from the service. */
    keep: (receipts: object[], more: object = {}) => {
      const id = printOrder.serviceOrderId;
      const body = JSON.stringify({ id, orderReferenceId: printOrder.reference, receipts, ...more });
      const order = orderSchema.parse(parseJson(body));
      return db.transaction((manager) => saveReceipts(scope, manager, [{ ...order, productionLog: [] }]));
    },
    /** Adds a second service order as a part of the print order, and returns its ID. */
    addPart: async () => {
      const { id: printOrderId, printAccountId } = printOrder;
      const serviceOrderId = `${printOrder.serviceOrderId}-2`;
      const part = { printOrderId, printAccountId: printAccountId ?? 0, serviceOrderId, role: 'part' as const };
      await db.manager.insert(ServiceOrders, { ...part, status: 'created' });
      return serviceOrderId;
    },
    kept: () => db.manager.find(PrintReceipts, { where: { printOrderId: printOrder.id }, order: { receiptId: 'ASC' } }),
    costs: async () => {
      const order = await db.manager.findOneByOrFail(StorefrontOrders, { id: storefrontOrderId });
      return (await readCosts(db.manager, [order])).get(storefrontOrderId)?.prints.get(printOrder.id);
    },
    jobs: async () =>
      (
        await db.query<{ key: string }[]>(`select key from graphile_worker.jobs where key = $1`, [
          `sale:${storefrontOrderId}`,
        ])
      ).length,
  };
}

test('a receipt that the service later omits is kept, and receipts without an ID are matched by position', async () => {
  const { keep, kept, costs } = await setUp();
  await keep([purchase('r1', 9), purchase(null, 1)]);
  await keep([purchase('r2', 5), purchase(null, 2)]);
  expect((await kept()).map(({ receiptId }) => receiptId)).toEqual(['r1', 'r2', expect.stringMatching(/:1$/)]);
  expect(await costs()).toMatchObject({ charged: { total: '16.00' } });
  await keep([{ ...purchase('r3', 6), transactionType: 'refund' }]);
  expect(await costs()).toMatchObject({ charged: { total: '10.00' } });
});

test('the amount paid is read once, when the first receipt arrives', async () => {
  const { keep, jobs, storefrontOrderId, costs } = await setUp();
  await keep([]);
  expect(await jobs()).toBe(0);
  expect(await costs()).toMatchObject({ unknown: 'receipts_missing' });
  await keep([purchase('r1', 9)]);
  expect(await jobs()).toBe(1);
  expect(await costs()).toMatchObject({ charged: { total: '9.00' }, unknown: 'sale_not_read' });
  await planStorefrontOrder(shop.app, { storefrontOrderId });
  expect(await costs()).toMatchObject({ paid: { lines: '12.00', shipping: '5.00' }, margin: { amount: '8.00' } });
  await shop.app.db.query(`select graphile_worker.remove_job($1)`, [`sale:${storefrontOrderId}`]);
  await keep([purchase('r1', 10)]);
  expect(await jobs()).toBe(0);
});

test('the amount paid is not read for an order whose customer data was erased', async () => {
  const { keep, jobs, storefrontOrderId } = await setUp();
  await shop.app.db.manager.update(StorefrontOrders, { id: storefrontOrderId }, { redactedAt: new Date() });
  await keep([purchase('r1', 9)]);
  expect(await jobs()).toBe(0);
  await planStorefrontOrder(shop.app, { storefrontOrderId });
  expect(await shop.app.db.manager.findBy(OrderSales, { storefrontOrderId })).toEqual([]);
});

test('a canceled part leaves the charge open until that part has a refund receipt', async () => {
  const { keep, costs, addPart, storefrontOrderId } = await setUp();
  const id = await addPart();
  await keep([purchase('r1', 9)]);
  await keep([purchase('r2', 4)], { id });
  await planStorefrontOrder(shop.app, { storefrontOrderId });
  expect(await costs()).toMatchObject({ charged: { total: '13.00' }, margin: { amount: '4.00' } });
  await shop.app.db.manager.update(ServiceOrders, { serviceOrderId: id }, { status: 'canceled' });
  expect(await costs()).toMatchObject({ charged: null, margin: null, unknown: 'charge_open' });
  await keep([{ ...purchase('r3', 9), transactionType: 'refund' }]);
  expect(await costs()).toMatchObject({ unknown: 'charge_open' });
  await keep([{ ...purchase('r4', 4), transactionType: 'refund' }], { id });
  expect(await costs()).toMatchObject({ charged: { total: '0.00' }, unknown: null });
});

test('a failed or canceled item, or failed units, leave the charge open until a refund receipt arrives', async () => {
  const { keep, costs, printOrder, storefrontOrderId } = await setUp();
  await keep([purchase('r1', 9)]);
  await planStorefrontOrder(shop.app, { storefrontOrderId });
  const set = (change: object) =>
    shop.app.db.manager.update(PrintOrderLines, { printOrderId: printOrder.id }, { ...intact, ...change });
  const intact = { serviceStatus: null, unitsOver: 0, unitsAgain: 0 };
  for (const change of [
    { serviceStatus: 'failed' },
    { serviceStatus: 'canceled' },
    { unitsOver: 1 },
    // Failed units that are printed again.
    { unitsOver: 1, unitsAgain: 1 },
  ]) {
    await set({});
    expect(await costs()).toMatchObject({ charged: { total: '9.00' }, unknown: null });
    await set(change);
    expect(await costs(), JSON.stringify(change)).toMatchObject({
      charged: null,
      margin: null,
      unknown: 'charge_open',
    });
  }
  await keep([{ ...purchase('r2', 4), transactionType: 'refund' }]);
  expect(await costs()).toMatchObject({ charged: { total: '5.00' }, unknown: null });
});

test('a receipt that two parts share is counted and listed once, in its latest version', async () => {
  const { keep, costs, kept, addPart, storefrontOrderId } = await setUp();
  const id = await addPart();
  await keep([purchase('r1', 9)], { id });
  expect(await costs()).toMatchObject({ unknown: 'receipts_missing' });
  await keep([purchase('r1', 9)]);
  await keep([purchase('r1', 8)], { id });
  expect(await kept()).toHaveLength(1);
  expect(await costs()).toMatchObject({ charged: { total: '8.00' } });
  const listed = await listReceipts(shop.app, { id: storefrontOrderId });
  expect(listed).toMatchObject([{ serviceOrderId: id, receipt: { id: 'r1', total: 8 } }]);
});
