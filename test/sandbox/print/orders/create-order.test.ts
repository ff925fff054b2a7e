import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  ADDRESS,
  createBody,
  ENVELOPE,
  item,
  MUG,
  PHONE_CASE,
  PHOTO_BOOK,
  POSTER,
  startService,
  eventually,
} from '../service.ts';

test('a create request returns the order, shipment and receipt that Order Get returns afterward', async () => {
  const client = await startService();
  const metadata = [{ key: 'shop', value: 'demo' }];
  const order = await client.create(createBody('ref-1', { metadata, returnAddress: { companyName: 'Shop' } }));
  expect(order).toMatchObject({
    orderType: 'order',
    orderReferenceId: 'ref-1',
    customerReferenceId: 'customer-1',
    fulfillmentStatus: 'created',
    financialStatus: 'pending',
    channel: 'api',
    metadata,
    connectedOrderIds: [],
    shippingAddress: { ...ADDRESS, orderId: order.id },
    returnAddress: { companyName: 'Shop', orderId: order.id },
    items: [{ itemReferenceId: 'line-1', productUid: POSTER, quantity: 1, fulfillmentStatus: 'created' }],
    shipment: { shipmentMethodUid: 'fed_ex_smart_post', fulfillmentCountry: 'US', packages: [] },
  });
  const [receipt] = order.receipts;
  expect(receipt).toMatchObject({
    productsPrice: 5.56,
    shippingPrice: 4.5,
    total: 10.06,
    totalVat: 0.91,
    totalInclVat: 10.97,
  });
  expect(receipt?.items.map((line) => line.type)).toEqual(['product', 'shipment', 'packaging']);
  expect(await client.get(order.id)).toEqual(order);
});

test('a create request with the same reference creates a second order', async () => {
  const client = await startService();
  const one = await client.create(createBody('ref-1'));
  const other = await client.create(createBody('ref-1'));
  expect(other.id).not.toBe(one.id);
  expect(await client.search({ orderReferenceId: 'ref-1' })).toHaveLength(2);
});

test('each key is an account with its own orders', async () => {
  const client = await startService();
  const order = await client.create(createBody('ref-1'), { key: 'sandbox-key-other' });
  expect(await client.search({})).toEqual([]);
  expect(await client.refused('GET', `/v4/orders/${order.id}`)).toMatchObject({ status: 404 });
  expect(await client.search({}, { key: 'sandbox-key-other' })).toHaveLength(1);
  expect((await client.booked()).map((one) => one.id)).toEqual([order.id]);
});

test.each([
  [undefined, 'fed_ex_smart_post'],
  ['normal', 'fed_ex_smart_post'],
  ['express', 'fed_ex_2_day'],
  ['standard', 'ups_surepost'],
  ['ups_surepost', 'ups_surepost'],
  ['fed_ex_2_day,ups_surepost', 'ups_surepost'],
])('the shipment method %s is resolved to %s', async (requested, chosen) => {
  const client = await startService();
  const order = await client.create(createBody('ref-1', { shipmentMethodUid: requested }));
  expect(order.shipment?.shipmentMethodUid).toBe(chosen);
});

test('an item can have files instead of a file URL, and an item for an unprinted product needs neither', async () => {
  const client = await startService();
  const files = [{ type: 'default', url: 'https://files.example/front.png' }];
  const items = [
    { itemReferenceId: 'a', productUid: POSTER, quantity: 1, files },
    { itemReferenceId: 'b', productUid: ENVELOPE, quantity: 5 },
  ];
  const order = await client.create(createBody('ref-1', { items }));
  expect(order.items).toMatchObject([{ fileUrl: files[0]?.url, files }, { fileUrl: null }]);
});

test('items that no single facility makes become connected orders with one reference and different IDs', async () => {
  const client = await startService();
  const items = [item('poster'), item('mug', MUG), item('book', PHOTO_BOOK, { pageCount: 28 })];
  const order = await client.create(createBody('ref-1', { items, shipmentMethodUid: 'express' }));
  const booked = await client.booked();
  expect(booked).toHaveLength(2);
  expect(booked[0]?.id).toBe(order.id);
  const ids = booked.map((part) => part.id);
  expect(booked.map((part) => part.connectedOrderIds)).toEqual([ids, ids]);
  expect(booked.map((part) => part.orderReferenceId)).toEqual(['ref-1', 'ref-1']);
  expect(booked.map((part) => part.items.map((one) => one.itemReferenceId))).toEqual([['poster', 'mug'], ['book']]);
  expect(booked.map((part) => part.shipment?.fulfillmentCountry)).toEqual(['US', 'NL']);
  expect((await client.search({ orderReferenceId: 'ref-1' })).map((one) => one.connectedOrderIds)).toEqual([ids, ids]);
});

