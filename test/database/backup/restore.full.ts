import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connectDatabase } from '../../../src/database/connect.ts';
import { migrate } from '../../../src/database/migrate.ts';
import { StorefrontOrders } from '../../../src/database/entities/orders.ts';
import { migrateQueue } from '../../../src/jobs/migrate-queue.ts';
import { addShop } from '../../http/test-app.ts';
import { createEmptyDatabase } from '../empty-database.ts';
import { app, backUp, file, folder, query, restore, rewrite, tablesIn, testBackups } from './test-backups.ts';

testBackups();

test('all rows of a backup come from one snapshot, even if rows are added during the backup', async () => {
  let isDone = false;
  const adding = (async () => {
    const shop = await addShop(app.db, 'busy.myshopify.com');
    for (let number = 0; !isDone; number += 1) {
      await app.db.transaction(async (manager) => {
        const at = { shopId: shop.id, name: '#1', placedAt: new Date() };
        const shopifyOrderId = `gid://shopify/Order/busy-${number}`;
        const { identifiers } = await manager.getRepository(StorefrontOrders).insert({ ...at, shopifyOrderId });
        await manager.query(
          `insert into timeline_entries (shop_id, storefront_order_id, kind, message) values ($1, $2, 'busy', '')`,
          [shop.id, identifiers[0]?.['id']],
        );
      });
    }
  })();
  const files = [0, 1, 2].map((number) => join(folder, `${number}.sql.gz`));
  for (const file of files) await backUp(app.databaseUrl, file);
  isDone = true;
  await adding;
  for (const file of files) {
    const url = await createEmptyDatabase();
    await restore(url, file);
    expect(
      await query(
        url,
        `select (select count(*) from storefront_orders where shopify_order_id like '%busy%')
           = (select count(*) from timeline_entries where kind = 'busy') as "isWhole"`,
      ),
    ).toEqual([{ isWhole: true }]);
  }
});

test('a backup from before a migration is restored unchanged, and the migration runs afterward', async () => {
  const old = await createEmptyDatabase();
  const db = await connectDatabase({ url: old, poolSize: 1 });
  await migrate(db);
  await migrateQueue(old);
  const [last] = [...db.migrations].reverse();
  const runner = db.createQueryRunner();
  await last?.down(runner);
  await runner.query('delete from migrations where name = $1', [last?.name]);
  await runner.release();
  await db.destroy();
  await backUp(old, file);
  const url = await createEmptyDatabase();
  await restore(url, file);
  const restored = await connectDatabase({ url, poolSize: 1 });
  onTestFinished(() => restored.destroy());
  expect(await migrate(restored)).toEqual([last?.name]);
});

test('the restore of a backup with wrong row counts, columns or values is rolled back', async () => {
  await backUp(app.databaseUrl, file);
  const whole = await readFile(file);
  const url = await createEmptyDatabase();
  await rewrite(file, (text) => text.replace('"public.shops":', '"public.shops":9'));
  await expect(restore(url, file)).rejects.toThrow(/public\.shops has \d+ rows instead of/);
  writeFileSync(file, whole);
  await rewrite(file, (text) =>
    text.replace(/^COPY public\.job_runners \(.*\)/m, 'COPY public.job_runners (lock_key)'),
  );
  await expect(restore(url, file)).rejects.toThrow(/job_runners has different columns in the backup/);
  writeFileSync(file, whole);
  await rewrite(file, (text) => text.replace('\tinstalled\t', '\tvanished\t'));
  await expect(restore(url, file)).rejects.toThrow(/nothing was restored: .*violates check constraint/);
  expect(await tablesIn(url)).toEqual([]);
});
