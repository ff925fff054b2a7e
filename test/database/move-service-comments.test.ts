import { afterEach, beforeEach, expect, test } from 'vitest';
import { CreateTables } from '../../migrations/1795000000140-create-tables.ts';
import { MoveServiceComments } from '../../migrations/1795000000150-move-service-comments.ts';
import { describeUnknownOrder } from '../../src/orders/record/hold-unknown-order.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
  await database.db.query('drop schema public cascade');
  await database.db.query('create schema public');
});

afterEach(() => database.drop());

/** Creates the previous version's tables with one order whose print order has these columns. */
async function openPreviousVersion(columns: Record<string, string>): Promise<void> {
  const runner = database.db.createQueryRunner();
  await new CreateTables().up(runner);
  await runner.release();
  await database.db.query(
    `insert into shops (domain, currency, takes_orders_from) values ('a.myshopify.com', 'EUR', now())`,
  );
  await database.db.query(
    `insert into storefront_orders (shop_id, shopify_order_id, name, placed_at) values (1, '1', '#1', now())`,
  );
  const names = Object.keys(columns);
  await database.db.query(
    `insert into print_orders (shop_id, storefront_order_id, shopify_fulfillment_order_id, part, reference, state, submit_way, plan_sha256
      ${names.map((name) => `, ${name}`).join('')})
     values (1, 1, '1', 1, 'pl-1', 'held', 'draft', '' ${names.map((_, at) => `, $${at + 1}`).join('')})`,
    Object.values(columns),
  );
}

async function upgrade(): Promise<void> {
  const runner = database.db.createQueryRunner();
  await new MoveServiceComments().up(runner);
  await runner.release();
}

test('comments of the previous version move to their own table, and no copies are left behind', async () => {
  await openPreviousVersion({ service_comment: 'Too small', service_comment_status: 'failed' });
  await database.db.query(
    `insert into print_order_lines (print_order_id, item_reference_id, shopify_line_item_id, product_uid, quantity, service_comment,
       service_comment_status)
     values (1, '7', '7', 'mug', 1, 'No such color', 'failed'), (1, '8', '8', 'mug', 1, null, null)`,
  );
  await upgrade();
  expect(
    await database.db.query('select item_reference_id as item, status, comment from service_comments order by 1'),
  ).toEqual([
    { item: '', status: 'failed', comment: 'Too small' },
    { item: '7', status: 'failed', comment: 'No such color' },
  ]);
  for (const table of ['print_orders', 'print_order_lines'])
    expect(await database.db.query(`select from ${table} where service_comment is not null`)).toEqual([]);
});

test('open holds for a missing state get the code for a missing field, and resolved holds of unknown orders stay resolved', async () => {
  await openPreviousVersion({});
  await database.db.query(
    `insert into holds (shop_id, storefront_order_id, code, message, resolved_at) values
      (1, 1, 'state_missing', 'No state.', null),
      (1, 1, 'unknown_print_order', 'The print service has an order pl-9 of this sale that is not known here.', now())`,
  );
  await upgrade();
  expect(await database.db.query('select code, message from holds order by id')).toEqual([
    { code: 'address_missing_field', message: 'No state.' },
    { code: 'unknown_print_order', message: describeUnknownOrder('pl-9') },
  ]);
});
