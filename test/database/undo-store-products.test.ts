import { afterEach, beforeEach, expect, test } from 'vitest';
import type { MigrationInterface } from 'typeorm';
import { AddStoreProducts1795000000010 as AddStoreProducts } from '../../migrations/1795000000010-add-store-products.ts';
import { AddLineVariants1795000000013 as AddLineVariants } from '../../migrations/1795000000013-add-line-variants.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
  const { db } = database;
  await db.query(`insert into shops (domain, currency, takes_orders_from) values ('a.myshopify.com', 'USD', now())`);
  await db.query(
    `insert into storefront_orders (shop_id, shopify_order_id, name, placed_at) select id, 'o', '#1', now() from shops`,
  );
  await db.query(
    `insert into order_lines (storefront_order_id, shopify_line_item_id, shopify_variant_id, decision)
     select id, 'line', 'variant', 'ours' from storefront_orders`,
  );
});
afterEach(() => database.drop());

async function run(migration: MigrationInterface, way: 'up' | 'down'): Promise<void> {
  const runner = database.db.createQueryRunner();
  await migration[way](runner);
  await runner.release();
}

const variants = () =>
  database.db.query(
    'select o.line_variants, l.shopify_variant_id from storefront_orders o join order_lines l on l.storefront_order_id = o.id',
  );

test('what a line is of outlives that the migrations after it are undone', async () => {
  expect(await variants()).toEqual([{ line_variants: {}, shopify_variant_id: 'variant' }]);
  for (const migration of [new AddLineVariants(), new AddStoreProducts()]) await run(migration, 'down');
  for (const migration of [new AddStoreProducts(), new AddLineVariants()]) await run(migration, 'up');
  expect(await variants()).toEqual([{ line_variants: {}, shopify_variant_id: 'variant' }]);
});
