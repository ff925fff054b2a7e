import { describe, expect, test } from 'vitest';
import { assignedFulfillmentOrders } from '../../../src/shopify/calls/fulfillment-orders.ts';
import { requestFulfillment } from '../../../src/shopify/calls/fulfillment-requests.ts';
import { createFulfillment } from '../../../src/shopify/calls/fulfillments.ts';
import { createSchemaHandler, connection, many } from '../create-schema-handler.ts';
import { openScriptedShopify, type Step } from '../scripted-shopify.ts';
import { fulfillmentOrder, order, orderId } from '../store-objects.ts';

const id = 'gid://shopify/FulfillmentOrder/1';
const lines = {
  fulfillmentOrderId: id,
  fulfillmentOrderLineItems: [{ id: 'gid://shopify/FulfillmentOrderLineItem/1', quantity: 1 }],
};
const input = {
  lineItemsByFulfillmentOrder: [lines],
  notifyCustomer: true,
  trackingInfo: { numbers: ['A', 'B'], urls: [] },
};

const start = (...steps: Step[]) => openScriptedShopify(steps);

describe('a fulfillment in the store', () => {
  test('a fulfillment of more units than remain is refused, and the error states that nothing was created', async () => {
    const userErrors = [{ field: ['fulfillment'], message: 'Invalid fulfillment order line item quantity requested.' }];
    const { admin } = await start(createSchemaHandler({ fulfillmentCreate: { fulfillment: null, userErrors } }));
    const call = createFulfillment(admin, input);
    await expect(call).rejects.toMatchObject({
      kind: 'user_error',
      effect: 'none',
      userErrors: [{ field: 'fulfillment', message: 'Invalid fulfillment order line item quantity requested.' }],
    });
  });
});

describe('a fulfillment order in the store', () => {
  test('a fulfillment order with a request to the app is found on any page of the list', async () => {
    const waiting = many(55, (number) => fulfillmentOrder(number, 1));
    const { admin, server } = await start(createSchemaHandler({ assignedFulfillmentOrders: connection(waiting) }));
    const found = [];
    for await (const one of assignedFulfillmentOrders(admin, 'CANCELLATION_REQUESTED')) found.push(one.id);
    expect(new Set(found).size).toBe(55);
    expect(server.calls.map((call) => call.variables['assignmentStatus'])).toEqual(
      Array(4).fill('CANCELLATION_REQUESTED'),
    );
  });
});

describe('a fulfillment order request', () => {
  describe('a fulfillment request that the app submits itself', () => {
    const whole = order({ lines: 8, fulfillmentOrders: [fulfillmentOrder(1, 8)], fulfillments: [] });
    const refused = [{ field: ['id'], message: 'Cannot be requested in this state.' }];
    const answer = (submitted: unknown[], accepted: unknown[], email: unknown = 'ada@example.com') =>
      createSchemaHandler({
        fulfillmentOrderSubmitFulfillmentRequest: { userErrors: submitted },
        fulfillmentOrderAcceptFulfillmentRequest: {
          fulfillmentOrder: accepted.length === 0 ? { id, order: { ...whole, email } } : null,
          userErrors: accepted,
        },
        order: whole,
        fulfillmentOrder: fulfillmentOrder(1, 8),
      });

    test('a request is submitted without an email and accepted in one call that returns the complete order', async () => {
      const { admin, server } = await start(answer([], []));
      const { order: read, ...done } = await requestFulfillment(admin, id);
      expect(done).toEqual({ isSubmitted: true, isAccepted: true });
      expect([read?.lineItems.length, read?.fulfillmentOrders[0]?.lines.length]).toEqual([8, 8]);
      const [first, ...more] = server.calls.map(({ operation }) => operation);
      expect([first, more.toSorted()]).toEqual(['RequestFulfillment', ['FulfillmentOrderLineItems', 'OrderLineItems']]);
    });

    test('a request is accepted even if it was already submitted', async () => {
      const { admin } = await start(answer(refused, []));
      expect(await requestFulfillment(admin, id)).toMatchObject({
        isSubmitted: false,
        isAccepted: true,
        order: { id: orderId },
      });
    });

    test('if the store does not accept a request, no order is returned, so the order must be read', async () => {
      const { admin } = await start(answer([], refused));
      expect(await requestFulfillment(admin, id)).toEqual({ isSubmitted: true, isAccepted: false, order: null });
    });
  });
});
