import { describe, expect, test } from 'vitest';
import { createBody, item, MUG, PHOTO_BOOK, startService } from '../service.ts';

const DRAFT = { orderType: 'draft' };
const SPLIT = { items: [item('mug', MUG), item('book', PHOTO_BOOK, { pageCount: 28 })] };

describe('a draft at the print service stand-in', () => {
  test('a draft becomes an order through a patch request, which can be repeated', async () => {
    const client = await startService();
    const draft = await client.create(createBody('ref-1', DRAFT));
    const order = await client.confirm(draft.id);
    expect(order).toMatchObject({
      id: draft.id,
      orderType: 'order',
      fulfillmentStatus: 'created',
      financialStatus: 'pending',
    });
    expect(order.receipts).toHaveLength(1);
    expect(order.orderedAt).not.toBeNull();
    expect(await client.confirm(draft.id)).toEqual(order);
  });

  test('a split draft becomes an order with all its parts', async () => {
    const client = await startService();
    const draft = await client.create(createBody('ref-1', { ...SPLIT, ...DRAFT }));
    await client.confirm(draft.id);
    expect((await client.booked()).map((part) => part.orderType)).toEqual(['order', 'order']);
  });
});

test('without the extended calls, drafts can be deleted, but not read, patched or canceled', async () => {
  const client = await startService({ extended: false });
  const draft = await client.create(createBody('ref-1', DRAFT));
  expect((await client.call('GET', `/v4/orders/${draft.id}`)).status).toBe(404);
  expect((await client.call('PATCH', `/v4/orders/${draft.id}`, { orderType: 'order' })).status).toBe(404);
  expect((await client.call('POST', `/v4/orders/${draft.id}:cancel`)).status).toBe(404);
  expect((await client.call('DELETE', `/v4/orders/${draft.id}`)).status).toBe(200);
});

describe('a search at the print service stand-in', () => {
  test('a search shows an order only after the search lag has passed', async () => {
    const client = await startService();
    await client.ok('POST', '/_control/faults', [{ searchLagMs: 60_000 }]);
    const order = await client.create(createBody('ref-1'));
    expect(await client.search({ orderReferenceId: 'ref-1' })).toEqual([]);
    expect((await client.get(order.id)).id).toBe(order.id);
    await client.ok('POST', '/_control/faults', [{ searchLagMs: 100 }]);
    await client.clock.pass(100);
    expect(await client.search({ orderReferenceId: 'ref-1' })).toHaveLength(1);
    await client.ok('POST', '/_control/faults', []);
    await client.create(createBody('ref-2'));
    expect(await client.search({ orderReferenceId: 'ref-2' })).toHaveLength(1);
  });
});
