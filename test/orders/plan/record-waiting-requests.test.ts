import { afterAll, beforeAll, expect, test } from 'vitest';
import { StorefrontOrders, TimelineEntries } from '../../../src/database/entities/orders.ts';
import { recordWaitingRequests } from '../../../src/orders/plan/record-waiting-requests.ts';
import { writeTimeline } from '../../../src/orders/record/write-timeline.ts';
import { addShop, openTestApp, type TestApp } from '../../http/test-app.ts';

const LOCATION = 'gid://shopify/Location/1';
const ONE = 'gid://shopify/FulfillmentOrder/1';
const OTHER = 'gid://shopify/FulfillmentOrder/2';

let app: TestApp;
beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());

async function addScope() {
  const shop = { ...(await addShop(app.db)), locationId: LOCATION };
  const order = { shopId: shop.id, shopifyOrderId: 'gid://shopify/Order/1', name: '#1', placedAt: new Date() };
  const storefrontOrder = await app.db.manager.getRepository(StorefrontOrders).save(order);
  const kinds = async () => {
    const rows = await app.db.manager.find(TimelineEntries, { where: { shopId: shop.id }, order: { id: 'ASC' } });
    return rows.map(({ kind, data }) => [kind, data['shopifyFulfillmentOrderId']]);
  };
  /** Plans an order whose fulfillment order has this request, with these answers. */
  const note = (requestStatus: string, plan: object = {}, id = ONE) =>
    recordWaitingRequests({
      manager: app.db.manager,
      shop,
      storefrontOrder,
      reading: {
        fulfillmentOrders: [
          {
            id,
            status: 'OPEN',
            requestStatus,
            assignedLocation: { location: { id: LOCATION, isFulfillmentService: true } },
          },
        ],
      } as never,
      plan: { accepts: [], rejections: [], cancellations: [], ...plan } as never,
    });
  const answer = (kind: string) =>
    writeTimeline(app.db.manager, {
      shopId: shop.id,
      storefrontOrderId: storefrontOrder.id,
      kind,
      message: '',
      data: { shopifyFulfillmentOrderId: ONE },
    });
  return { note, kinds, answer };
}

test('a waiting request is recorded once, and a new request after the answer is recorded again', async () => {
  const { note, kinds, answer } = await addScope();
  await note('SUBMITTED');
  await note('SUBMITTED');
  expect(await kinds()).toEqual([['request_waits', ONE]]);
  await answer('rejected');
  await note('SUBMITTED');
  await note('SUBMITTED', {}, OTHER);
  expect(await kinds()).toEqual([
    ['request_waits', ONE],
    ['rejected', ONE],
    ['request_waits', ONE],
    ['request_waits', OTHER],
  ]);
});

test('a request that the plan answers is not recorded as waiting', async () => {
  const { note, kinds } = await addScope();
  await note('SUBMITTED', { accepts: [ONE] });
  await note('SUBMITTED', { rejections: [{ shopifyFulfillmentOrderId: ONE }] });
  await note('CANCELLATION_REQUESTED', { cancellations: [{ shopifyFulfillmentOrderId: ONE, answer: 'accept' }] });
  expect(await kinds()).toEqual([]);
});
