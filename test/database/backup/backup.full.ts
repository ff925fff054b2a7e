import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { connectDatabase } from '../../../src/database/connect.ts';
import { migrate } from '../../../src/database/migrate.ts';
import { enqueue } from '../../../src/jobs/enqueue.ts';
import { QUEUE_MIGRATION } from '../../../src/jobs/migrate-queue.ts';
import { addShop } from '../../http/test-app.ts';
import { createEmptyDatabase } from '../empty-database.ts';
import {
  app,
  backUp,
  contentOf,
  file,
  folder,
  query,
  restore,
  rewrite,
  tablesIn,
  testBackups,
} from './test-backups.ts';

testBackups();

test('a restored database has the same rows, tables and sequences, and accepts new rows', async () => {
  const written = await backUp(app.databaseUrl, file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['a.sql.gz']);
  const url = await createEmptyDatabase();
  expect(await restore(url, file, { isDryRun: true })).toMatchObject({ rows: written.rows });
  expect(await tablesIn(url)).toEqual([]);
  const { header, skipped } = await restore(url, file);
  expect(header).toMatchObject({ platen: '9.9.9', createdAt: written.createdAt });
  expect(skipped).toEqual([]);
  expect(await contentOf(url)).toEqual(await contentOf(app.databaseUrl));
  const restored = await connectDatabase({ url, poolSize: 1 });
  onTestFinished(() => restored.destroy());
  expect(await migrate(restored)).toEqual([]);
  await addShop(restored, 'new.myshopify.com');
  await enqueue(restored, 'plan_order', { storefrontOrderId: '1' });
});

test('a truncated backup is refused, regardless of where it ends', async () => {
  const { bytes } = await backUp(app.databaseUrl, file);
  const whole = await readFile(file);
  const url = await createEmptyDatabase();
  for (const length of [0, 5, 50, Math.floor(bytes / 2), bytes - 9, bytes - 1]) {
    writeFileSync(file, whole.subarray(0, length));
    await expect(restore(url, file), String(length)).rejects.toMatchObject({
      code: expect.stringMatching(/^(backup_damaged|not_a_backup)$/),
    });
  }
  // The end of the text is missing, but the gzip file is complete.
  const text = gunzipSync(whole);
  for (const length of [100, Math.floor(text.length / 2), text.length - 20]) {
    writeFileSync(file, gzipSync(text.subarray(0, length)));
    await expect(restore(url, file)).rejects.toMatchObject({
      code: expect.stringMatching(/^(backup_damaged|not_a_backup)$/),
    });
  }
  expect(await tablesIn(url)).toEqual([]);
});

test('a backup with a changed byte is refused', async () => {
  const { bytes } = await backUp(app.databaseUrl, file);
  const whole = await readFile(file);
  const url = await createEmptyDatabase();
  for (let at = 40; at < bytes; at += Math.ceil(bytes / 25)) {
    const changed = Buffer.from(whole);
    changed[at] = (changed[at] ?? 0) ^ 0x10;
    writeFileSync(file, changed);
    await expect(restore(url, file), String(at)).rejects.toMatchObject({
      code: expect.stringMatching(/^(backup_damaged|not_a_backup)$/),
    });
  }
  // The gzip file is valid, so only the backup's own checksum can detect the change.
  const text = gunzipSync(whole).toString('latin1').replace('#1001', '#1002');
  writeFileSync(file, gzipSync(Buffer.from(text, 'latin1')));
  await expect(restore(url, file)).rejects.toThrow(/checksum does not match/);
  expect(await tablesIn(url)).toEqual([]);
});

test('a backup from a newer version, or from another queue version, is refused before anything is written', async () => {
  await backUp(app.databaseUrl, file);
  const whole = await readFile(file);
  const url = await createEmptyDatabase();
  await rewrite(file, (text) => text.replace('"migrations":[', '"migrations":["AddWings9999999999999",'));
  await expect(restore(url, file)).rejects.toThrow(/AddWings9999999999999.*Restore it with Platen 9\.9\.9 or newer/);
  writeFileSync(file, whole);
  await rewrite(file, (text) => text.replace('"format":1', '"format":2'));
  await expect(restore(url, file)).rejects.toThrow(/newer version of Platen/);
  writeFileSync(file, whole);
  await expect(restore(url, file, { queueMigration: QUEUE_MIGRATION + 1 })).rejects.toThrow(
    /Restore the backup with Platen 9\.9\.9, and then upgrade/,
  );
  expect(await tablesIn(url)).toEqual([]);
});

test('a restore into a database that is not empty is refused and changes nothing', async () => {
  await backUp(app.databaseUrl, file);
  const before = await contentOf(app.databaseUrl);
  await expect(restore(app.databaseUrl, file)).rejects.toMatchObject({ code: 'database_not_empty' });
  expect(await contentOf(app.databaseUrl)).toEqual(before);
  const url = await createEmptyDatabase();
  await query(url, 'create table kept (value int)');
  await expect(restore(url, file)).rejects.toThrow(/the table kept.*new, empty database/);
  expect(await tablesIn(url)).toEqual([{ schemaname: 'public', tablename: 'kept' }]);
});

test('a backup never replaces an existing file', async () => {
  writeFileSync(file, 'mine');
  await expect(backUp(app.databaseUrl, file)).rejects.toMatchObject({ code: 'backup_exists' });
  expect(await readFile(file, 'utf8')).toBe('mine');
});
