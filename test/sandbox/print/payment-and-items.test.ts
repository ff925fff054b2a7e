import { expect, test } from 'vitest';
import { eventually } from '../../helpers/eventually.ts';
import { ADDRESS, createBody, item, MUG, startReceiver, startService } from './service.ts';

const TWO_ITEMS = { items: [item('a'), item('b', MUG)] };
const DRAFT = { ...TWO_ITEMS, orderType: 'draft' };
const statusesOf = (order: { items: { fulfillmentStatus?: string | null | undefined }[] }) =>
  order.items.map(({ fulfillmentStatus }) => fulfillmentStatus);

test('one item fails with its comment, and the order continues without the item', async () => {
  const receiver = await startReceiver();
  const client = await startService();
  await client.ok('POST', '/_control/webhooks', { addresses: [{ key: 'sandbox-key', url: receiver.url }] });
  const order = await client.create(createBody('ref-1', TWO_ITEMS));
  const failed = await client.advance(order.id, { to: 'failed', items: ['b'], comment: 'The file is too small' });
  expect(failed.fulfillmentStatus).toBe('created');
  expect(statusesOf(failed)).toEqual(['created', 'failed']);
  await eventually(() => receiver.received).toHaveLength(1);
  expect(receiver.received[0]?.body).toMatchObject({
    event: 'order_item_status_updated',
    itemReferenceId: 'b',
    status: 'failed',
    comment: 'The file is too small',
  });
  const shipped = await client.advance(order.id, { to: 'shipped' });
  expect(shipped.fulfillmentStatus).toBe('shipped');
  expect(statusesOf(shipped)).toEqual(['shipped', 'failed']);
  expect(shipped.shipment?.packages.map(({ orderItemIds }) => orderItemIds)).toEqual([[order.items[0]?.id]]);
});

test('an item on hold does not stop other items, and the order fails once all its items have failed', async () => {
  const client = await startService();
  const order = await client.create(createBody('ref-1', TWO_ITEMS));
  await client.advance(order.id, { to: 'passed' });
  expect(await client.advance(order.id, { to: 'on_hold', items: ['a'] })).toMatchObject({
    fulfillmentStatus: 'passed',
  });
  const printed = await client.advance(order.id, { to: 'printed' });
  expect([printed.fulfillmentStatus, ...statusesOf(printed)]).toEqual(['printed', 'on_hold', 'printed']);
  const on = await client.advance(order.id, { to: 'printed', items: ['a'] });
  expect([on.fulfillmentStatus, ...statusesOf(on)]).toEqual(['printed', 'printed', 'printed']);
  await client.advance(order.id, { to: 'failed', items: ['a'] });
  const over = await client.advance(order.id, { to: 'failed', items: ['b'] });
  expect([over.fulfillmentStatus, ...statusesOf(over)]).toEqual(['failed', 'failed', 'failed']);
});

test("while an account's payments are refused, its orders are accepted but not printed", async () => {
  const client = await startService();
  await client.ok('POST', '/_control/payment', { refused: true });
  const direct = await client.create(createBody('ref-1'));
  expect(direct).toMatchObject({ fulfillmentStatus: 'created', financialStatus: 'refused' });
  const draft = await client.create(createBody('ref-2', { orderType: 'draft' }));
  expect(draft.financialStatus).toBe('draft');
  expect(await client.confirm(draft.id)).toMatchObject({ orderType: 'order', financialStatus: 'refused' });
  const other = await client.create(createBody('ref-3'), { key: 'sandbox-key-other' });
  expect(other.financialStatus).toBe('pending');
  const path = `/_control/orders/${direct.id}/advance`;
  expect(await client.refused('POST', path, { to: 'passed' })).toMatchObject({ status: 409, code: 'payment_refused' });

  await client.ok('POST', '/_control/payment', { refused: false });
  expect(await client.get(draft.id)).toMatchObject({ fulfillmentStatus: 'created', financialStatus: 'pending' });
  expect(await client.advance(direct.id, { to: 'passed' })).toMatchObject({ financialStatus: 'paid' });
});

test('a person can edit and delete a draft but not an order', async () => {
  const client = await startService();
  const draft = await client.create(createBody('ref-1', DRAFT));
  const edit = `/_control/orders/${draft.id}/edit`;
  await client.ok('POST', edit, {
    items: [{ itemReferenceId: 'b', quantity: 3 }],
    shippingAddress: { city: 'Albany' },
  });
  const edited = await client.get(draft.id);
  expect(edited.items.map(({ quantity }) => quantity)).toEqual([1, 3]);
  expect(edited.shippingAddress).toMatchObject({ ...ADDRESS, city: 'Albany' });
  await client.ok('POST', edit, { items: [{ itemReferenceId: 'a', quantity: 0 }] });
  expect((await client.get(draft.id)).items.map(({ itemReferenceId }) => itemReferenceId)).toEqual(['b']);
  expect(await client.refused('POST', edit, { items: [{ itemReferenceId: 'b', quantity: 0 }] })).toMatchObject({
    status: 409,
  });
  expect(await client.refused('POST', edit, { shippingAddress: { email: 'no' } })).toMatchObject({ status: 400 });
  await client.ok('DELETE', `/_control/orders/${draft.id}`);
  expect(await client.call('GET', `/v4/orders/${draft.id}`)).toMatchObject({ status: 404 });

  const order = await client.create(createBody('ref-2'));
  const path = `/_control/orders/${order.id}`;
  expect(await client.refused('POST', `${path}/edit`, { shippingAddress: { city: 'Albany' } })).toMatchObject({
    status: 409,
  });
  expect(await client.refused('DELETE', path)).toMatchObject({ status: 409 });
});
