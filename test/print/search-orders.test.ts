import { expect, test } from 'vitest';
import { collect, connect, failureOf, json, startService } from './servers.ts';

function records(from: number, to: number): { id: string; orderReferenceId: string }[] {
  return Array.from({ length: to - from }, (_value, index) => ({
    id: `o${from + index}`,
    orderReferenceId: `r${from + index}`,
  }));
}

/** A service with so many orders, which pages as it is asked to. */
function startSearch(total: number) {
  return startService(({ body }, response) => {
    const { limit, offset } = JSON.parse(body) as { limit: number; offset: number };
    json(response, 200, { orders: records(offset, Math.min(total, offset + limit)) });
  });
}

test.each([
  [0, 1],
  [1, 1],
  [99, 1],
  [100, 2],
  [101, 2],
  [250, 3],
])('%i orders are read in %i pages', async (total, pages) => {
  const service = await startSearch(total);
  const found = await collect(connect(service.url).searchOrders({ orderReferenceIds: ['r1'] }));
  expect(found.map(({ id }) => id)).toEqual(records(0, total).map(({ id }) => id));
  expect(service.requests).toHaveLength(pages);
  for (const [page, { body }] of service.requests.entries()) {
    expect(JSON.parse(body)).toEqual({ orderReferenceIds: ['r1'], limit: 100, offset: page * 100 });
  }
});

test('a record that moves to a later page while paging is given once', async () => {
  const service = await startService((_request, response, index) => {
    json(response, 200, { orders: index === 0 ? records(0, 100) : [...records(99, 100), ...records(100, 110)] });
  });
  const found = await collect(connect(service.url).searchOrders({}));
  expect(found.map(({ id }) => id)).toEqual(records(0, 110).map(({ id }) => id));
});

test('a page is asked for only when it is needed', async () => {
  const service = await startSearch(500);
  for await (const record of connect(service.url).searchOrders({})) {
    if (record.id === 'o99') break;
  }
  expect(service.requests).toHaveLength(1);
});

test('a search that would never end fails, rather than pass for complete', async () => {
  const service = await startService((_request, response) => json(response, 200, { orders: records(0, 100) }));
  const error = await failureOf(collect(connect(service.url).searchOrders({})));
  expect(error).toMatchObject({ outcome: 'unavailable', retryable: false });
  expect(service.requests).toHaveLength(200);
});

test('a failed page fails the search', async () => {
  const service = await startService((_request, response, index) => {
    if (index === 0) json(response, 200, { orders: records(0, 100) });
    else json(response, 500, {});
  });
  expect(await failureOf(collect(connect(service.url).searchOrders({})))).toMatchObject({
    outcome: 'unavailable',
  });
});

test('an order without a reference hides no other', async () => {
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

test('a record without an id makes the page unreadable: it could be the one that is looked for', async () => {
  const service = await startService((_request, response) =>
    json(response, 200, { orders: [{ orderReferenceId: 'r1' }] }),
  );
  expect(await failureOf(collect(connect(service.url).searchOrders({})))).toMatchObject({
    outcome: 'unavailable',
  });
});

test('a date is sent as a list of one, as the interface types it', async () => {
  const service = await startSearch(0);
  await collect(connect(service.url).searchOrders({ startDate: '2024-01-15T12:32:03+00:00', endDate: ['2024-02-01'] }));
  expect(JSON.parse(service.requests[0]?.body ?? '')).toMatchObject({
    startDate: ['2024-01-15T12:32:03+00:00'],
    endDate: ['2024-02-01'],
  });
});
