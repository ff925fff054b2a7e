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
const itemStatus = {
  ...order,
  itemReferenceId: 'i1',
  status: 'printed',
  fulfillmentCountry: 'US',
  comment: 'done',
  created: '2018-08-03T07:26:52+00:00',
};
const tracking = {
  ...order,
  itemReferenceId: 'i1',
  trackingCode: 't1',
  trackingUrl: 'https://t.example/t1',
  shipmentMethodUid: 'ups',
};
const estimate = {
  ...order,
  minDeliveryDate: '2022-11-03',
  maxDeliveryDate: '2022-11-05',
  created: '2022-11-01T07:26:52+00:00',
};
const availability = [{ productUid: 'p1', availability: [{ stockRegionUid: 'EU', status: 'out-of-stock' }] }];
const product = {
  id: 'e1',
  storeProductId: 'sp1',
  title: 'Poster',
  variants: [{ id: 'v1', connectionStatus: 'connected' }],
};
const template = {
  id: 'e1',
  storeProductTemplateId: 'st1',
  title: 'Poster',
  variants: [{ id: 'v1', textPlaceholders: [{ name: 'a', text: 'b' }] }],
};

const events: [string, Record<string, unknown>][] = [
  ['order_status_updated', orderStatus],
  ['order_item_status_updated', itemStatus],
  ['order_item_tracking_code_updated', tracking],
  ['order_delivery_estimate_updated', estimate],
  ['catalog_product_stock_availability_updated', { id: 'e1', productAvailability: availability }],
  ['store_product_created', product],
  ['store_product_updated', product],
  ['store_product_deleted', { id: 'e1', storeProductId: 'sp1' }],
  ['store_product_template_created', template],
  ['store_product_template_updated', template],
  ['store_product_template_deleted', { id: 'e1', storeProductTemplateId: 'st1' }],
];
const older: [string, string, Record<string, unknown>][] = [
  ['orderStatus', 'order_status_updated', orderStatus],
  ['itemStatus', 'order_item_status_updated', itemStatus],
  ['trackingCode', 'order_item_tracking_code_updated', tracking],
  ['stockRegionAvailability', 'catalog_product_stock_availability_updated', { productAvailability: availability }],
];

describe('the two styles of events', () => {
  test.each(older)('an older event with the object %s is read as the event %s', (object, event, fields) => {
    const read = parseEvent({ object, ...fields });
    expect(read.kind).toBe(event);
    expect(read).toEqual(parseEvent({ event, ...fields }));
  });
});

describe('a field with two spellings', () => {
  test('the production location is read in both spellings', () => {
    const place = { fulfillmentCountry: 'NL', fulfillmentStateProvince: 'NH', fulfillmentFacilityId: 'f1' };
    const production = { productionCountry: 'NL', productionStateProvince: 'NH', productionFacilityId: 'f1' };
    const event = 'order_item_tracking_code_updated';
    expect(parseEvent({ event, ...tracking, ...production })).toEqual(parseEvent({ event, ...tracking, ...place }));
    expect(parseEvent({ event, ...tracking, ...production })).toMatchObject(place);
  });

  test('the availability of products is read in both spellings', () => {
    const event = 'catalog_product_stock_availability_updated';
    const productAvailability = { kind: event, productAvailability: availability };
    const both = { productAvailability: availability, productsAvailability: availability };
    for (const none of [undefined, null, []]) {
      expect(parseEvent({ event, ...both, productAvailability: none })).toMatchObject(productAvailability);
      expect(parseEvent({ event, ...both, productsAvailability: none })).toMatchObject(productAvailability);
    }
    expect(parseEvent({ event, productAvailability: [] })).toMatchObject({ kind: event, productAvailability: [] });
  });
});

