import { afterEach, expect, test } from 'vitest';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { PrivacyRequests } from '../../../src/database/entities/privacy-requests.ts';
import type { PlacedOrder } from '../../helpers/platen.ts';
import { platen, testPlaten } from '../../helpers/test-platen.ts';
import { decryptPersonalData } from '../../orders/privacy/add-customer-order.ts';
import {
  attemptsOf,
  runSubmitJobsNow,
  injectFaults,
  requestReplan,
  printOrdersOf,
  untilNoDueJobs,
  untilPrintOrder,
} from '../submit/submit-helpers.ts';
import { eventually } from '../../helpers/eventually.ts';

const CREATE_FAILS = { method: 'POST', path: '/v3/orders', rate: 1, kind: 'status', status: 500, times: 1 };
const SEARCH_FAILS = { method: 'POST', path: '/v4/orders:search', rate: 1, kind: 'status', status: 500 };

testPlaten({ advanceSeconds: null, settings: { submit: 'direct' } });
afterEach(() => injectFaults(platen, []));

async function redact({ id }: PlacedOrder): Promise<void> {
  const body = { shop_domain: platen.shop.domain, orders_to_redact: [id.slice(id.lastIndexOf('/') + 1)] };
  await platen.control('store', 'POST', '/webhooks/send', {
    topic: 'customers/redact',
    shop: platen.shop.domain,
    body,
  });
}

/** Places a known order as the control for the searches of direct submits. */
async function placeControlOrder(): Promise<void> {
  const control = await platen.placeSkus({ CARDS: 1 });
  await platen.untilState(control.id, 'printing');
  await redact(control);
  await eventually(() => isErased(control)).toBe(true);
}

async function isErased({ id }: PlacedOrder): Promise<boolean> {
  const order = await platen.app.db.manager.findOneByOrFail(StorefrontOrders, { shopifyOrderId: id });
  return order.erasedAt !== null;
}

/** Places an order whose create response is lost, and erases its customer while the outcome is unknown. */
async function eraseWhileUncertain(effect: 'none' | 'done'): Promise<PlacedOrder> {
  await placeControlOrder();
  await injectFaults(platen, [{ ...CREATE_FAILS, effect }]);
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await untilPrintOrder(platen, order, ({ state }) => state === 'uncertain');
  await injectFaults(platen, [SEARCH_FAILS]);
  await redact(order);
  await eventually(() => platen.timeline(order.id)).toContain('customer_redacted');
  expect(await isErased(order)).toBe(false);
  expect(await decryptPersonalData(platen.app)).toHaveLength(2);
  await injectFaults(platen, []);
  return order;
}

async function untilErased(order: PlacedOrder): Promise<void> {
  const look = async () => {
    await runSubmitJobsNow(platen, order);
    return isErased(order);
  };
  await eventually(look).toBe(true);
  expect(await decryptPersonalData(platen.app)).toEqual([]);
  const requests = () => platen.app.db.manager.find(PrivacyRequests);
  expect((await requests()).every(({ doneAt }) => doneAt !== null)).toBe(true);
}

test('an order of an erased customer is not sent again once a search proves that the print service has no such order', async () => {
  const order = await eraseWhileUncertain('none');
  await untilErased(order);
  await requestReplan(platen, order);
  await untilNoDueJobs(platen, order);
  expect(await attemptsOf(platen, order)).toMatchObject([{ outcome: 'absent' }]);
  expect(await platen.printedFor(order.name)).toEqual([]);
  await eventually(async () => (await printOrdersOf(platen, order))[0]?.fencedAt).toBeInstanceOf(Date);
});

test('Platen follows an erased customer’s order that exists at the print service, without its address', async () => {
  const order = await eraseWhileUncertain('done');
  await untilErased(order);
  const [printed] = await platen.printedFor(order.name);
  await platen.control('print', 'POST', `/orders/${printed?.id}/advance`, { to: 'shipped' });
  await eventually(async () => (await platen.storeOrder(order.id)).fulfillments.length).toBe(1);
  const { heldByPrintService } = await platen.app.db.manager.findOneOrFail(PrivacyRequests, {
    where: {},
    order: { id: 'DESC' },
  });
  expect(heldByPrintService).toMatchObject([{ orderId: order.id }]);
});
