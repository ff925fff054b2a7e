import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { promiseUidSchema, shippingObjectSchema } from '../../../src/print/legacy/legacy-objects.ts';
import { ENVELOPE, eventually, MUG, PHOTO_BOOK, POSTER, startReceiver, startService, type Client } from './service.ts';

const US_ONLY_MUG = 'mug_product_msz_20-oz_mmat_steel-white_cl_4-0';
const RECIPIENT = {
  countryIsoCode: 'US',
  firstName: 'Paul',
  lastName: 'Smith',
  addressLine1: '451 Clarkson Ave',
  city: 'New York',
  postcode: '11203',
  stateCode: 'NY',
  email: 'paul.smith@example.com',
};
const GERMAN = { ...RECIPIENT, countryIsoCode: 'DE', city: 'Berlin', postcode: '10115', stateCode: '' };
const pdfUrl = 'https://files.example/print.pdf';

function product(itemReferenceId: string, productUid = POSTER, more: Record<string, unknown> = {}) {
  return { itemReferenceId, productUid, pdfUrl, quantity: 1, ...more };
}

function quoteV2Body(orderReferenceId: string, more: Record<string, unknown> = {}, currencyIsoCode = 'USD') {
  const order = { orderReferenceId, customerReferenceId: 'customer-1', currencyIsoCode };
  return { order, recipient: RECIPIENT, products: [product('line-1')], ...more };
}

function quoteV1Body(orderReferenceId: number, more: Record<string, unknown> = {}) {
  const order = { orderReferenceId, customerReferenceId: 7, currencyIsoCode: 'USD' };
  return { order, recipient: RECIPIENT, product: { ...product(''), itemReferenceId: 4 }, ...more };
}

const productionSchema = z.object({
  itemReferenceId: z.union([z.string(), z.number(), z.array(z.string())]),
  productionCountry: z.string(),
  productionTimeZone: z.string(),
  shipments: z.array(shippingObjectSchema.required()),
});
const quoteSchema = z.object({
  orderReferenceId: z.union([z.string(), z.number()]),
  production: z.union([z.array(productionSchema), productionSchema]),
});
const statusSchema = z.object({
  productionStatus: z.string(),
  productionFacilityId: z.string(),
  orderItems: z.array(
    z.object({
      itemReferenceId: z.string(),
      status: z.string(),
      trackingCode: z.array(z.unknown()),
      productionLog: z.array(z.object({ date: z.string(), printJobId: z.int(), message: z.string() })),
    }),
  ),
});

async function quote(client: Client, body: unknown, path = '/v2/quote') {
  const { production, ...rest } = quoteSchema.parse(await client.ok('POST', path, body));
  return { ...rest, isList: Array.isArray(production), productions: [production].flat() };
}

/** Returns the promise of the cheapest shipping method for the first production. */
async function promiseOf(client: Client, body: unknown, path?: string): Promise<string> {
  const { productions } = await quote(client, body, path);
  return promiseUidSchema.parse(productions[0]?.shipments[0]?.promiseUid);
}

async function order(client: Client, body: unknown, host = ''): Promise<string> {
  const promiseUid = await promiseOf(client, body, `${host}/v2/quote`);
  await client.ok('POST', `${host}/v2/order/create`, { promiseUid });
  return promiseUid;
}

async function readStatus(client: Client, reference: string, host = '') {
  return statusSchema.parse(await client.ok('GET', `${host}/v2/order/status/${reference}`));
}

/** Polls the path until it returns 200, which it does once the order has left the queue. */
async function untilShown(client: Client, path: string): Promise<void> {
  await eventually(async () => (await client.call('GET', path)).status).toBe(200);
}

