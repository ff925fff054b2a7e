import { afterAll, beforeAll, expect, test } from 'vitest';
import { PrintOrders, ServiceOrders } from '../../../src/database/entities/print-orders.ts';
import { adoptOrder } from '../../../src/orders/submit/draft/adopt-order.ts';
import { catchUpPrintOrders } from '../../../src/orders/follow/catch-up-print-orders.ts';
import { openSubmitScope } from '../../../src/orders/submit/submit-scope.ts';
import { createAtService } from '../follow/at-service.ts';
import { openTestShop, type TestShop } from '../../shipments/test-shop.ts';

let shop: TestShop;
beforeAll(async () => void (shop = await openTestShop()));
afterAll(() => shop.close());

test('the poll follows an order that shipped before Platen found it, even if the first reading of the order is lost', async () => {
  const order = await shop.ordered({ 'POSTER-13X18': 2, 'MUG-11OZ': 1 });
  const { manager } = shop.app.db;
  const { id, reference } = order.printOrder;
  const { id: serviceOrderId } = await createAtService(shop, order, 'order');
  await shop.inPrint(`/orders/${serviceOrderId}/advance`, { to: 'shipped' });
  await manager.delete(ServiceOrders, { printOrderId: id });
  await manager.update(
    PrintOrders,
    { id },
    { state: 'uncertain', serviceOrderId: null, confirmedAt: null, shippedAt: null },
  );

  const scope = await openSubmitScope(shop.app, id);
  if (!scope) throw new Error('the print order cannot be opened');
  const found = [];
  for await (const one of scope.port.find({ orderReferenceIds: [reference] })) found.push(one);
  expect(found).toMatchObject([{ id: serviceOrderId, fulfillmentStatus: 'shipped' }]);
  await adoptOrder(scope, found, { kind: 'adopted', message: 'It is there.' });
  expect(await manager.findOneByOrFail(PrintOrders, { id })).toMatchObject({ state: 'submitted', serviceOrderId });
  expect(await catchUpPrintOrders(shop.app)).toMatchObject({ found: 1 });
});
