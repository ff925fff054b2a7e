import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { receiveDelivery } from '../../src/inbox/receive-delivery.ts';
import { setReadyJobs } from '../../src/jobs/backlogs.ts';
import { enqueue } from '../../src/jobs/enqueue.ts';
import { levelJobs } from '../../src/jobs/runner/level-jobs.ts';
import { BULK, toClassSql, toLevel, toLevelSql, toPriorityLevelSql } from '../../src/jobs/priorities.ts';
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

/** Returns a payload for every task that belongs to a shop. The payloads refer to the rows that `addRows` adds. */
function toPayloads(shopId: number) {
  const id = toRowId(shopId);
  const ofShop = { shopId };
  return {
    handle_delivery: { deliveryId: id },
    plan_order: { storefrontOrderId: id },
    quote_order: { storefrontOrderId: id },
    submit_print_order: { printOrderId: id },
    follow_print_order: { printOrderId: id },
    push_fulfillments: { storefrontOrderId: id },
    update_store: { storefrontOrderId: id },
    sweep_drafts: { printOrderId: id },
    redact_order: { storefrontOrderId: id },
    backfill: { backfillId: id },
    make_new_product: { newProductId: id },
    read_store_product: { shopId, storeId: 'store', storeProductId: 'product' },
    share_store_product: { shopId, storeId: 'store', storeProductId: 'product', after: 0 },
    read_product: { shopId, shopifyProductId: 'gid://shopify/Product/1' },
    check_other_app: ofShop,
    keep_carrier_service: ofShop,
    keep_fulfillment_service: ofShop,
    keep_variants: ofShop,
    leave_store: ofShop,
    clear_store: ofShop,
    resume_shop: ofShop,
    check_print_links: ofShop,
    plan_linked_orders: ofShop,
    read_new_variants: ofShop,
    plan_connected_orders: ofShop,
    write_connections: ofShop,
    catch_up_storefront_orders: ofShop,
    catch_up_fulfillment_requests: ofShop,
    catch_up_store_products: ofShop,
    catch_up_stock: ofShop,
    catch_up_link_metafields: ofShop,
    send_alerts: ofShop,
  } satisfies Partial<TaskPayloads> & Omit<TaskPayloads, ShoplessTask>;
}

/** Tasks that process all shops. At most one job of each task is waiting. */
type ShoplessTask =
  | 'catch_up_print_orders'
  | 'catch_up_uncertain'
  | 'catch_up_packages'
  | 'catch_up_store_updates'
  | 'catch_up_lost_jobs'
  | 'catch_up_shops'
  | 'check_alerts'
  | 'audit_print_accounts'
  | 'check_news'
  | 'check_stuck'
  | 'refresh_tokens'
  | 'remove_old_data'
  | 'check_privacy_requests';

/** Adds jobs of a shop that are ready to run and have no key. */
async function addBacklog(shopId: number, jobs: number): Promise<void> {
  for (let number = 0; number < jobs; number += 1)
    await enqueue(app.db, 'read_product', { shopId, shopifyProductId: String(number) }, { waitSeconds: 0 });
}

test('the code and the database compute the same level for each place in line', async () => {
  const rows: { place: number; level: number }[] = await app.db.query(
    `select place, ${toLevelSql('place')} as level from generate_series(0, 70000) place`,
  );
  expect(rows.filter(({ place, level }) => level !== toLevel(place))).toEqual([]);
  expect([0, 3, 4, 15, 16, 63, 64, 255, 256, 1_499].map(toLevel)).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 5]);
});

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
  expect(shops.indexOf(String(small.id))).toBe(4);
});

