import { describe, expect, test } from 'vitest';
import { useTestClock } from '../helpers/eventually.ts';
import { collect, connect, failureOf, json, startService } from './servers.ts';

function records(from: number, to: number): { id: string; orderReferenceId: string }[] {
  return Array.from({ length: to - from }, (_value, index) => ({
    id: `o${from + index}`,
    orderReferenceId: `r${from + index}`,
  }));
}

/** Starts a service with this number of orders that returns pages as requested. */
function startSearch(total: number) {
  return startService(({ body }, response) => {
    const { limit, offset } = JSON.parse(body) as { limit: number; offset: number };
    json(response, 200, { orders: records(offset, Math.min(total, offset + limit)) });
  });
}

describe.each(['searchOrders', 'searchOrdersV3'] as const)('%s', (name) => {
  test.each([
    [0, 1],
    [1, 1],
    [99, 1],
    [100, 2],
    [101, 2],
    [250, 3],
  ])('a search reads %i orders in %i pages, and reads all pages twice if there are several', async (total, pages) => {
    const service = await startSearch(total);
    const found = await collect(connect(service.url)[name]({ orderReferenceIds: ['r1'] }));
    expect(found.map(({ id }) => id)).toEqual(records(0, total).map(({ id }) => id));
    expect(service.requests).toHaveLength(pages === 1 ? 1 : 2 * pages);
    for (const [index, { url, body }] of service.requests.entries()) {
      expect(url).toBe(name === 'searchOrders' ? '/v4/orders:search' : '/v3/orders:search');
      expect(JSON.parse(body)).toEqual({ orderReferenceIds: ['r1'], limit: 100, offset: (index % pages) * 100 });
    }
  });

  test('a search returns a record only once if it moves to a later page during paging', async () => {
    const service = await startPages([records(0, 100), [...records(99, 100), ...records(100, 110)]]);
    const found = await collect(connect(service.url)[name]({}));
    expect(found.map(({ id }) => id)).toEqual(records(0, 110).map(({ id }) => id));
  });

  test('a search finds a record that moves to an earlier page during paging', async () => {
    const all = records(0, 250);
    const service = await startService(({ body }, response, index) => {
      const { limit, offset } = JSON.parse(body) as { limit: number; offset: number };
      // After the first page, the last record moves to the front, and two records that were read move to the end.
      const order = index === 0 ? all : [all[249], ...all.slice(2, 249), all[0], all[1]];
      json(response, 200, { orders: order.slice(offset, offset + limit) });
    });
    const found = await collect(connect(service.url)[name]({}));
    expect(found).toHaveLength(250);
    expect(new Set(found.map(({ id }) => id))).toEqual(new Set(all.map(({ id }) => id)));
  });

  test('a search ends once all requested IDs are found', async () => {
    const service = await startSearch(100);
    const ids = records(0, 100).map(({ id }) => id);
    expect(await collect(connect(service.url)[name]({ ids }))).toHaveLength(100);
    expect(service.requests).toHaveLength(1);
    // One of the IDs does not exist, so every page must be read.
    expect(await collect(connect(service.url)[name]({ ids: [...ids, 'elsewhere'] }))).toHaveLength(100);
    expect(service.requests).toHaveLength(1 + 4);
  });
});

/** Starts a service that responds with these pages in turn, and then starts again with the first page. */
function startPages(pages: { id: string }[][]) {
  return startService((_request, response, index) => json(response, 200, { orders: pages[index % pages.length] }));
}

test('a search whose pages never end fails, and does not count as complete', async () => {
  const service = await startService((_request, response) => json(response, 200, { orders: records(0, 100) }));
  const clock = await useTestClock();
  const search = collect(connect(service.url, { clock }).searchOrders({}));
  expect(await clock.during(failureOf(search))).toMatchObject({ outcome: 'unavailable', retryable: false });
  expect(service.requests).toHaveLength(200);
});

test('an order without a reference does not hide other orders', async () => {
  const orders = [
    { id: 'byHand', orderReferenceId: null },
    { id: 'ours', orderReferenceId: 'r1', storeId: null, channel: null },
  ];
  const service = await startService((_request, response) => json(response, 200, { orders }));
  const found = await collect(connect(service.url).searchOrders({}));
  expect(found.map(({ id, orderReferenceId }) => [id, orderReferenceId])).toEqual([
    ['byHand', ''],
    ['ours', 'r1'],
  ]);
});

test('a record without an ID makes its page unreadable, because it could be the requested order', async () => {
  const service = await startService((_request, response) =>
    json(response, 200, { orders: [{ orderReferenceId: 'r1' }] }),
  );
  expect(await failureOf(collect(connect(service.url).searchOrders({})))).toMatchObject({ outcome: 'unavailable' });
});