describe('a quote of the earlier interface', () => {
  test('a quote for one product has one production with a promise for each shipping method', async () => {
    const client = await startService();
    const { isList, productions, orderReferenceId } = await quote(client, quoteV2Body('ref-1'));
    expect({ isList, orderReferenceId }).toEqual({ isList: false, orderReferenceId: 'ref-1' });
    const [{ shipments, ...production } = { shipments: [] }] = productions;
    const place = { productionCountry: 'US', productionTimeZone: 'America/New_York' };
    expect(production).toEqual({ itemReferenceId: 'line-1', ...place });
    const uids = shipments.map(({ promiseUid }) => promiseUidSchema.parse(promiseUid));
    expect(new Set(uids).size).toBe(uids.length);
    expect(uids.length).toBeGreaterThan(1);
    expect(new Set(shipments.map(({ serviceType }) => serviceType))).toEqual(new Set(['normal', 'express']));
    const lives = shipments.map(({ promiseExpirationDateTime: at }) => (Date.parse(at) - Date.now()) / 3_600_000);
    for (const hours of lives) expect(hours).toBeCloseTo(24, 1);
  });

  test('a quote for several products has one production with an item list if one facility makes them all', async () => {
    const client = await startService();
    const products = [product('a'), product('b', MUG)];
    const { isList, productions } = await quote(client, quoteV2Body('ref-1', { products }));
    expect({ isList, items: productions[0]?.itemReferenceId }).toEqual({ isList: false, items: ['a', 'b'] });
  });

  test('a quote has a list of productions if it needs several facilities', async () => {
    const client = await startService();
    const products = [product('a', MUG), product('b', PHOTO_BOOK), product('c', MUG)];
    const { isList, productions } = await quote(client, quoteV2Body('ref-1', { products }));
    expect(isList).toBe(true);
    expect(productions.map(({ itemReferenceId }) => itemReferenceId)).toEqual([['a', 'c'], 'b']);
    expect(productions.map(({ productionCountry }) => productionCountry)).toEqual(['US', 'NL']);
  });

  test("a quote adds the envelopes to the weight and price of their product's shipment", async () => {
    const client = await startService();
    const options = [{ type: 'envelope', productUid: ENVELOPE, quantity: 100 }];
    const bare = await quote(client, quoteV2Body('ref-1'));
    const packed = await quote(client, quoteV2Body('ref-1', { products: [product('line-1', POSTER, { options })] }));
    const [one, other] = [bare, packed].map(({ productions }) => productions[0]?.shipments[0]);
    expect(other?.totalWeight).toBe((one?.totalWeight ?? 0) + 600);
    expect(Number(other?.price)).toBeGreaterThan(Number(one?.price));
  });

  test('a quote is in the requested currency, and v1 has integer references', async () => {
    const client = await startService();
    const dollars = await quote(client, quoteV2Body('ref-1'));
    const yen = await quote(client, quoteV2Body('ref-1', {}, 'JPY'));
    const [inDollars, inYen] = [dollars, yen].map(({ productions }) => Number(productions[0]?.shipments[0]?.price));
    expect(inYen).toBe(Math.round(inYen ?? 0));
    expect((inYen ?? 0) / (inDollars ?? 1)).toBeCloseTo(150, -1);
    const v1 = await quote(client, quoteV1Body(12), '/v1/quote');
    expect({ reference: v1.orderReferenceId, item: v1.productions[0]?.itemReferenceId }).toEqual({
      reference: 12,
      item: 4,
    });
  });

  test('a quote ignores unknown fields in the request', async () => {
    const client = await startService();
    const products = [product('line-1', POSTER, { color: 'red' })];
    expect((await client.call('POST', '/v2/quote', quoteV2Body('ref-1', { products, shop: 1 }))).status).toBe(200);
  });
});

