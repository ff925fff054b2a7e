import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { ServiceOrders } from '../../../src/database/entities/print-orders.ts';
import { computeReference } from '../../../src/orders/facts/compute-reference.ts';
import { receiveOrder } from '../../../src/orders/intake/receive-order.ts';
import { readInstallation } from '../../../src/shops/install/installation.ts';
import type { Platen } from '../../helpers/platen.ts';
import {
  atService,
  attemptsOf,
  deletePrintingData,
  runSubmitJobsNow,
  injectFaults,
  placeDuplicate,
  placeUnsubmitted,
  requestReplan,
  printOrdersOf,
  startWithShortTimeouts,
  untilPrintedOnce,
  untilPrintOrder,
  untilNoDueJobs,
} from './submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

let platen: Platen;
beforeAll(async () => void (platen = await startWithShortTimeouts()));
afterAll(() => platen.stop());
afterEach(() => injectFaults(platen, []));

const place = () => platen.placeSkus({ 'POSTER-30X40': 1 });
const codesOf = async ({ id }: { id: string }) => (await platen.listed(id)).holds.map(({ code }) => code);

test('after a restore, Platen finds a forgotten print order at the service and prints nothing twice', async () => {
  const order = await place();
  await platen.untilState(order.id, 'printing');
  const [before] = await printOrdersOf(platen, order);
  await untilNoDueJobs(platen, order);
  await deletePrintingData(platen, order);
  await requestReplan(platen, order);
  await untilPrintedOnce(platen, [order]);
  const [after] = await printOrdersOf(platen, order);
  expect(after).toMatchObject({ reference: before?.reference, serviceOrderId: before?.serviceOrderId });
  expect(await attemptsOf(platen, order)).toEqual([]);
  expect(await platen.timeline(order.id)).toContain('adopted');
});

test('after a restore that lost the storefront order, Platen computes the same reference and prints nothing twice', async () => {
  const order = await place();
  await platen.untilState(order.id, 'printing');
  const [before] = await printOrdersOf(platen, order);
  await untilNoDueJobs(platen, order);
  await deletePrintingData(platen, order);
  await platen.app.db.query('delete from storefront_orders where shopify_order_id = $1', [order.id]);
  // Like a webhook, this call contains only the order's ID.
  await receiveOrder(platen.app, platen.shop, order.id);
  await untilPrintedOnce(platen, [order]);
  const [after] = await printOrdersOf(platen, order);
  expect(after).toMatchObject({ reference: before?.reference, serviceOrderId: before?.serviceOrderId });
});

test('an order is held, not reprinted, if its forgotten print order was canceled at the service', async () => {
  const order = await place();
  await platen.untilState(order.id, 'printing');
  const [printed] = await platen.printedFor(order.name);
  await platen.control('print', 'POST', `/orders/${printed?.id}/advance`, { to: 'canceled' });
  await platen.untilState(order.id, 'held');
  await untilNoDueJobs(platen, order);
  await deletePrintingData(platen, order);
  await requestReplan(platen, order);
  await eventually(() => codesOf(order)).toEqual(['service_canceled']);
  expect(await atService(platen, order)).toHaveLength(1);
});

test('a draft without a recorded attempt is deleted, and nothing is created before the quiet time has passed', async () => {
  const { order, printOrder } = await placeUnsubmitted(platen);
  const draft = await placeDuplicate(platen, printOrder, { orderType: 'draft' });
  await injectFaults(platen, []);
  await runSubmitJobsNow(platen, order);
  await eventually(async () => (await atService(platen, order)).map(({ deleted }) => deleted)).toEqual([true]);
  await requestReplan(platen, order);
  await untilNoDueJobs(platen, order);
  await untilPrintedOnce(platen, [order]);
  const [attempt] = await attemptsOf(platen, order);
  const { seenAt } = await platen.app.db.manager.findOneByOrFail(ServiceOrders, { serviceOrderId: draft.id });
  expect((attempt?.begunAt.getTime() ?? 0) - seenAt.getTime()).toBeGreaterThanOrEqual(2000);
});

test('an order is held if the service has a later part of it that Platen does not know', async () => {
  const { order, printOrder } = await placeUnsubmitted(platen);
  const { code, referenceKey } = await readInstallation(platen.app);
  const { name } = await platen.app.db.manager.findOneByOrFail(StorefrontOrders, { shopifyOrderId: order.id });
  const source = {
    installation: code,
    key: referenceKey,
    shop: platen.shop.domain,
    shopifyOrderId: order.id,
    orderName: name,
  };
  await placeDuplicate(platen, printOrder, { orderReferenceId: computeReference(source, 3, 'current') });
  await injectFaults(platen, []);
  await runSubmitJobsNow(platen, order);
  await eventually(() => codesOf(order)).toEqual(['unknown_print_order']);
  expect(await atService(platen, order)).toHaveLength(1);
});

test('if two live orders have the same reference, one is followed, and the store’s order is held', async () => {
  const { order, printOrder } = await placeUnsubmitted(platen);
  await placeDuplicate(platen, printOrder, {});
  await placeDuplicate(platen, printOrder, {});
  await injectFaults(platen, []);
  await runSubmitJobsNow(platen, order);
  await eventually(() => codesOf(order)).toEqual(['several_orders']);
  await untilNoDueJobs(platen, order);
  expect(await codesOf(order)).toEqual(['several_orders']);
  expect(await atService(platen, order)).toHaveLength(2);
});

test('if a canceled order and a live order have the same reference, the live order is followed without a hold', async () => {
  const { order, printOrder } = await placeUnsubmitted(platen);
  const first = await placeDuplicate(platen, printOrder, {});
  const live = await placeDuplicate(platen, printOrder, {});
  await platen.control('print', 'POST', `/orders/${first.id}/advance`, { to: 'canceled' });
  await injectFaults(platen, []);
  await runSubmitJobsNow(platen, order);
  await untilPrintOrder(platen, order, ({ confirmedAt }) => confirmedAt !== null);
  await untilNoDueJobs(platen, order);
  expect(await printOrdersOf(platen, order)).toMatchObject([{ serviceOrderId: live.id, state: 'submitted' }]);
  expect(await codesOf(order)).toEqual([]);
});

test('an order whose items differ from those that were sent is followed and held', async () => {
  const { order, printOrder } = await placeUnsubmitted(platen);
  const items = [
    {
      itemReferenceId: 'another',
      productUid: 'mug_product_msz_11-oz_mmat_ceramic-white_cl_4-0',
      fileUrl: 'https://files.example/a.pdf',
      quantity: 1,
    },
  ];
  await placeDuplicate(platen, printOrder, { items });
  await injectFaults(platen, []);
  await runSubmitJobsNow(platen, order);
  await eventually(() => codesOf(order)).toEqual(['items_differ']);
  await untilNoDueJobs(platen, order);
  expect(await codesOf(order)).toEqual(['items_differ']);
  expect(await atService(platen, order)).toHaveLength(1);
});
