import { expect, test } from 'vitest';
import { collect, connect } from '../../print/servers.ts';
import { ADDRESS, createBody, startService } from './service.ts';

test('a v3 search returns only the fields of v3 records', async () => {
  const client = await startService();
  const { id, createdAt, updatedAt, orderedAt } = await client.create(createBody('ref-1'));
  expect(await client.ok('POST', '/v3/orders:search', {})).toEqual({
    orders: [
      {
        id,
        orderReferenceId: 'ref-1',
        customerReferenceId: 'customer-1',
        fulfillmentStatus: 'created',
        financialStatus: 'pending',
        currency: 'USD',
        channel: 'api',
        country: 'US',
        firstName: 'Paul',
        lastName: 'Smith',
        createdAt,
        updatedAt,
        orderedAt,
      },
    ],
  });
});

test('a v3 search uses the documented filters and ignores filters that only v4 has', async () => {
  const client = await startService();
  const german = { ...ADDRESS, state: undefined, country: 'DE', firstName: 'Ada', lastName: 'Lovelace' };
  const one = await client.create(createBody('ref-1'));
  const two = await client.create(createBody('ref-2', { orderType: 'draft', shippingAddress: german }));
  await client.ok('POST', '/_control/orders', { channel: 'shopify', order: createBody('other-1') });
  await client.advance(one.id, { to: 'passed' });
  const print = connect(client.url, {}, 'sandbox-key');
  const found = async (filters: Parameters<typeof print.searchOrdersV3>[0]) =>
    (await collect(print.searchOrdersV3(filters))).map(({ orderReferenceId }) => orderReferenceId).toSorted();
  expect(await found({})).toEqual(['other-1', 'ref-1', 'ref-2']);
  expect(await found({ ids: [two.id] })).toEqual(['ref-2']);
  expect(await found({ orderReferenceId: 'ref-1' })).toEqual(['ref-1']);
  expect(await found({ orderReferenceIds: ['ref-1', 'other-1'] })).toEqual(['other-1', 'ref-1']);
  expect(await found({ fulfillmentStatuses: ['draft'] })).toEqual(['ref-2']);
  expect(await found({ financialStatuses: ['paid'] })).toEqual(['ref-1']);
  expect(await found({ channels: ['shopify'] })).toEqual(['other-1']);
  expect(await found({ countries: ['DE'] })).toEqual(['ref-2']);
  expect(await found({ search: 'LOVE' })).toEqual(['ref-2']);
  expect(await found({ startDate: '2020-01-01', endDate: '2999-01-01T00:00:00+0000' })).toHaveLength(3);
  expect(await found({ startDate: ['2999-01-01'] })).toEqual([]);
  const ignored = { orderTypes: ['draft'], currencies: ['EUR'], storeIds: ['store-9'], limit: 2, offset: 1 };
  expect(await client.ok('POST', '/v3/orders:search', ignored)).toMatchObject({
    orders: [{ orderReferenceId: 'ref-2' }, { orderReferenceId: 'ref-1' }],
  });
});

test('a v3 search without a key, or with a page size over 100, is refused', async () => {
  const client = await startService();
  expect(await client.refused('POST', '/v3/orders:search', {}, { key: 'wrong' })).toMatchObject({ status: 401 });
  expect(await client.refused('POST', '/v3/orders:search', { limit: 101 })).toMatchObject({
    status: 400,
    details: [{ reference: 'limit' }],
  });
});