describe.each(['', '/test'])('an invalid request to the host with the path prefix "%s"', (host) => {
  test.each([
    ['a body that is not JSON', '{', 400, 'Invalid request body. The body is not JSON.'],
    ['a missing field', quoteV2Body('r', { recipient: { ...RECIPIENT, email: undefined } }), 400, 'recipient.email'],
    ['an unknown product', quoteV2Body('r', { products: [product('a', 'none')] }), 400, 'products[0].productUid'],
    [
      'a printed product as an option',
      quoteV2Body('r', {
        products: [product('a', POSTER, { options: [{ type: 'envelope', productUid: MUG, quantity: 1 }] })],
      }),
      400,
      'products[0].options[0].productUid: must be an envelope',
    ],
    [
      'an unknown option',
      quoteV2Body('r', {
        products: [product('a', POSTER, { options: [{ type: 'envelope', productUid: 'x', quantity: 1 }] })],
      }),
      400,
      'Product uid does not exist: products[0].options[0].productUid.',
    ],
    ['an unsupported currency', quoteV2Body('r', {}, 'XXX'), 404, 'Currency not supported.'],
    [
      'an unsupported country',
      quoteV2Body('r', { recipient: { ...GERMAN, countryIsoCode: 'KP' } }),
      404,
      'Country not supported.',
    ],
    [
      'an unsupported destination',
      quoteV2Body('r', { recipient: { ...RECIPIENT, stateCode: 'AE' } }),
      404,
      'Delivery to the destination',
    ],
    [
      'a product that does not ship to the destination',
      quoteV2Body('r', { recipient: GERMAN, products: [product('a', US_ONLY_MUG)] }),
      404,
      'is not supported for the destination.',
    ],
  ])('a quote with %s is refused with only a message', async (_title, body, status, message) => {
    const client = await startService();
    const answer = await client.call('POST', `${host}/v2/quote`, body);
    expect(answer).toEqual({ status, body: { message: expect.stringContaining(message) as string } });
  });

  test.each([
    ['POST', '/v1/quote'],
    ['POST', '/v2/quote'],
    ['POST', '/v1/order/create'],
    ['POST', '/v2/order/create'],
    ['GET', '/v1/order/status/1'],
    ['GET', '/v2/order/status/1'],
    ['POST', '/v1/order/cancel'],
    ['GET', '/v2/order/1/address'],
  ])('a request without a valid key is refused with only a message: %s %s', async (method, path) => {
    const client = await startService();
    const answer = await client.call(method, host + path, method === 'POST' ? {} : undefined, { key: 'stolen' });
    expect(answer).toEqual({ status: 401, body: { message: 'No valid API key.' } });
  });

  test.each([
    ['GET', '/v1/order/status/1', undefined],
    ['GET', '/v2/order/status/none', undefined],
    ['GET', '/v2/order/none/address', undefined],
    ['POST', '/v1/order/cancel', { orderReferenceId: 1 }],
  ])('a request for a missing order is refused with only a message: %s %s', async (method, path, body) => {
    const client = await startService();
    expect(await client.call(method, host + path, body)).toEqual({
      status: 404,
      body: { message: 'Order not found.' },
    });
  });
});

