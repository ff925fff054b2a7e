import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import type { Shop } from '../../../src/database/entities/shops.ts';
import { receiveOrder } from '../../../src/orders/intake/receive-order.ts';
import { addShop, openTestApp, type OpenTestApp } from '../../http/test-app.ts';

let app: OpenTestApp;
let shop: Shop;
beforeAll(async () => {
  app = await openTestApp();
  shop = await addShop(app.db);
});
beforeEach(() => app.db.query('delete from graphile_worker._private_jobs'));
afterAll(() => app.close());

const plans = (): Promise<{ key: string | null; locked_at: Date | null }[]> =>
  app.db.query('select key, locked_at from graphile_worker.jobs order by id');

test('an order is stored and planned once, no matter how many webhooks arrive before the plan runs', async () => {
  const id = 'gid://shopify/Order/1';
  await Promise.all([1, 2, 3, 4].map(() => receiveOrder(app, shop, id)));
  const [first] = await plans();
  await receiveOrder(app, shop, id);
  expect(await plans()).toEqual([first]);
  expect(await app.db.manager.countBy(StorefrontOrders, { shopifyOrderId: id })).toBe(1);
});

test('a webhook that arrives while the plan is running or waiting for a retry causes another plan', async () => {
  for (const set of ['locked_at = now()', 'attempts = 1']) {
    await app.db.query('delete from graphile_worker._private_jobs');
    const id = `gid://shopify/Order/${set.length}`;
    await receiveOrder(app, shop, id);
    await app.db.query(`update graphile_worker._private_jobs set ${set}`);
    await receiveOrder(app, shop, id);
    const due: unknown[] = await app.db.query(
      'select from graphile_worker.jobs where key is not null and locked_at is null and attempts = 0',
    );
    expect(due, set).toHaveLength(1);
  }
});

test('an order whose row a job deletes while its webhook is handled is stored again and planned', async () => {
  const id = 'gid://shopify/Order/77';
  await receiveOrder(app, shop, id);
  await app.db.query('delete from graphile_worker._private_jobs');
  // Deletes the row right after the statement that found it, as a job's commit at this moment would.
  await app.db.query(`
    create function delete_known_row() returns trigger language plpgsql as $$ begin
      if not exists (select from created) then delete from storefront_orders where shopify_order_id = '${id}'; end if;
      return null;
    end $$`);
  await app.db.query(
    'create trigger delete_known_row after insert on storefront_orders referencing new table as created for each statement execute function delete_known_row()',
  );
  try {
    await receiveOrder(app, shop, id);
  } finally {
    await app.db.query('drop function delete_known_row cascade');
  }
  const { id: rowId } = await app.db.manager.findOneByOrFail(StorefrontOrders, { shopifyOrderId: id });
  expect((await plans()).map(({ key }) => key)).toEqual([`plan:${rowId}`]);
});