test('a shop with few jobs does not wait for shops with many jobs, which share the workers', async () => {
  const [first, second, small] = [await addShop(app.db), await addShop(app.db), await addShop(app.db)];
  await addBacklog(first.id, 40);
  await addBacklog(second.id, 40);
  await addBacklog(small.id, 3);
  const shops = (await listJobs()).map(({ shop }) => Number(shop));
  expect(shops.slice(0, 11).toSorted((one, other) => one - other)).toEqual([
    ...Array.from({ length: 4 }, () => first.id),
    ...Array.from({ length: 4 }, () => second.id),
    ...Array.from({ length: 3 }, () => small.id),
  ]);
  expect(shops.slice(11, 35).filter((shop) => shop === first.id)).toHaveLength(12);
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

test('jobs that become ready together get their levels before a worker claims any of them', async () => {
  const [big, small] = [await addShop(app.db), await addShop(app.db)];
  const runAt = new Date(Date.now() + 60_000);
  for (const { id, jobs } of [
    { id: big.id, jobs: 300 },
    { id: small.id, jobs: 2 },
  ]) {
    for (let number = 0; number < jobs; number += 1)
      await enqueue(app.db, 'read_product', { shopId: id, shopifyProductId: String(number) }, { runAt });
  }
  expect(new Set((await listJobs()).map(({ level }) => level))).toEqual(new Set([0]));
  await app.db.query(`update graphile_worker._private_jobs set run_at = now() - interval '1 minute'`);
  await levelJobs(pool);
  const jobs = await listJobs();
  expect(jobs.slice(0, 6).filter(({ shop }) => shop === String(small.id))).toHaveLength(2);
  const counts = Map.groupBy(jobs, ({ level }) => level);
  expect([...counts].map(([level, { length }]) => [level, length])).toEqual([
    [0, 6],
    [1, 12],
    [2, 48],
    [3, 192],
    [4, 44],
  ]);
  // The counts also apply to jobs that are added later.
  await enqueue(app.db, 'read_product', { shopId: big.id, shopifyProductId: 'one more' }, { waitSeconds: 0 });
  expect((await listJobs()).at(-1)).toMatchObject({ shop: String(big.id), level: 4 });
});

test('the jobs of a backlog move to better levels as the backlog shrinks', async () => {
  const shop = await addShop(app.db);
  await addBacklog(shop.id, 20);
  await app.db.query(
    'delete from graphile_worker._private_jobs where id in (select id from graphile_worker.jobs order by priority, id limit 16)',
  );
  expect((await listJobs()).map(({ level }) => level)).toEqual([2, 2, 2, 2]);
  await levelJobs(pool);
  expect((await listJobs()).map(({ level }) => level)).toEqual([0, 0, 0, 0]);
});

test('leveling skips jobs that are being claimed and does not wait for them', async () => {
  const shop = await addShop(app.db);
  await addBacklog(shop.id, 5);
  await app.db.query('update graphile_worker._private_jobs set priority = 160');
  const client = await pool.connect();
  onTestFinished(async () => {
    await client.query('rollback');
    client.release();
  });
  await client.query('begin');
  await client.query('select from graphile_worker._private_jobs order by id limit 2 for update');
  await levelJobs(pool);
  expect((await listJobs()).map(({ level }) => level).toSorted((one, other) => one - other)).toEqual([0, 0, 1, 10, 10]);
});

test('a replaced job keeps the better of the two levels and the better class', async () => {
  const shop = await addShop(app.db);
  const put = (key: string, priority: number) =>
    enqueue(
      app.db,
      'read_product',
      { shopId: shop.id, shopifyProductId: 'x' },
      { key, priority, waitSeconds: 0, keyMode: 'replace' },
    );
  await put('early', BULK);
  setReadyJobs([[String(shop.id), 300]]);
  await put('late', 0);
  await put('early', 0);
  await put('late', BULK);
  expect(await listJobs()).toMatchObject([
    { key: 'early', level: 0, class: 0 },
    { key: 'late', level: 4, class: 0 },
  ]);
});

test('a poll of all shops runs after order jobs and does not count toward any shop', async () => {
  const shop = await addShop(app.db);
  await enqueue(app.db, 'catch_up_print_orders', {});
  await enqueue(app.db, 'catch_up_storefront_orders', { shopId: shop.id });
  await addRows(shop.id);
  await enqueue(app.db, 'plan_order', { storefrontOrderId: toRowId(shop.id) });
  expect((await listJobs()).map(({ task, shop: of }) => [task, of])).toEqual([
    ['plan_order', String(shop.id)],
    ['catch_up_print_orders', null],
    ['catch_up_storefront_orders', String(shop.id)],
  ]);
});
