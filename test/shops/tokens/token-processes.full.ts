import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { ShopTokens, type Shop } from '../../../src/database/entities/shops.ts';
import { receiveOrder } from '../../../src/orders/intake/receive-order.ts';
import { saveLink } from '../../../src/products/links/save-link.ts';
import { installShop } from '../../../src/shops/install/install.ts';
import { DEMO, openStore, sessionTokenOf, type TestStore } from '../open-store.ts';

const PROCESSES = 3;
const JOBS = 20;
/**
 * The number of concurrent jobs per process. A single shop gets 70 percent of them, so that two processes cannot run all of its jobs at
 * once.
 */
const CONCURRENCY = Math.ceil(JOBS / PROCESSES / 0.7);

let store: TestStore;
let shop: Shop;

beforeEach(async () => {
  store = await openStore();
  shop = await installShop(store.app, { domain: DEMO, sessionToken: sessionTokenOf(DEMO) });
  // Without any print link, an order would be held for a missing link.
  await saveLink(store.app, shop, { sku: 'ANOTHER', productUid: 'mug' });
});

afterEach(() => store.close());

async function startProcess(): Promise<void> {
  const script = fileURLToPath(new URL('./token-process.ts', import.meta.url));
  const { config } = store.app;
  const child = spawn(process.execPath, [script, String(CONCURRENCY)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: store.app.databaseUrl,
      PLATEN_HOME: config.home,
      SHOPIFY_ADMIN_ORIGIN: config.shopify.adminOrigin,
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  for await (const line of createInterface({ input: child.stdout })) {
    expect(line).toBe('ready');
    return;
  }
  throw new Error('a process did not start');
}

/** Places orders in the store, each with a job that reads it. */
async function placeOrders(): Promise<void> {
  const [variant] = (await store.control('/variants')) as { variantId: string }[];
  for (let placed = 0; placed < JOBS; placed += 1) {
    const lines = [{ variantId: variant?.variantId, quantity: 1 }];
    const { id } = (await store.control('/orders', { lines })) as { id: string };
    await receiveOrder(store.app, shop, id);
  }
}

async function countRefreshes(): Promise<number> {
  const counts = (await store.control('/tokens')) as Record<string, Record<string, number>>;
  return counts[DEMO]?.['refresh_token'] ?? 0;
}

async function count(sql: string): Promise<number> {
  const [row]: { count: number }[] = await store.app.db.query(`select count(*)::int as count from ${sql}`);
  return row?.count ?? 0;
}

const countRead = () => count('storefront_orders where read_at is not null');

test('twenty jobs in three processes refresh the same expired token only once', async () => {
  const { db } = store.app;
  await Promise.all(Array.from({ length: PROCESSES }, startProcess));
  await db.manager.update(ShopTokens, { shopId: shop.id }, { expiresAt: new Date(Date.now() - 60_000) });
  await store.control('/tokens/expire', {});
  const holder = db.createQueryRunner();
  await holder.startTransaction();
  await holder.query('select from shop_tokens where shop_id = $1 for update', [shop.id]);
  await placeOrders();
  const running = () => count('graphile_worker._private_jobs where locked_at is not null');
  await expect.poll(running, { timeout: 30_000 }).toBe(JOBS);
  // In each process, only one job waits for the row with the tokens, so all jobs of a process together hold only one database connection.
  const waiting = () =>
    count(
      "pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%shop_tokens%'",
    );
  await expect.poll(waiting, { timeout: 10_000 }).toBe(PROCESSES);
  expect(await countRefreshes()).toBe(0);
  expect(await countRead()).toBe(0);
  await holder.commitTransaction();
  await holder.release();
  await expect.poll(countRead, { timeout: 60_000 }).toBe(JOBS);
  expect(await countRefreshes()).toBe(1);
});

test('no shop loses access after responses to token refreshes are lost', async () => {
  const { db } = store.app;
  await Promise.all(Array.from({ length: PROCESSES }, startProcess));
  const lost = 4;
  await store.control('/faults', [
    { path: `/${DEMO}/admin/oauth`, kind: 'reset', effect: 'done', rate: 1, times: lost },
  ]);
  await db.manager.update(ShopTokens, { shopId: shop.id }, { expiresAt: new Date(Date.now() - 60_000) });
  await store.control('/tokens/expire', {});
  await placeOrders();
  await expect.poll(() => countRefreshes(), { timeout: 60_000 }).toBeGreaterThan(0);
  await expect
    .poll(
      async () => {
        // Jobs that are waiting for the store become due immediately.
        await db.query(`select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs
          where run_at > now() and locked_at is null), run_at => now())`);
        return countRead();
      },
      { timeout: 60_000, interval: 200 },
    )
    .toBe(JOBS);
  expect(await count("shops where state = 'installed'")).toBe(1);
  expect(await count('graphile_worker.jobs where attempts > 1')).toBe(0);
  expect(await db.manager.countBy(StorefrontOrders, { outcome: 'waiting' })).toBe(0);
});
