import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Deviations } from '../../src/database/entities/print-orders.ts';
import { readDeviation, writeDeviation } from '../../src/orders/rows/deviations.ts';
import { MoveDeviations } from '../../migrations/1795000000280-move-deviations.ts';
import { RenameStoreUpdatesDue } from '../../migrations/1795000000290-rename-store-updates-due.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';

// During a rollout, processes of the previous version use the old columns and the old name. Their statements are written out here.

const NOW = new Date('2026-11-28T12:00:00Z');

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

beforeEach(async () => {
  await database.db.query('truncate shops restart identity cascade');
  await database.db.query(
    `insert into shops (domain, currency, takes_orders_from) values ('a.myshopify.com', 'EUR', now())`,
  );
  await database.db.query(
    `insert into storefront_orders (shop_id, shopify_order_id, name, placed_at) values (1, '1', '#1', now())`,
  );
  await database.db.query(
    `insert into print_orders (shop_id, storefront_order_id, shopify_fulfillment_order_id, part, reference, state, submit_way, plan_sha256)
     values (1, 1, '1', 1, 'pl-1', 'held', 'draft', ''), (1, 1, '1', 2, 'pl-2', 'held', 'draft', '')`,
  );
});

const query = <Row>(sql: string): Promise<Row[]> => database.db.query(sql) as Promise<Row[]>;

const MIGRATIONS = [new MoveDeviations(), new RenameStoreUpdatesDue()];

/** Returns to the tables of the previous version, fills them and runs the migrations again. */
async function upgradeAgain(fill: () => Promise<unknown>): Promise<void> {
  const runner = database.db.createQueryRunner();
  try {
    for (const migration of MIGRATIONS.toReversed()) await migration.down(runner);
    try {
      await fill();
    } finally {
      for (const migration of MIGRATIONS) await migration.up(runner);
    }
  } finally {
    await runner.release();
  }
}

test("the migration copies the previous version's values and does not change print orders without a deviation", async () => {
  await upgradeAgain(async () => {
    await query(`update print_orders set cancel_refused_at = now(), cancel_refused_why = 'too late' where part = 1`);
    await query('insert into tells_due (storefront_order_id, tries) values (1, 3)');
  });
  expect(await database.db.manager.find(Deviations)).toMatchObject([
    { printOrderId: '1', cancelRefusedAt: expect.any(Date), cancelRefusedWhy: 'too late', draftEdit: null },
  ]);
  expect(await query('select storefront_order_id as id, tries from store_updates_due')).toEqual([
    { id: '1', tries: 3 },
  ]);
});

test("both versions see each other's changes to a deviation, regardless of which version wrote last", async () => {
  await query(`update print_orders set draft_edit = 'edit' where part = 1`);
  expect(await readDeviation(database.db.manager, '1')).toMatchObject({ draftEdit: 'edit', acceptedDraftEdit: null });
  await writeDeviation(database.db.manager, '1', { acceptedDraftEdit: 'edit', draftEdit: null }, NOW);
  await writeDeviation(database.db.manager, '1', { releasedAt: NOW }, NOW);
  const old = 'select draft_edit, accepted_draft_edit, released_at from print_orders order by id';
  const both = { draft_edit: null, accepted_draft_edit: 'edit', released_at: NOW };
  const none = { draft_edit: null, accepted_draft_edit: null, released_at: null };
  expect(await query(old)).toEqual([both, none]);
  await query(`update print_orders set accepted_draft_edit = null where part = 1`);
  expect(await readDeviation(database.db.manager, '1')).toMatchObject({ acceptedDraftEdit: null });
  expect(await query(old)).toEqual([{ ...both, accepted_draft_edit: null }, none]);
});

test('a statement that writes a print order and its deviation keeps both copies equal', async () => {
  await query(`with held as (update print_orders set state = 'submitting' where part = 2)
    insert into deviations (print_order_id, present_change) values (2, 'change')`);
  expect(await query('select state, present_change from print_orders where part = 2')).toEqual([
    { state: 'submitting', present_change: 'change' },
  ]);
});

test('a change of a print order that has no deviation creates none', async () => {
  await query(`update print_orders set state = 'submitting', draft_edit = null`);
  expect(await query('select from deviations')).toEqual([]);
});

test('removing a print order also removes its deviation', async () => {
  await writeDeviation(database.db.manager, '1', { draftEdit: 'edit' }, NOW);
  await query('delete from print_orders');
  expect(await query('select from deviations')).toEqual([]);
});

test('the previous version marks store updates as due, reads them and removes them under the old name', async () => {
  const mark = `insert into tells_due (storefront_order_id) values (1)
    on conflict (storefront_order_id) do update set due_at = excluded.due_at, tries = 0`;
  await query(mark);
  await query('update tells_due set tries = tries + 1');
  expect(await query('select tries from store_updates_due where due_at <= now()')).toEqual([{ tries: 1 }]);
  await query(mark);
  expect(await query('select tries from store_updates_due')).toEqual([{ tries: 0 }]);
  await query('delete from tells_due');
  expect(await query('select from store_updates_due')).toEqual([]);
});
