import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { receiveDelivery } from '../../src/inbox/receive-delivery.ts';
import { setReadyJobs } from '../../src/jobs/backlogs.ts';
import { enqueue } from '../../src/jobs/enqueue.ts';
import { levelJobs } from '../../src/jobs/runner/level-jobs.ts';
import { BULK, toClassSql, toPriorityLevelSql } from '../../src/jobs/priorities.ts';
import type { TaskName, TaskPayloads } from '../../src/jobs/tasks.ts';
import { addShop, openTestApp, type OpenTestApp } from '../http/test-app.ts';

let app: OpenTestApp;
let pool: pg.Pool;
beforeAll(async () => {
  app = await openTestApp();
  pool = new pg.Pool({ connectionString: app.databaseUrl });
});
beforeEach(async () => {
  setReadyJobs([]);
  await app.db.query('delete from graphile_worker._private_jobs');
});
afterAll(async () => {
  await pool.end();
  await app.close();
});

interface Job {
  task: TaskName;
  shop: string | null;
  level: number;
  class: number;
  key: string | null;
}

/** Returns the jobs in the order in which they would run. */
async function listJobs(): Promise<Job[]> {
  return app.db.query(
    `select task_identifier as task, substring(flags::text from 'shop:([0-9]+)') as shop, key,
       ${toClassSql('priority')} as class, ${toPriorityLevelSql('priority')} as level
     from graphile_worker.jobs order by priority, run_at, id`,
  );
}

/** Row IDs that no other test uses. */
const toRowId = (shopId: number): string => String(1_000_000 + shopId);

/** Adds a row of this shop to each table that jobs refer to. */
async function addRows(shopId: number): Promise<void> {
  const statements = [
    `insert into print_accounts (id, key_fingerprint, key_encrypted) values ($1::int, 'key of ' || $2::int, '')`,
    `insert into storefront_orders (id, shop_id, shopify_order_id, name, placed_at) values ($1::int, $2::int, 'order', '#1', now())`,
    `insert into print_orders (id, shop_id, storefront_order_id, shopify_fulfillment_order_id, part, reference, state, submit_way, plan_sha256,
       print_interface, print_account_id) values ($1::int, $2::int, $1::int, 'fo', 1, 'pl-' || $2::int, 'planned', 'draft', '', 'current', $1::int)`,
    `insert into backfills (id, shop_id, since, until, is_dry_run, asked_by, started_at)
       values ($1::int, $2::int, now(), now(), false, 'us', now())`,
    `insert into new_products (id, shop_id, print_account_id, store_id, template_id, request, request_sha256, asked_by)
       values ($1::int, $2::int, $1::int, 'store', 'template', '{}', '', 'us')`,
    `insert into deliveries (id, shop_id, source, dedupe_key, topic, resource_ids, body_sha256, received_at)
       values ($1::int, $2::int, 'print', 'key', 'topic', '{}', '', now())`,
  ];
  for (const sql of statements) await app.db.query(sql, [toRowId(shopId), shopId]);
}

/** Returns a task's payload for each kind of row that payloads refer to. `addRows` adds the rows. */
function toPayloads(shopId: number) {
  const id = toRowId(shopId);
  return {
    handle_delivery: { deliveryId: id },
    plan_order: { storefrontOrderId: id },
    submit_print_order: { printOrderId: id },
    backfill: { backfillId: id },
    make_new_product: { newProductId: id },
    keep_variants: { shopId },
  } satisfies Partial<TaskPayloads>;
}

test('all jobs of a shop with a backlog come after the first job of every kind of another shop', async () => {
  const [big, small] = [await addShop(app.db), await addShop(app.db)];
  for (const { id } of [big, small]) await addRows(id);
  const tasks = Object.keys(toPayloads(1)) as (keyof ReturnType<typeof toPayloads>)[];
  for (const task of tasks) {
    setReadyJobs([[String(big.id), 64]]);
    await enqueue(app.db, task, toPayloads(big.id)[task], { waitSeconds: 0, storefrontOrderId: toRowId(big.id) });
    setReadyJobs([]);
    await enqueue(app.db, task, toPayloads(small.id)[task], { waitSeconds: 0, storefrontOrderId: toRowId(small.id) });
  }
  const jobs = await listJobs();
  const levelsOf = (shop: number) =>
    Object.fromEntries(jobs.filter((job) => job.shop === String(shop)).map(({ task, level }) => [task, level]));
  expect(levelsOf(big.id)).toEqual(Object.fromEntries(tasks.map((task) => [task, 3])));
  expect(levelsOf(small.id)).toEqual(Object.fromEntries(tasks.map((task) => [task, 0])));
});

test('deliveries of a shop that sends many are handled after deliveries of other shops', async () => {
  const [big, small] = [await addShop(app.db), await addShop(app.db)];
  const receive = (shopId: number, dedupeKey: string) =>
    receiveDelivery(app, {
      source: 'shopify',
      shopId,
      dedupeKey,
      topic: 'orders/create',
      eventId: null,
      resourceIds: {},
      body: null,
      bodySha256: '',
      occurredAt: null,
      receivedAt: new Date(),
      result: null,
    });
  for (let number = 0; number < 70; number += 1) await receive(big.id, String(number));
  await receive(small.id, 'one');
  const shops = (await listJobs()).map(({ shop }) => shop);
  expect(shops).toHaveLength(71);
  expect(shops.indexOf(String(small.id))).toBeLessThan(10);
});

test('a shop’s deliveries are handled before its orders, and its orders before its readings and bulk work', async () => {
  const shop = await addShop(app.db);
  for (let number = 0; number < 3; number += 1) {
    for (const priority of [BULK, 5, 0, -1])
      await enqueue(
        app.db,
        'read_product',
        { shopId: shop.id, shopifyProductId: String(number) },
        { priority, key: `${number} ${priority}` },
      );
  }
  await levelJobs(pool);
  expect((await listJobs()).map((job) => job.class)).toEqual([-1, -1, -1, 0, 0, 0, 5, 5, 5, 10, 10, 10]);
});
