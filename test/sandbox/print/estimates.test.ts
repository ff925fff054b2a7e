import { expect, test } from 'vitest';
import { parseEvent } from '../../../src/print/events.ts';
import { orderSchema } from '../../../src/print/current/objects.ts';
import { eventually } from '../../helpers/eventually.ts';
import { createBody, item, MUG, PHOTO_BOOK, startReceiver, startService } from './service.ts';

async function startWithEvents(style = 'event') {
  const receiver = await startReceiver();
  const client = await startService();
  await client.ok('POST', '/_control/webhooks', { addresses: [{ key: 'sandbox-key', url: receiver.url, style }] });
  const change = async (id: string, dates: unknown) =>
    orderSchema.parse(await client.ok('POST', `/_control/orders/${id}/estimate`, dates));
  return { client, received: receiver.received, change };
}

test.each(['event', 'object'])(
  'a later delivery date sends an estimate event to an address with the style %s',
  async (style) => {
    const { client, received, change } = await startWithEvents(style);
    const { id } = await client.create(createBody('ref-1'));
    const dates = { minDeliveryDate: '2999-11-03', maxDeliveryDate: '2999-11-05' };
    expect((await change(id, dates)).shipment).toMatchObject(dates);
    expect((await client.get(id)).shipment).toMatchObject(dates);
    await eventually(() => received).toHaveLength(1);
    expect(received[0]?.body).toEqual({
      id: expect.any(String),
      event: 'order_delivery_estimate_updated',
      orderId: id,
      storeId: null,
      orderReferenceId: 'ref-1',
      ...dates,
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
    });
    expect(parseEvent(received[0]?.body)).toMatchObject({
      kind: 'order_delivery_estimate_updated',
      orderId: id,
      ...dates,
    });
  },
);

test('unchanged or earlier dates send no event, and either date can be changed alone', async () => {
  const { client, received, change } = await startWithEvents();
  const { id, shipment } = await client.create(createBody('ref-1'));
  await change(id, { minDeliveryDate: shipment?.minDeliveryDate, maxDeliveryDate: shipment?.maxDeliveryDate });
  await change(id, { minDeliveryDate: '2020-01-01' });
  await change(id, { maxDeliveryDate: '2999-12-31' });
  await eventually(() => received).toHaveLength(1);
  expect(received[0]?.body).toMatchObject({ minDeliveryDate: '2020-01-01', maxDeliveryDate: '2999-12-31' });
});

test('an estimate event has the latest dates of all connected parts of the order', async () => {
  const { client, received, change } = await startWithEvents();
  const SPLIT = { items: [item('mug', MUG), item('book', PHOTO_BOOK, { pageCount: 28 })] };
  const order = await client.create(createBody('ref-1', SPLIT));
  const [first = '', second = ''] = order.connectedOrderIds;
  await change(first, { minDeliveryDate: '2999-01-01', maxDeliveryDate: '2999-01-09' });
  await eventually(() => received).toHaveLength(1);
  // This part's maximum date becomes later, but stays before the other part's date, so the dates of the whole order do not change.
  await change(second, { minDeliveryDate: '2998-06-01', maxDeliveryDate: '2998-06-09' });
  // The order's minimum date now comes from this part, and its maximum date still comes from the other part.
  await change(second, { minDeliveryDate: '2999-01-05', maxDeliveryDate: '2999-01-08' });
  await eventually(() => received).toHaveLength(2);
  const estimates = received.map(({ body }) => [body['orderId'], body['minDeliveryDate'], body['maxDeliveryDate']]);
  expect(estimates).toEqual([
    [first, '2999-01-01', '2999-01-09'],
    [second, '2999-01-05', '2999-01-09'],
  ]);
});