test('the stand-in splits the order that is split in the service’s documentation', async () => {
  const client = await startService();
  const sample = new URL('../../../fixtures/print/v4_order_create_split_request.json', import.meta.url);
  const order = await client.create(await readFile(sample, 'utf8'));
  expect(order).toMatchObject({ orderReferenceId: '83831IAKD2', shipment: { shipmentMethodUid: 'ups_surepost' } });
  expect(order.connectedOrderIds).toHaveLength(2);
});

test('a product that is made separately is split off even if it was quoted with the other products', async () => {
  const client = await startService();
  const items = [item('poster'), item('case', PHONE_CASE), item('mug', MUG)];
  await client.create(createBody('ref-1', { items }));
  const parts = (await client.booked()).map((part) => part.items.map((one) => one.itemReferenceId));
  expect(parts).toEqual([['poster', 'mug'], ['case']]);
});

test('a part that is made separately ships by another method if the quoted method is not available', async () => {
  const client = await startService();
  const items = [item('poster'), item('case', PHONE_CASE)];
  await client.create(createBody('ref-1', { items, shipmentMethodUid: 'fed_ex_smart_post' }));
  const methods = (await client.booked()).map((part) => part.shipment?.shipmentMethodUid);
  expect(methods).toEqual(['fed_ex_smart_post', expect.not.stringContaining('fed_ex_smart_post')]);
});

test('a draft is not charged and does not advance', async () => {
  const client = await startService({ advanceSeconds: 0.02 });
  const draft = await client.create(createBody('ref-1', { orderType: 'draft' }));
  expect(draft).toMatchObject({
    orderType: 'draft',
    fulfillmentStatus: 'draft',
    financialStatus: 'draft',
    receipts: [],
  });
  expect(draft.orderedAt).toBeNull();
  const order = await client.create(createBody('ref-2'));
  await eventually(async () => (await client.get(order.id)).fulfillmentStatus).toBe('shipped');
  expect((await client.get(draft.id)).fulfillmentStatus).toBe('draft');
});

describe('a create request that is refused', () => {
  const cases: [string, Record<string, unknown>, string][] = [
    ['without a customer reference', { customerReferenceId: undefined }, 'customerReferenceId'],
    ['without items', { items: [] }, 'items'],
    ['with a duplicate item reference', { items: [item('a'), item('a')] }, 'items[1].itemReferenceId'],
    ['with a product that does not exist', { items: [item('a', 'no_such')] }, 'items[0].productUid'],
    ['without a file', { items: [item('a'), item('b', MUG, { fileUrl: undefined })] }, 'items[1].fileUrl'],
    ['without a page count', { items: [item('a', PHOTO_BOOK)] }, 'items[0].pageCount'],
    ['with a fractional quantity', { items: [item('a', MUG, { quantity: 1.5 })] }, 'items[0].quantity'],
    [
      'with 21 metadata entries',
      { metadata: Array.from({ length: 21 }, () => ({ key: 'k', value: 'v' })) },
      'metadata',
    ],
    [
      'with a metadata value over 100 characters',
      { metadata: [{ key: 'k', value: 'v'.repeat(101) }] },
      'metadata[0].value',
    ],
    ['with an unknown shipment method', { shipmentMethodUid: 'by_pigeon' }, 'shipmentMethodUid'],
    ['with an unknown order type', { orderType: 'gift' }, 'orderType'],
    [
      'with an address line over 35 characters',
      { shippingAddress: { ...ADDRESS, addressLine1: 'x'.repeat(36) } },
      'shippingAddress.addressLine1',
    ],
    ['with an invalid country in the return address', { returnAddress: { country: 'usa' } }, 'returnAddress.country'],
    ['to Brazil without a tax ID', { shippingAddress: { ...ADDRESS, country: 'BR' } }, 'shippingAddress.federalTaxId'],
  ];
  test.each(cases)('a create request %s is refused, and the response names the field', async (_title, more, field) => {
    const client = await startService();
    const refusal = await client.refused('POST', '/v3/orders', createBody('ref-1', more));
    expect(refusal.status).toBe(400);
    expect(refusal.details.map((detail) => detail.reference)).toContain(field);
    expect(await client.booked()).toEqual([]);
  });

  test('a create request for a country without shipping is refused', async () => {
    const client = await startService();
    const body = createBody('ref-1', { shippingAddress: { ...ADDRESS, country: 'CU' } });
    expect(await client.refused('POST', '/v3/orders', body)).toMatchObject({
      status: 404,
      code: 'country_not_supported',
    });
  });

  test('a create request with a body over 2 MiB is refused', async () => {
    const client = await startService();
    const body = createBody('ref-1', { note: 'x'.repeat(3 * 1024 * 1024) });
    expect(await client.refused('POST', '/v3/orders', body)).toMatchObject({ status: 413 });
    expect(await client.booked()).toEqual([]);
  });
});

test('a path that does not exist returns 404 in JSON', async () => {
  const client = await startService();
  const answer = await client.call('GET', '/v9/orders');
  expect(answer.status).toBe(404);
  expect(z.object({ message: z.string() }).safeParse(answer.body).success).toBe(true);
});
