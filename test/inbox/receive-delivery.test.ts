import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Shop } from '../../src/database/entities/shops.ts';
import { parseJsonObject } from '../../src/inbox/parse-json-object.ts';
import { receiveDelivery } from '../../src/inbox/receive-delivery.ts';
import type { NewDelivery } from '../../src/inbox/receive-delivery.ts';
import { addShop, readDeliveriesOfShop, readJobPayloads, openTestApp, type TestApp } from '../http/test-app.ts';

let app: TestApp;
let shop: Shop;

beforeAll(async () => {
  app = await openTestApp();
  shop = await addShop(app.db);
});
beforeEach(() => app.db.query('delete from graphile_worker._private_jobs'));
afterAll(() => app.close());

function delivery(change: Partial<NewDelivery> & { dedupeKey: string }): NewDelivery {
  return {
    source: 'print',
    shopId: shop.id,
    topic: 'order_status_updated',
    eventId: 'os_1',
    resourceIds: {},
    body: { id: 'os_1' },
    bodySha256: 'f'.repeat(64),
    occurredAt: null,
    receivedAt: new Date('2026-11-21T10:00:00Z'),
    result: null,
    ...change,
  };
}

test('a delivery that the database refuses does not fail other deliveries in the same statement', async () => {
  const noTime = new Date('+020000-01-01T00:00:00Z');
  const change = [{}, {}, { occurredAt: noTime }, {}, { shopId: 2 ** 31 - 1 }, {}];
  const results = await Promise.allSettled(
    change.map((one, at) => receiveDelivery(app, delivery({ dedupeKey: `neighbor ${at}`, ...one }))),
  );
  expect(results).toMatchObject([
    { value: 'stored' },
    { value: 'stored' },
    { reason: { code: expect.stringMatching(/^22/) } },
    { value: 'stored' },
    { value: 'unknown_shop' },
    { value: 'stored' },
  ]);
  const kept = (await readDeliveriesOfShop(app.db, shop)).filter(({ dedupeKey }) => dedupeKey.startsWith('neighbor'));
  expect(kept).toHaveLength(4);
  expect(await readJobPayloads(app.db, 'handle_delivery')).toHaveLength(4);
});

test('a delivery that is waiting for a lock does not delay later deliveries', async () => {
  const locked = await addShop(app.db);
  const runner = app.db.createQueryRunner();
  await runner.startTransaction();
  await runner.query('select from shops where id = $1 for update', [locked.id]);
  let isStored = false;
  const waiting = receiveDelivery(app, delivery({ dedupeKey: 'locked', shopId: locked.id })).finally(() => {
    isStored = true;
  });
  expect(await receiveDelivery(app, delivery({ dedupeKey: 'not locked' }))).toBe('stored');
  expect(isStored).toBe(false);
  await runner.rollbackTransaction();
  await runner.release();
  expect(await waiting).toBe('stored');
});

test('strings of any length with any characters are stored', async () => {
  const long = `\0\ud800${'x'.repeat(20_000)}`;
  const body = parseJsonObject(
    Buffer.from(String.raw`{"__proto__":{"a\u0000":"\ud800"},"n":1e400,"deep":[[["\u0000"]]]}`),
  );
  expect(await receiveDelivery(app, delivery({ dedupeKey: 'odd', topic: long, eventId: long, body }))).toBe('stored');
  const [kept] = (await readDeliveriesOfShop(app.db, shop)).filter(({ dedupeKey }) => dedupeKey === 'odd');
  expect(kept!.topic).toMatch(/^\ufffdx{199}$/);
  expect(JSON.stringify(kept!.body)).toBe('{"n":null,"deep":[[[""]]],"__proto__":{"a":"\ufffd"}}');
});

test('commits are synchronous, so that a delivery acknowledged after its commit survives a database crash', async () => {
  const [row] = await app.db.query<{ synchronous_commit: string }[]>('show synchronous_commit');
  expect(row).toEqual({ synchronous_commit: 'on' });
});
