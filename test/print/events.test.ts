import { describe, expect, test } from 'vitest';
import { parseEvent } from '../../src/print/events.ts';

const order = { id: 'e1', orderId: 'o1', orderReferenceId: 'r1', storeId: null };
const orderStatus = {
  ...order,
  fulfillmentStatus: 'shipped',
  items: [
    {
      itemReferenceId: 'i1',
      fulfillmentStatus: 'shipped',
      fulfillments: [{ trackingCode: 't1', trackingUrl: 'https://t.example/t1' }],
    },
  ],
};
const tracking = {
  ...order,
  itemReferenceId: 'i1',
  trackingCode: 't1',
  trackingUrl: 'https://t.example/t1',
  shipmentMethodUid: 'ups',
};
const availability = [{ productUid: 'p1', availability: [{ stockRegionUid: 'EU', status: 'out-of-stock' }] }];

describe('an event that cannot be read', () => {
  test.each([
    ['order_status_updated', orderStatus, 'orderReferenceId'],
    ['order_item_tracking_code_updated', tracking, 'trackingCode'],
    ['catalog_product_stock_availability_updated', { productAvailability: availability }, 'productAvailability'],
  ])(
    'the event %s without its %s is parsed as unknown, with its ID and the reason',
    (event, fields: Record<string, unknown>, missing) => {
      for (const value of [undefined, null, '', { secret: 'Marigold' }]) {
        const read = parseEvent({ event, ...fields, [missing]: value });
        expect(read).toMatchObject({ kind: 'unknown', name: event });
        expect(JSON.stringify(read)).not.toContain('Marigold');
        if (read.kind === 'unknown') expect(read.reason.startsWith(`${missing}: `)).toBe(true);
        if ('id' in fields) expect(read.id).toBe('e1');
      }
    },
  );

  test.each([
    ['an unknown name', { event: 'order_teleported', ...order }, 'order_teleported'],
    ['the name of a JavaScript property', { event: 'constructor', ...order }, 'constructor'],
    ['the name unknown', { event: 'unknown', ...order }, 'unknown'],
    ['no name', order, null],
    ['a name that is not text', { event: { a: 1 }, object: 5, ...order }, null],
  ])('an event with %s is parsed as unknown, with its IDs', (_title, body, name) => {
    expect(parseEvent(body)).toMatchObject({
      kind: 'unknown',
      name,
      id: 'e1',
      orderId: 'o1',
      orderReferenceId: 'r1',
      storeId: null,
    });
  });

  test.each([null, undefined, 5, 'text', [], [orderStatus], true])(
    'the body %j is parsed as an unknown event without IDs',
    (body) => {
      const ids = { id: null, orderId: null, orderReferenceId: null, storeId: null };
      expect(parseEvent(body)).toMatchObject({ kind: 'unknown', name: null, ...ids });
    },
  );

  test('a __proto__ key in the body does not become a field of the event', () => {
    const read = parseEvent(JSON.parse(`{"__proto__":{"event":"order_status_updated","polluted":true},"id":"e1"}`));
    expect(read).toMatchObject({ kind: 'unknown', name: null, id: 'e1' });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect((read as unknown as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

test.each([
  ['order_status_updated', 'orderId', { orderReferenceId: 'ref', fulfillmentStatus: 'passed' }],
  ['store_product_updated', 'storeProductId', { storeId: 's' }],
  ['store_product_template_updated', 'storeProductTemplateId', {}],
])('the event %s with a %s that fits no index is unknown, and the reason names the field', (event, field, rest) => {
  const read = parseEvent({ id: 'e', event, ...rest, [field]: 'x'.repeat(100_000) });
  expect(read).toMatchObject({ kind: 'unknown', reason: expect.stringContaining(field) });
});
