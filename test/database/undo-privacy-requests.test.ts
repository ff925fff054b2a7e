import { afterEach, beforeEach, expect, test } from 'vitest';
import { AddPrivacyRequests1795000000004 as AddPrivacyRequests } from '../../migrations/1795000000004-add-privacy-requests.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
  await database.db.query(
    `insert into shops (domain, currency, takes_orders_from) values ('a.myshopify.com', 'USD', now())`,
  );
  await database.db.query(
    `insert into storefront_orders (shop_id, shopify_order_id, name, placed_at) select id, 'o', '#1', now() from shops`,
  );
});
afterEach(() => database.drop());

async function run(way: 'up' | 'down'): Promise<void> {
  const runner = database.db.createQueryRunner();
  try {
    await runner.startTransaction();
    await new AddPrivacyRequests()[way](runner);
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  } finally {
    await runner.release();
  }
}

test('where nobody asked for anything, the migration is undone and made again', async () => {
  await run('down');
  await run('up');
  expect(await database.db.query('select redacted_at from storefront_orders')).toEqual([{ redacted_at: null }]);
});

test.each([
  ['an order is redacted', 'update storefront_orders set redacted_at = now()'],
  [
    'a request names orders that are not known yet',
    `insert into privacy_requests (shop_id, kind, request_key, shopify_order_ids, received_at, due_at, done_at)
     select id, 'customer_redact', 'k', '{o}', now(), now(), now() from shops`,
  ],
])('where %s, the migration is not undone and nothing is lost', async (_, sql) => {
  await database.db.query(sql);
  const read = () =>
    database.db.query('select redacted_at, (select count(*) from privacy_requests) as requests from storefront_orders');
  const before = await read();
  await expect(run('down')).rejects.toThrow(/cannot be undone/);
  expect(await read()).toEqual(before);
});
