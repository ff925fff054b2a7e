import { describe, expect, test } from 'vitest';
import { parseJsonObject } from '../../src/inbox/parse-json-object.ts';
import { toResourceIds } from '../../src/inbox/to-resource-ids.ts';
import { recordedWebhooks } from './recorded-webhooks.ts';

const order = { order: 'gid://shopify/Order/820982911946154508' };
// The bodies of these deliveries contain the order's ID only as a number, which was rounded before the recording.
const roundedOrder = { order: 'gid://shopify/Order/820982911946154500' };
const one = 'gid://shopify/FulfillmentOrder/1';
const two = 'gid://shopify/FulfillmentOrder/2';
const three = 'gid://shopify/FulfillmentOrder/3';

const each = (topics: string, ids: Record<string, string> | null) =>
  Object.fromEntries(topics.split(' ').map((topic) => [topic, ids]));
const eachFulfillmentOrder = (topics: string, ids: Record<string, string> = {}) =>
  each(topics.replace(/\S+/g, 'fulfillment_orders/$&'), { fulfillmentOrder: one, ...ids });
const product = { product: 'gid://shopify/Product/788032119674292922' };

/** The IDs that are stored for each recorded delivery. Topics that are not listed store no IDs. */
const kept: Record<string, Record<string, string> | null> = {
  ...each('orders/create orders/paid orders/updated orders/cancelled orders/fulfilled', order),
  ...each('orders/partially_fulfilled', order),
  ...each('orders/edited orders/delete refunds/create fulfillments/create fulfillments/update', roundedOrder),
  ...each('orders/risk_assessment_changed', null),
  // These IDs were also rounded before the recording.
  ...each('locations/delete', { location: 'gid://shopify/Location/866550311766439000' }),
  ...each('products/delete', { product: 'gid://shopify/Product/788032119674292900' }),
  ...each('products/create products/update', product),
  ...eachFulfillmentOrder('cancellation_request_accepted cancellation_request_rejected cancellation_request_submitted'),
  ...eachFulfillmentOrder('fulfillment_request_accepted fulfillment_request_rejected rescheduled hold_released merged'),
  ...eachFulfillmentOrder('fulfillment_service_failed_to_complete scheduled_fulfillment_order_ready'),
  ...eachFulfillmentOrder('order_routing_complete'),
  ...eachFulfillmentOrder('cancelled', { replacementFulfillmentOrder: two }),
  ...eachFulfillmentOrder('fulfillment_request_submitted', {
    submittedFulfillmentOrder: one,
    originalFulfillmentOrder: one,
  }),
  ...eachFulfillmentOrder('moved', {
    fulfillmentOrder: two,
    movedFulfillmentOrder: two,
    originalFulfillmentOrder: one,
  }),
  ...eachFulfillmentOrder('placed_on_hold', { remainingFulfillmentOrder: two }),
  ...eachFulfillmentOrder('split', { remainingFulfillmentOrder: two, replacementFulfillmentOrder: three }),
};

describe('finding the IDs in a body with toResourceIds', () => {
  test.each(recordedWebhooks)('a delivery of $topic keeps the IDs of its objects', ({ topic, body }) => {
    expect(toResourceIds(topic, parseJsonObject(body))).toEqual(topic in kept ? kept[topic] : {});
  });

  test.each([
    ['refunds/create', '{"order_id":820982911946154508}', order],
    ['orders/delete', '{"id":820982911946154508}', order],
    ['orders/edited', '{"order_edit":{"order_id":820982911946154508}}', order],
    ['orders/risk_assessment_changed', '{"order_id":820982911946154508}', order],
    ['fulfillments/update', '{"order_id":"820982911946154508"}', order],
    ['orders/paid', '{"id":9007199254740993}', { order: 'gid://shopify/Order/9007199254740993' }],
    ['products/delete', '{"id":7}', { product: 'gid://shopify/Product/7' }],
    [
      'fulfillment_orders/merged',
      '{"fulfillment_order_merges":[{"fulfillment_order":{"id":"gid://shopify/FulfillmentOrder/3"}}]}',
      { fulfillmentOrder: three },
    ],
  ])('the ID in a delivery of %s with the body %s is read with all its digits', (topic, body, ids) => {
    expect(toResourceIds(topic, parseJsonObject(Buffer.from(body)))).toEqual(ids);
  });

  test.each([
    ['missing', {}],
    ['null', { id: null }],
    ['an object', { id: { id: 1 } }],
    ['a fraction', { id: 1.5 }],
    ['zero', { id: 0 }],
    ['an infinite number', { id: Number.POSITIVE_INFINITY }],
    ['a different string', { id: 'gid://shopify/Order/1?x=1' }],
    ['the ID of another resource', { admin_graphql_api_id: 'gid://shopify/Product/1' }],
    ['a string with a NUL', { id: '1\u0000' }],
  ])('an order has no resource ID if its ID is %s', (_name, body) => {
    expect(toResourceIds('orders/paid', body)).toBeNull();
  });

  test.each([
    [
      'customers/data_request',
      '{"customer":{"id":191167,"email":"john@example.com"},"orders_requested":[299938,280263],"data_request":{"id":9999}}',
      {
        customer: 'gid://shopify/Customer/191167',
        orders: 'gid://shopify/Order/299938,gid://shopify/Order/280263',
        request: '9999',
      },
    ],
    [
      'customers/redact',
      '{"customer":{"id":"191167"},"orders_to_redact":["299938","gid://shopify/Order/7",299938,null,{}]}',
      { customer: 'gid://shopify/Customer/191167', orders: 'gid://shopify/Order/299938,gid://shopify/Order/7' },
    ],
    ['customers/redact', '{"customer":{"email":"john@example.com"},"orders_to_redact":[]}', {}],
    ['shop/redact', '{"shop_id":954889,"shop_domain":"demo.myshopify.com"}', {}],
  ])('the IDs in a delivery of %s are those of the request, without data about the person', (topic, body, ids) => {
    expect(toResourceIds(topic, parseJsonObject(Buffer.from(body)))).toEqual(ids);
  });
});

test.each([
  ['an object', { order: { id: 5, admin_graphql_api_id: 'gid://shopify/Order/5' } }],
  ['an object with only a number', { order: { id: 5 } }],
  ['a number', { order_id: 5 }],
  ['a GID', { admin_graphql_api_order_id: 'gid://shopify/Order/5' }],
])("a webhook about a buyer's request names its order as %s", (_, body) => {
  const whole = { id: 9, admin_graphql_api_id: 'gid://shopify/RequestedOrderEdit/9', ...body };
  expect(toResourceIds('requested_order_edit/created', whole)).toEqual({ order: 'gid://shopify/Order/5' });
});
