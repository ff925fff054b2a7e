import { expect, test } from 'vitest';
import { createBody, item, MUG, startService } from './service.ts';

const TWO_ITEMS = { items: [item('a'), item('b', MUG)] };
type Receipt = Record<'transactionType', string> & Record<string, number>;

async function startWithOrder(more: Record<string, unknown> = TWO_ITEMS) {
  const client = await startService();
  const order = await client.create(createBody('ref-1', more));
  const path = `/_control/orders/${order.id}/refund`;
  const receipts = async () => (await client.get(order.id)).receipts as unknown as Receipt[];
  return { client, order, path, receipts };
}

test('a second refund covers the rest of the charge, and all refund receipts add up to the purchase', async () => {
  const { client, order, path, receipts } = await startWithOrder();
  await client.ok('POST', path, { items: ['a'] });
  expect((await client.get(order.id)).financialStatus).toBe('partially_refunded');
  await client.ok('POST', path, {});
  expect((await client.get(order.id)).financialStatus).toBe('refunded');
  const [purchase, first, second] = await receipts();
  expect([first?.transactionType, second?.transactionType]).toEqual(['refund', 'refund']);
  expect(first).toMatchObject({ shippingPrice: 0, items: [{ type: 'product', referenceId: order.items[0]?.id }] });
  for (const part of ['productsPrice', 'shippingPrice', 'total'])
    expect(((first?.[part] ?? 0) + (second?.[part] ?? 0)).toFixed(2)).toBe(purchase?.[part]?.toFixed(2));
});

test('shipping can be refunded separately and only once, and the search still shows the original total', async () => {
  const { client, path, receipts } = await startWithOrder();
  const [before] = await client.search({});
  await client.ok('POST', path, { shipping: true });
  const [purchase, refund] = await receipts();
  expect(refund).toMatchObject({ productsPrice: 0, shippingPrice: purchase?.['shippingPrice'] });
  expect(await client.refused('POST', path, { shipping: true })).toMatchObject({ status: 409 });
  expect((await client.search({}))[0]?.totalInclVat).toBe(before?.totalInclVat);
});

test('an order with a refused payment cannot be refunded', async () => {
  const client = await startService();
  await client.ok('POST', '/_control/payment', { refused: true });
  const order = await client.create(createBody('ref-1'));
  expect(await client.refused('POST', `/_control/orders/${order.id}/refund`, {})).toMatchObject({ status: 409 });
});
