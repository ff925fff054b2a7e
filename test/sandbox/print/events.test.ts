import { describe, expect, test } from 'vitest';
import { eventually } from '../../helpers/eventually.ts';
import { createBody, item, MUG, startReceiver, startService } from './service.ts';

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

const TWO_ITEMS = { items: [item('a'), item('b', MUG)] };

/** Returns the names and subjects of the received events, sorted. */
function summarize({ received }: Receiver): string[] {
  return received
    .map(({ body }) => {
      const subject = body.itemReferenceId ?? 'order';
      const news = body.trackingCode === undefined ? (body.status ?? body.fulfillmentStatus) : 'tracking';
      return `${body.event ?? body.object} ${subject} ${news}`;
    })
    .toSorted();
}

async function startWithEvents(address: Record<string, unknown> = {}) {
  const receiver = await startReceiver();
  const client = await startService();
  const addresses = [{ key: 'sandbox-key', url: receiver.url, ...address }];
  await client.ok('POST', '/_control/webhooks', { addresses });
  return { client, receiver };
}

test('each new status sends one event for the order and one event for each item', async () => {
  const { client, receiver } = await startWithEvents();
  const order = await client.create(createBody('ref-1', TWO_ITEMS));
  await client.advance(order.id, { to: 'passed' });
  await eventually(() => receiver.received).toHaveLength(3);
  expect(summarize(receiver)).toEqual([
    'order_item_status_updated a passed',
    'order_item_status_updated b passed',
    'order_status_updated order passed',
  ]);
  const ofItem = receiver.received.find(({ body }) => body.itemReferenceId === 'a')?.body;
  expect(ofItem).toMatchObject({
    orderId: order.id,
    orderReferenceId: 'ref-1',
    storeId: null,
    comment: '',
    fulfillmentCountry: 'US',
    fulfillmentStateProvince: 'NY',
  });
  expect(new Set(receiver.received.map(({ body }) => body.id)).size).toBe(3);
});

test('shipping sends a tracking event for each item and code, and several items ship in two packages', async () => {
  const { client, receiver } = await startWithEvents();
  const order = await client.create(createBody('ref-1', TWO_ITEMS));
  const shipped = await client.advance(order.id, { to: 'shipped' });
  expect(shipped.shipment?.packages.map((parcel) => parcel.orderItemIds)).toEqual(shipped.items.map(({ id }) => [id]));
  const codes = shipped.shipment?.packages.map((parcel) => parcel.trackingCode) ?? [];
  expect(new Set(codes).size).toBe(2);
  expect(shipped.shipment?.packagesCount).toBe(2);
  await eventually(() => receiver.received).toHaveLength(3 * 3 + 2);
  const tracking = receiver.received.filter(({ body }) => body.event === 'order_item_tracking_code_updated');
  expect(
    tracking
      .map(({ body }) => body)
      .toSorted((one, other) => String(one.itemReferenceId).localeCompare(String(other.itemReferenceId))),
  ).toMatchObject([
    { itemReferenceId: 'a', trackingCode: codes[0], productionCountry: 'US', shipmentMethodUid: 'fed_ex_smart_post' },
    { itemReferenceId: 'b', trackingCode: codes[1], trackingUrl: `https://tracking.example/${codes[1]}` },
  ]);
  const last = receiver.received.find(({ body }) => body.fulfillmentStatus === 'shipped')?.body;
  expect(last?.['items']).toMatchObject([
    { itemReferenceId: 'a', fulfillments: [{ trackingCode: codes[0] }] },
    { itemReferenceId: 'b', fulfillments: [{ trackingCode: codes[1] }] },
  ]);
});

test("every event has the configured header, and another account's orders send no events to this address", async () => {
  const { client, receiver } = await startWithEvents({ headers: { 'x-secret': 'hush' } });
  const foreign = await client.create(createBody('ref-1'), { key: 'sandbox-key-other' });
  const order = await client.create(createBody('ref-2'));
  await client.advance(foreign.id, { to: 'passed' });
  await client.advance(order.id, { to: 'passed' });
  await eventually(() => receiver.received).toHaveLength(2);
  expect(receiver.received.map(({ headers }) => headers['x-secret'])).toEqual(['hush', 'hush']);
  expect(receiver.received.map(({ body }) => body.orderReferenceId)).toEqual(['ref-2', 'ref-2']);
});