describe('missing and unknown values', () => {
  test.each([null, '', undefined])('the comment %j is read as a missing comment', (comment) => {
    expect(parseEvent({ event: 'order_item_status_updated', ...itemStatus, comment })).toMatchObject({ comment: null });
  });

  test('unknown statuses are preserved, and unknown fields are ignored', () => {
    const event = parseEvent({
      event: 'order_item_status_updated',
      ...itemStatus,
      status: 'teleported',
      novelty: { deep: [1] },
    });
    expect(event).toMatchObject({ kind: 'order_item_status_updated', status: 'teleported' });
    expect(event).not.toHaveProperty('novelty');
  });

  test('an optional field of an unexpected type is read as null, and an ID may be a number', () => {
    const odd = { ...tracking, id: 7, orderId: 8, trackingUrl: { href: 'x' }, created: [], shipmentMethodUid: false };
    expect(parseEvent({ event: 'order_item_tracking_code_updated', ...odd })).toMatchObject({
      kind: 'order_item_tracking_code_updated',
      id: '7',
      orderId: '8',
      trackingUrl: null,
      created: null,
      shipmentMethodUid: null,
    });
  });

  test('an order status may have no items, and items may have no fulfillments', () => {
    const status = { event: 'order_status_updated', ...orderStatus };
    expect(parseEvent({ ...status, items: undefined })).toMatchObject({ kind: 'order_status_updated', items: [] });
    const items = [{ itemReferenceId: 'i1', fulfillmentStatus: null, fulfillments: null }];
    expect(parseEvent({ ...status, items })).toMatchObject({
      items: [{ itemReferenceId: 'i1', fulfillmentStatus: null, fulfillments: [] }],
    });
  });

  test('a region without a status and a product without regions do not affect other products', () => {
    const event = 'catalog_product_stock_availability_updated';
    const odd = [null, undefined, '', { is: 'in-stock' }].map((status) => ({ stockRegionUid: 'UK', status }));
    const [poster] = availability;
    const productAvailability = [
      { productUid: 'p2', availability: odd },
      { productUid: 'p3', availability: 5 },
      poster,
    ];
    expect(parseEvent({ event, productAvailability })).toMatchObject({
      kind: event,
      productAvailability: [
        { productUid: 'p2', availability: [null, null, '', null].map((status) => ({ stockRegionUid: 'UK', status })) },
        { productUid: 'p3', availability: [] },
        poster,
      ],
    });
  });
});

describe('an event that cannot be read', () => {
  test.each([
    ['order_status_updated', orderStatus, 'orderReferenceId'],
    ['order_status_updated', orderStatus, 'orderId'],
    ['order_status_updated', orderStatus, 'fulfillmentStatus'],
    ['order_item_status_updated', itemStatus, 'itemReferenceId'],
    ['order_item_status_updated', itemStatus, 'status'],
    ['order_item_tracking_code_updated', tracking, 'trackingCode'],
    ['catalog_product_stock_availability_updated', { productAvailability: availability }, 'productAvailability'],
    ['store_product_created', product, 'storeProductId'],
    ['store_product_template_deleted', template, 'storeProductTemplateId'],
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

  test('an event name over 100 characters is truncated', () => {
    const read = parseEvent({ event: 'x'.repeat(10_000) });
    expect(read.kind === 'unknown' && read.name?.length).toBe(100);
  });

  test('a __proto__ key in the body does not become a field of the event', () => {
    const read = parseEvent(JSON.parse(`{"__proto__":{"event":"order_status_updated","polluted":true},"id":"e1"}`));
    expect(read).toMatchObject({ kind: 'unknown', name: null, id: 'e1' });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect((read as unknown as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('parsing an event never throws, regardless of which field is replaced and with which value', () => {
    const replacements = [
      null,
      undefined,
      0,
      '',
      'x',
      true,
      [],
      {},
      [[]],
      [null],
      [{}],
      { a: { b: [] } },
      Number.MAX_VALUE,
    ];
    for (const [event, fields] of events) {
      for (const name of [...Object.keys(fields), 'event', 'object', 'kind']) {
        for (const value of replacements)
          expect(parseEvent({ event, ...fields, [name]: value }).kind).toBeTypeOf('string');
      }
    }
  });
});

test.each([
  ['order_status_updated', 'orderId', { orderReferenceId: 'ref', fulfillmentStatus: 'passed' }],
  ['order_item_status_updated', 'itemReferenceId', { orderId: 'o', orderReferenceId: 'ref', status: 'passed' }],
  ['store_product_updated', 'storeProductId', { storeId: 's' }],
  ['store_product_template_updated', 'storeProductTemplateId', {}],
])(
  'the event %s with a %s that no index can contain is unknown, and the reason names the field',
  (event, field, rest) => {
    const read = parseEvent({ id: 'e', event, ...rest, [field]: 'x'.repeat(100_000) });
    expect(read).toMatchObject({ kind: 'unknown', reason: expect.stringContaining(field) });
  },
);
