import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { promiseUidSchema, shippingObjectSchema } from '../../../src/print/legacy/legacy-objects.ts';
import { eventually } from '../../helpers/eventually.ts';
import { MUG, PHOTO_BOOK, POSTER, startReceiver, startService, type Service } from './service.ts';

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

async function quote(client: Service, body: unknown, path = '/v2/quote') {
  const { production, ...rest } = quoteSchema.parse(await client.ok('POST', path, body));
  return { ...rest, isList: Array.isArray(production), productions: [production].flat() };
}

/** Returns the promise of the cheapest shipping method for the first production. */
async function promiseOf(client: Service, body: unknown, path?: string): Promise<string> {
  const { productions } = await quote(client, body, path);
  return promiseUidSchema.parse(productions[0]?.shipments[0]?.promiseUid);
}

async function order(client: Service, body: unknown, host = ''): Promise<string> {
  const promiseUid = await promiseOf(client, body, `${host}/v2/quote`);
  await client.ok('POST', `${host}/v2/order/create`, { promiseUid });
  return promiseUid;
}

async function readStatus(client: Service, reference: string, host = '') {
  return statusSchema.parse(await client.ok('GET', `${host}/v2/order/status/${reference}`));
}

/** Lets the second pass after which the service shows a new order. */
async function untilShown(client: Service, path: string): Promise<void> {
  await client.clock.pass(1_000);
  expect((await client.call('GET', path)).status).toBe(200);
}

describe('a quote of the earlier interface', () => {
  test('a quote has a list of productions if it needs several facilities', async () => {
    const client = await startService();
    const products = [product('a', MUG), product('b', PHOTO_BOOK), product('c', MUG)];
    const { isList, productions } = await quote(client, quoteV2Body('ref-1', { products }));
    expect(isList).toBe(true);
    expect(productions.map(({ itemReferenceId }) => itemReferenceId)).toEqual([['a', 'c'], 'b']);
    expect(productions.map(({ productionCountry }) => productionCountry)).toEqual(['US', 'NL']);
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
    await client.clock.pass(900);
    expect((await client.call('GET', path)).status).toBe(404);
    await client.clock.pass(100);
    expect((await client.call('GET', path)).status).toBe(200);
    await client.ok('POST', '/_control/faults', [{ searchLagMs: 60_000 }]);
    expect((await client.call('GET', path)).status).toBe(404);
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
});

describe('an order of v1', () => {
  async function orderV1(client: Service) {
    const promiseUid = await promiseOf(client, quoteV1Body(12), '/v1/quote');
    const answer = await client.call('POST', '/v1/order/create', { promiseUid });
    expect(answer).toMatchObject({ status: 200, body: { message: expect.any(String) as string } });
    await untilShown(client, '/v1/order/status/12');
    return (await client.booked())[0]?.id ?? '';
  }

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
});
