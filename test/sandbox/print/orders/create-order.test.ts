import { expect, test } from 'vitest';
import { createBody, item, MUG, PHOTO_BOOK, startService } from '../service.ts';

test('a create request with the same reference creates a second order', async () => {
  const client = await startService();
  const one = await client.create(createBody('ref-1'));
  const other = await client.create(createBody('ref-1'));
  expect(other.id).not.toBe(one.id);
  expect(await client.search({ orderReferenceId: 'ref-1' })).toHaveLength(2);
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
