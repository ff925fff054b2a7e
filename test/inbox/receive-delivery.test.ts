import { afterAll, beforeAll, expect, test } from 'vitest';
import type { App } from '../../src/app.ts';
import type { Shop } from '../../src/database/shops.ts';
import { receiveDelivery } from '../../src/inbox/receive-delivery.ts';
import type { NewDelivery } from '../../src/inbox/receive-delivery.ts';
import { createTestDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { addShop, createTestApp, deliveriesOf, jobsOf } from '../http/test-app.ts';
import type { TestApp } from '../http/test-app.ts';

let database: TestDatabase;
let parts: TestApp;
let app: App;
let shop: Shop;

beforeAll(async () => {
  database = await createTestDatabase();
  parts = createTestApp(database.db);
  app = parts.app;
  shop = await addShop(database.db);
});

afterAll(async () => {
  await parts.close();
  await database.drop();
});

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

test('a delivery is kept with its job, a second one of the same key changes nothing', async () => {
  expect(await receiveDelivery(app, delivery({ dedupeKey: 'once' }))).toBe('stored');
  expect(await receiveDelivery(app, delivery({ dedupeKey: 'once', topic: 'other' }))).toBe('duplicate');
  const kept = (await deliveriesOf(database.db, shop)).filter(({ dedupeKey }) => dedupeKey === 'once');
  expect(kept).toMatchObject([{ topic: 'order_status_updated', body: { id: 'os_1' }, handledAt: null, result: null }]);
  expect(await jobsOf(database.db, 'handle_delivery')).toEqual([{ deliveryId: kept[0]!.id }]);
});

test('the same key from another source or for another shop is another delivery', async () => {
  const other = await addShop(database.db);
  expect(await receiveDelivery(app, delivery({ dedupeKey: 'twice' }))).toBe('stored');
  expect(await receiveDelivery(app, delivery({ dedupeKey: 'twice', source: 'shopify' }))).toBe('stored');
  expect(await receiveDelivery(app, delivery({ dedupeKey: 'twice', shopId: other.id }))).toBe('stored');
});

test('of 20 at once one is stored and one job made', async () => {
  const before = (await jobsOf(database.db, 'handle_delivery')).length;
  const results = await Promise.all(
    Array.from({ length: 20 }, () => receiveDelivery(app, delivery({ dedupeKey: 'parallel' }))),
  );
  expect(results.filter((result) => result === 'stored')).toHaveLength(1);
  expect(await jobsOf(database.db, 'handle_delivery')).toHaveLength(before + 1);
});

test('one whose result is known already is kept as handled and makes no job', async () => {
  const before = (await jobsOf(database.db, 'handle_delivery')).length;
  await receiveDelivery(app, delivery({ dedupeKey: 'final', result: 'unknown_kind' }));
  const [kept] = (await deliveriesOf(database.db, shop)).filter(({ dedupeKey }) => dedupeKey === 'final');
  expect(kept).toMatchObject({ result: 'unknown_kind', handledAt: new Date('2026-11-21T10:00:00Z') });
  expect(await jobsOf(database.db, 'handle_delivery')).toHaveLength(before);
});

test('without its job nothing is kept', async () => {
  const enqueue = () => Promise.reject(new Error('the queue is away'));
  const promise = receiveDelivery({ ...app, jobs: { enqueue } }, delivery({ dedupeKey: 'no job' }));
  await expect(promise).rejects.toThrow('the queue is away');
  const keys = (await deliveriesOf(database.db, shop)).map(({ dedupeKey }) => dedupeKey);
  expect(keys).not.toContain('no job');
});

test('texts of any length and any character are kept', async () => {
  const long = `\0\ud800${'x'.repeat(20_000)}`;
  const body = JSON.parse('{"__proto__":{"a\\u0000":"\\ud800"},"n":1e400,"deep":[[["\\u0000"]]]}') as Record<
    string,
    unknown
  >;
  expect(await receiveDelivery(app, delivery({ dedupeKey: 'odd', topic: long, eventId: long, body }))).toBe('stored');
  const [kept] = (await deliveriesOf(database.db, shop)).filter(({ dedupeKey }) => dedupeKey === 'odd');
  expect(kept!.topic).toMatch(/^\ufffdx{199}$/);
  expect(JSON.stringify(kept!.body)).toBe('{"n":null,"deep":[[[""]]],"__proto__":{"a":"\ufffd"}}');
});

test('an answer after the commit survives a crash of the database', async () => {
  const [row] = await database.db.query<{ synchronous_commit: string }[]>('show synchronous_commit');
  expect(row).toEqual({ synchronous_commit: 'on' });
});