describe('an order from a promise', () => {
  test("the order is stored like any other order, with its promise's method", async () => {
    const client = await startService();
    const { productions } = await quote(
      client,
      quoteV2Body('ref-1', { products: [product('line-1', POSTER, { quantity: 3 })] }),
    );
    const express = productions[0]?.shipments.find(({ serviceType }) => serviceType === 'express');
    const answer = await client.call('POST', '/v2/order/create', { promiseUid: express?.promiseUid });
    expect(answer).toMatchObject({ status: 200, body: { message: expect.any(String) as string } });
    const [booked] = await client.booked();
    expect(booked).toMatchObject({
      orderType: 'order',
      orderReferenceId: 'ref-1',
      customerReferenceId: 'customer-1',
      channel: 'api',
      fulfillmentStatus: 'created',
      items: [{ itemReferenceId: 'line-1', productUid: POSTER, quantity: 3, fileUrl: pdfUrl }],
      shipment: { shipmentMethodUid: express?.uid, totalWeight: express?.totalWeight },
      shippingAddress: { country: 'US', postCode: '11203', state: 'NY' },
    });
    expect((await client.search({ orderReferenceId: 'ref-1' }))[0]?.id).toBe(booked?.id);
  });

  test('the order is shown a second after its create request, or after the search lag if that is longer', async () => {
    const client = await startService();
    await order(client, quoteV2Body('ref-1'));
    const path = '/v2/order/status/ref-1';
    const made = Date.now();
    expect((await client.call('GET', path)).status).toBe(404);
    await untilShown(client, path);
    expect(Date.now() - made).toBeGreaterThan(800);
    await client.ok('POST', '/_control/faults', [{ searchLagMs: 60_000 }]);
    expect((await client.call('GET', path)).status).toBe(404);
  });

  test('a second order is created if the promise is sent again', async () => {
    const client = await startService();
    const promiseUid = await order(client, quoteV2Body('ref-1'));
    await client.ok('POST', '/v2/order/create', { promiseUid });
    const booked = await client.booked();
    expect(booked.map(({ orderReferenceId }) => orderReferenceId)).toEqual(['ref-1', 'ref-1']);
    await untilShown(client, '/v2/order/status/ref-1');
    await client.advance(booked[1]?.id ?? '', { to: 'passed' });
    expect((await readStatus(client, 'ref-1')).orderItems.map(({ status }) => status)).toEqual(['created']);
  });

  test('no order is created from a promise that is unknown or that comes from another account or host', async () => {
    const client = await startService();
    const promiseUid = await promiseOf(client, quoteV2Body('ref-1'));
    const attempts = [
      client.call('POST', '/v2/order/create', { promiseUid: `d_${'0'.repeat(24)}` }),
      client.call('POST', '/v2/order/create', { promiseUid: 'd_1' }),
      client.call('POST', '/v2/order/create', { promiseUid }, { key: 'sandbox-key-other' }),
      client.call('POST', '/test/v2/order/create', { promiseUid }),
    ];
    for (const answer of await Promise.all(attempts)) {
      const message = expect.stringContaining('Invalid request body. promiseUid') as string;
      expect(answer).toEqual({ status: 400, body: { message } });
    }
    expect(await client.booked()).toEqual([]);
  });

  test('no order is created from an expired promise, and a promise expires after a day by default', async () => {
    const client = await startService();
    const old = await promiseOf(client, quoteV2Body('ref-1'));
    await client.ok('POST', '/_control/promises', { lifeSeconds: 0.2 });
    const promiseUid = await promiseOf(client, quoteV2Body('ref-1'));
    await eventually(() => client.call('POST', '/v2/order/create', { promiseUid })).toMatchObject({
      status: 400,
      body: { message: 'Invalid request body. promiseUid: the promise has expired.' },
    });
    const before = (await client.booked()).length;
    await client.ok('POST', '/v2/order/create', { promiseUid: old });
    expect(await client.booked()).toHaveLength(before + 1);
    await client.ok('POST', '/_control/promises', { lifeSeconds: null });
    const { productions } = await quote(client, quoteV2Body('ref-1'));
    const expiry = Date.parse(productions[0]?.shipments[0]?.promiseExpirationDateTime ?? '');
    expect((expiry - Date.now()) / 3_600_000).toBeCloseTo(24, 1);
  });

  test('the order shows its progress in its status, parcels and log, and sends the usual events', async () => {
    const client = await startService();
    const receiver = await startReceiver();
    await client.ok('POST', '/_control/webhooks', { addresses: [{ key: 'sandbox-key', url: receiver.url }] });
    await order(client, quoteV2Body('ref-1', { products: [product('a'), product('b', MUG)] }));
    await untilShown(client, '/v2/order/status/ref-1');
    const fresh = await readStatus(client, 'ref-1');
    const noCode = [{ parcelNumber: 1, trackingCode: '', trackingUrl: '' }];
    expect(fresh.orderItems[0]).toMatchObject({ status: 'created', trackingCode: noCode });
    const id = (await client.booked())[0]?.id ?? '';
    await client.advance(id, { to: 'printed' });
    const printed = await readStatus(client, 'ref-1');
    const packages = [
      { items: ['a', 'b'], trackingCode: 'T1' },
      { items: ['b'], trackingCode: 'T2', trackingUrl: 'https://tracking.example/two' },
    ];
    await client.advance(id, { to: 'delivered', packages });
    const shipped = await readStatus(client, 'ref-1');
    const [a, b] = shipped.orderItems;
    expect(shipped).toMatchObject({ productionStatus: 'shipped', productionFacilityId: fresh.productionFacilityId });
    expect(a).toMatchObject({
      itemReferenceId: 'a',
      status: 'shipped',
      trackingCode: [{ parcelNumber: 1, trackingCode: 'T1' }],
    });
    expect(b?.trackingCode).toMatchObject([
      { parcelNumber: 1, trackingCode: 'T1' },
      { parcelNumber: 2, trackingCode: 'T2', trackingUrl: 'https://tracking.example/two' },
    ]);
    const logs = [fresh, printed, shipped].map(({ orderItems }) => orderItems[0]?.productionLog ?? []);
    expect(logs.map((log) => log.length)).toEqual([1, 3, 4]);
    for (const log of logs) expect(logs[2]?.slice(0, log.length)).toEqual(log);
    const ofItem = () => receiver.received.filter(({ body }) => body.trackingCode !== undefined);
    await eventually(() => ofItem().length).toBe(3);
    expect(ofItem().every(({ body }) => body.orderReferenceId === 'ref-1')).toBe(true);
  });

  test('the order shows its recipient only to its own account', async () => {
    const client = await startService();
    const recipient = { ...RECIPIENT, companyName: 'Example', addressLine2: 'Brooklyn', phone: '123456789' };
    await order(client, quoteV2Body('ref-1', { recipient }));
    const path = '/v2/order/ref-1/address';
    await untilShown(client, path);
    expect(await client.ok('GET', path)).toEqual({ ...recipient, id: expect.any(String) as string });
    expect((await client.call('GET', path, undefined, { key: 'sandbox-key-other' })).status).toBe(404);
    expect((await client.call('GET', '/test/v2/order/ref-1/address')).status).toBe(404);
  });

  test('orders and promises survive a restart', async () => {
    const first = await startService();
    await order(first, quoteV2Body('ref-1'));
    const promiseUid = await promiseOf(first, quoteV2Body('ref-2'));
    await first.close();
    const client = await startService({ home: first.home });
    await client.ok('POST', '/v2/order/create', { promiseUid });
    for (const reference of ['ref-1', 'ref-2']) await untilShown(client, `/v2/order/status/${reference}`);
  });

  test('a reset removes orders, promises and the promise lifetime', async () => {
    const client = await startService();
    await client.ok('POST', '/_control/promises', { lifeSeconds: 60 });
    const promiseUid = await order(client, quoteV2Body('ref-1'), '/test');
    await untilShown(client, '/test/v2/order/status/ref-1');
    await client.ok('POST', '/_control/reset');
    expect((await client.call('GET', '/test/v2/order/status/ref-1')).status).toBe(404);
    expect((await client.call('POST', '/test/v2/order/create', { promiseUid })).status).toBe(400);
    const { productions } = await quote(client, quoteV2Body('ref-1'));
    const expiry = Date.parse(productions[0]?.shipments[0]?.promiseExpirationDateTime ?? '');
    expect(expiry - Date.now()).toBeGreaterThan(3_600_000);
  });

  test.each(['done', 'late'])('an order is created even if its response is lost (effect %s)', async (effect) => {
    const client = await startService();
    const promiseUid = await promiseOf(client, quoteV2Body('ref-1'));
    const fault = { path: '/v2/order/create', rate: 1, kind: 'reset', effect, lateMs: 200, times: 1 };
    await client.ok('POST', '/_control/faults', [fault]);
    await expect(client.call('POST', '/v2/order/create', { promiseUid })).rejects.toThrow();
    await untilShown(client, '/v2/order/status/ref-1');
    expect(await client.booked()).toHaveLength(1);
  });
});

