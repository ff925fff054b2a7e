import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { PrivacyRequests } from '../../../src/database/entities/privacy-requests.ts';
import { redactCustomer } from '../../../src/orders/privacy/redact-customer.ts';
import { removeOldData } from '../../../src/orders/remove-old-data.ts';
import { startPlaten, type Platen, type PlacedOrder } from '../../helpers/platen.ts';
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
import { atTime } from '../../helpers/at-time.ts';
import { eventually } from '../../helpers/eventually.ts';

const CREATE_FAILS = { method: 'POST', path: '/v3/orders', rate: 1, kind: 'status', status: 500, times: 1 };
const SEARCH_FAILS = { method: 'POST', path: '/v4/orders:search', rate: 1, kind: 'status', status: 500 };

let platen: Platen;

beforeAll(async () => {
  const environment = {
    PRINT_TIMEOUT_SECONDS: '1',
    SUBMIT_DEADLINE_SECONDS: '0.5',
    SUBMIT_QUIET_SECONDS: '4',
    POLL_SECONDS: '2',
  };
  platen = await startPlaten({ advanceSeconds: null, environment, settings: { submit: 'direct' } });
});
afterAll(() => platen.stop());
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

test('an order held for 90 days is erased, closed and never printed', async () => {
  await injectFaults(platen, [{ ...CREATE_FAILS, status: 400 }]);
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 });
  await untilPrintOrder(platen, order, ({ state }) => state === 'held');
  const later = new Date(Date.now() + 91 * 86_400_000);
  await removeOldData(atTime(platen.app, () => later));
  await eventually(() => isErased(order)).toBe(true);
  await untilPrintOrder(platen, order, ({ fencedAt }) => fencedAt !== null);
  await requestReplan(platen, order);
  await platen.app.jobs.enqueue(platen.app.db, 'resume_shop', { shopId: platen.shop.id });
  await untilNoDueJobs(platen, order);
  expect(await printOrdersOf(platen, order)).toMatchObject([{ closedReason: 'data_expired', bodyEncrypted: null }]);
  expect(await platen.timeline(order.id)).toEqual(expect.arrayContaining(['data_expired', 'closed', 'fenced']));
  expect(await platen.printedFor(order.name)).toEqual([]);
  expect(await platen.listed(order.id)).toMatchObject({ state: 'nothing_to_do', holds: [] });
});

test('an order whose webhooks were lost and whose customer was erased is imported by the poll, but not printed', async () => {
  await platen.control('store', 'POST', '/webhooks', { drop: 1 });
  const order = await platen.placeSkus({ 'POSTER-30X40': 1 });
  // Routing the order sends its own webhook, which must be lost too.
  const routed = async () => (await platen.storeOrder(order.id)).fulfillmentOrders.length;
  await eventually(routed).toBeGreaterThan(0);
  await redactCustomer(platen.app, platen.shop, { resourceIds: { orders: order.id }, receivedAt: new Date() });
  await platen.control('store', 'POST', '/webhooks', { drop: 0 });
  await platen.app.jobs.enqueue(platen.app.db, 'catch_up_storefront_orders', { shopId: platen.shop.id });
  await eventually(() => isErased(order).catch(() => false)).toBe(true);
  await untilNoDueJobs(platen, order);
  expect(await printOrdersOf(platen, order)).toEqual([]);
  expect(await platen.listed(order.id)).toMatchObject({ name: order.name, state: 'nothing_to_do' });
});