test('the control endpoint makes the stand-in drop and duplicate events, and returns its settings', async () => {
  const { client, receiver } = await startWithEvents();
  const order = await client.create(createBody('ref-1'));
  await client.ok('POST', '/_control/webhooks', { drop: 1 });
  await client.advance(order.id, { to: 'passed' });
  await client.ok('POST', '/_control/webhooks', { drop: 0, duplicate: 1, shuffleMs: 100 });
  await client.advance(order.id, { to: 'printed' });
  await eventually(() => receiver.received).toHaveLength(4);
  expect(summarize(receiver).filter((one) => one.endsWith('printed'))).toHaveLength(4);
  expect(new Set(receiver.received.map(({ body }) => body.id)).size).toBe(2);
  expect(await client.ok('GET', '/_control/webhooks')).toMatchObject({ drop: 0, duplicate: 1, shuffleMs: 100 });
});

describe('an order that is advanced through the control endpoint', () => {
  test('the order has the given packages and the packages that are added later', async () => {
    const { client, receiver } = await startWithEvents();
    const order = await client.create(createBody('ref-1', TWO_ITEMS));
    const first = { items: ['a'], trackingCode: 'CODE 1', trackingUrl: 'https://carrier.example/1' };
    await client.advance(order.id, { to: 'shipped', packages: [first] });
    const later = await client.advance(order.id, {
      to: 'shipped',
      packages: [{ items: ['a', 'b'], trackingCode: 'CODE 2' }],
    });
    expect(later.shipment?.packages).toMatchObject([
      { trackingCode: 'CODE 1', trackingUrl: 'https://carrier.example/1' },
      { trackingCode: 'CODE 2', trackingUrl: 'https://tracking.example/CODE%202' },
    ]);
    await eventually(() => receiver.received).toHaveLength(9 + 3);
    expect(summarize(receiver).filter((one) => one.includes('tracking_code'))).toHaveLength(3);
  });

  test.each([
    [['passed', 'printed', 'shipped', 'in_transit', 'delivered', 'returned']],
    [['on_hold', 'passed', 'in_production', 'printed', 'failed', 'canceled']],
    [['pending_approval', 'not_connected', 'created', 'uploading', 'passed', 'canceled']],
  ])('the order advances through %j', async (statuses) => {
    const client = await startService();
    const { id } = await client.create(createBody('ref-1'));
    for (const to of statuses) expect((await client.advance(id, { to })).fulfillmentStatus).toBe(to);
  });

  test.each([
    ['draft', 'passed'],
    ['created', 'created'],
    ['printed', 'canceled'],
    ['canceled', 'passed'],
    ['created', 'no_such_status'],
  ])('the order cannot move from %s to %s', async (from, to) => {
    const client = await startService();
    const order = await client.create(createBody('ref-1', from === 'draft' ? { orderType: 'draft' } : {}));
    if (!['draft', 'created'].includes(from)) await client.advance(order.id, { to: from });
    const refusal = await client.refused('POST', `/_control/orders/${order.id}/advance`, { to });
    expect(refusal).toMatchObject({ status: 409, message: `An order that is ${from} cannot become ${to}.` });
    expect((await client.get(order.id)).fulfillmentStatus).toBe(from);
  });

  test('a refused payment of the order sends no event', async () => {
    const { client, receiver } = await startWithEvents();
    const { id } = await client.create(createBody('ref-1'));
    const refused = await client.advance(id, { to: 'created', financialStatus: 'refused' });
    expect(refused).toMatchObject({ fulfillmentStatus: 'created', financialStatus: 'refused' });
    await client.advance(id, { to: 'failed', comment: null });
    await eventually(() => receiver.received).toHaveLength(2);
    expect(receiver.received.map(({ body }) => body['comment'])).toEqual([null, null]);
  });
});