describe('the test host', () => {
  test('the test host accepts test orders and shows their status only there', async () => {
    const client = await startService({ advanceSeconds: 0.05 });
    const receiver = await startReceiver();
    await client.ok('POST', '/_control/webhooks', { addresses: [{ key: 'sandbox-key', url: receiver.url }] });
    await order(client, quoteV2Body('ref-1'), '/test');
    await untilShown(client, '/test/v2/order/status/ref-1');
    expect((await readStatus(client, 'ref-1', '/test')).orderItems.map(({ status }) => status)).toEqual(['passed']);
    expect((await client.call('GET', '/v2/order/status/ref-1')).status).toBe(404);
    expect(await client.booked()).toEqual([]);
    expect(await client.search({ orderReferenceId: 'ref-1' })).toEqual([]);
    expect(receiver.received).toEqual([]);
  });

  test('the test host cancels its own orders', async () => {
    const client = await startService();
    const promiseUid = await promiseOf(client, quoteV1Body(12), '/test/v1/quote');
    await client.ok('POST', '/test/v1/order/create', { promiseUid });
    const path = '/test/v1/order/status/12';
    await untilShown(client, path);
    await client.ok('POST', '/test/v1/order/cancel', { orderReferenceId: 12 });
    expect(await client.ok('GET', path)).toMatchObject({ orderReferenceId: 12, orderItem: { status: 'canceled' } });
  });
});

