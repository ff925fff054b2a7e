import { afterAll, beforeAll, expect, test } from 'vitest';
import { Holds, OrderLines, type StorefrontOrder } from '../../../src/database/entities/orders.ts';
import {
  PrintOrderLines,
  ServiceOrders,
  type PrintOrder,
  type ServiceOrder,
} from '../../../src/database/entities/print-orders.ts';
import { remedyOf } from '../../../src/orders/facts/hold-codes.ts';
import { listOrders } from '../../../src/orders/lists/list-orders.ts';
import { findOrCreatePrintAccount } from '../../../src/shops/print-account/print-account.ts';
import { addOrder, addPrintOrder } from '../add-rows.ts';
import { addShop, openTestApp, type TestApp } from '../../http/test-app.ts';

let app: TestApp;
let printAccountId: number;

beforeAll(async () => {
  app = await openTestApp();
  printAccountId = (await findOrCreatePrintAccount(app, 'sandbox-key')).id;
});

afterAll(() => app.close());

async function addWithLines(order: StorefrontOrder, part: number, changes: Partial<PrintOrder>): Promise<PrintOrder> {
  const print = { printAccountId, part, reference: `ref-${order.id}-${part}`, ...changes };
  const printOrder = await addPrintOrder(app, order, print);
  await app.db.getRepository(PrintOrderLines).insert(
    [1, 2].map((line) => ({
      printOrderId: printOrder.id,
      itemReferenceId: `${line}`,
      shopifyLineItemId: `gid://shopify/LineItem/${part}${line}`,
      sku: line === 1 ? `SKU-${part}` : null,
      productUid: 'poster',
      quantity: line,
    })),
  );
  return printOrder;
}

async function addServiceOrder(printOrder: PrintOrder, id: string, changes: Partial<ServiceOrder>): Promise<void> {
  const row = { printOrderId: printOrder.id, printAccountId, serviceOrderId: id, role: 'chosen' as const, ...changes };
  await app.db.getRepository(ServiceOrders).insert(row);
}

test('an order is listed with its state, its open holds and their remedies, its print orders and its waits', async () => {
  const shop = await addShop(app.db);
  const shopifyOrderId = 'gid://shopify/Order/1001';
  const order = await addOrder(app, shop, { shopifyOrderId, name: '#1001', outcome: 'planned' });
  await app.db.getRepository(OrderLines).insert({
    storefrontOrderId: order.id,
    shopifyLineItemId: 'gid://shopify/LineItem/11',
    decision: 'ours',
    orderedQuantity: 3,
  });
  const about = { shopId: shop.id, storefrontOrderId: order.id, code: 'address_too_long' };
  await app.db.getRepository(Holds).insert([
    { ...about, field: 'addressLine1', message: 'It has 40 characters of 35.' },
    { ...about, field: 'city', message: 'Fixed.', resolvedAt: new Date() },
    { ...about, code: 'no_address', message: 'The address is missing.' },
  ]);
  const first = await addWithLines(order, 1, { state: 'in_production', confirmedAt: new Date() });
  await addServiceOrder(first, 'service-chosen', {});
  await addServiceOrder(first, 'service-part', { role: 'part' });
  await addServiceOrder(first, 'service-spare', { role: 'spare' });
  await addServiceOrder(first, 'service-deleted', { role: 'part', deletedAt: new Date() });
  await addWithLines(order, 2, { state: 'canceled', closedAt: new Date(), fencedAt: new Date() });
  await addWithLines(order, 3, { state: 'planned' });

  const lines = [
    { sku: 'SKU-1', quantity: 1 },
    { sku: null, quantity: 2 },
  ];
  const due = expect.stringMatching(/:[0-5][05]:00/);
  const [listed, ...others] = await collect(listOrders(app, shop));
  expect(others).toEqual([]);
  expect(listed).toMatchObject({ orderId: 'gid://shopify/Order/1001', name: '#1001', state: 'held', label: 'held' });
  expect(listed?.holds.map(({ code, field, remedy }) => [code, field, remedy])).toEqual([
    ['address_too_long', 'addressLine1', remedyOf('address_too_long')],
    ['no_address', null, remedyOf('no_address')],
  ]);
  expect(listed?.printOrders).toMatchObject([
    { state: 'in_production', serviceOrderIds: ['service-chosen', 'service-part'], lines },
    { reference: `ref-${order.id}-3`, state: 'planned', serviceOrderIds: [] },
  ]);
  expect(listed?.waits).toMatchObject([
    { reference: first.reference, message: 'The print service is printing it.', nextAt: due },
    { reference: `ref-${order.id}-3`, message: 'It is held.', nextAt: null },
  ]);
});

async function collect<Element>(elements: AsyncIterable<Element>): Promise<Element[]> {
  const collected: Element[] = [];
  for await (const element of elements) collected.push(element);
  return collected;
}