describe('an order of v1', () => {
  async function orderV1(client: Client) {
    const promiseUid = await promiseOf(client, quoteV1Body(12), '/v1/quote');
    const answer = await client.call('POST', '/v1/order/create', { promiseUid });
    expect(answer).toMatchObject({ status: 200, body: { message: expect.any(String) as string } });
    await untilShown(client, '/v1/order/status/12');
    return (await client.booked())[0]?.id ?? '';
  }

  test('a v1 order has integer references and is not shown by v2', async () => {
    const client = await startService();
    const id = await orderV1(client);
    const status = { orderReferenceId: 12, orderItem: { itemReferenceId: 4, status: 'created' } };
    expect(await client.ok('GET', '/v1/order/status/12')).toMatchObject(status);
    expect(await client.get(id)).toMatchObject({ orderReferenceId: '12', items: [{ itemReferenceId: '4' }] });
    expect((await client.call('GET', '/v2/order/status/12')).status).toBe(404);
  });

  test('repeated cancellations of a v1 order succeed, but only the first one sends events', async () => {
    const client = await startService();
    const receiver = await startReceiver();
    await client.ok('POST', '/_control/webhooks', { addresses: [{ key: 'sandbox-key', url: receiver.url }] });
    const id = await orderV1(client);
    for (const _time of [1, 2]) {
      const answer = await client.ok('POST', '/v1/order/cancel', { orderReferenceId: 12 });
      expect(answer).toEqual({ message: 'Order canceled.' });
    }
    expect(await client.get(id)).toMatchObject({ fulfillmentStatus: 'canceled' });
    await eventually(() => receiver.received.map(({ body }) => body.fulfillmentStatus ?? body.status)).toEqual([
      'canceled',
      'canceled',
    ]);
  });

  test('a v1 order cannot be canceled once it is printed', async () => {
    const client = await startService();
    const id = await orderV1(client);
    await client.advance(id, { to: 'printed' });
    expect(await client.call('POST', '/v1/order/cancel', { orderReferenceId: 12 })).toEqual({
      status: 409,
      body: { message: 'An order that is printed cannot be canceled.' },
    });
    expect(await client.get(id)).toMatchObject({ fulfillmentStatus: 'printed' });
  });
});

test('a promise lifetime that is missing, negative or not a number is refused', async () => {
  const client = await startService();
  for (const body of [{}, { lifeSeconds: -1 }, { lifeSeconds: '1' }]) {
    expect((await client.refused('POST', '/_control/promises', body)).status).toBe(400);
  }
});
