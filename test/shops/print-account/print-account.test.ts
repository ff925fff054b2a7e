import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { App } from '../../../src/app.ts';
import { PrintAccounts } from '../../../src/database/entities/shops.ts';
import {
  findOrCreatePrintAccount,
  markPrintAccountRefused,
  markPrintAccountWorking,
  readPrintKey,
} from '../../../src/shops/print-account/print-account.ts';
import { changeSettings } from '../../../src/shops/settings/settings.ts';
import { addShop, readJobPayloads, openTestApp, type TestApp } from '../../http/test-app.ts';
import { atTime } from '../../helpers/at-time.ts';

let app: TestApp;

beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());

function findAccount(id: number) {
  return app.db.getRepository(PrintAccounts).findOneByOrFail({ id });
}

test('shops with the same key share one print account, and shops with other keys have their own accounts', async () => {
  const one = await findOrCreatePrintAccount(app, 'key-a');
  expect((await findOrCreatePrintAccount(app, 'key-a')).id).toBe(one.id);
  expect((await findOrCreatePrintAccount(app, 'key-b')).id).not.toBe(one.id);
});

test('after an encryption key rotation, the same account is found and no longer needs the old key', async () => {
  const before = await findOrCreatePrintAccount(app, 'key-e');
  const fresh = { id: 'fresh', key: randomBytes(32) };
  const rotated: App = { ...app, config: { ...app.config, encryptionKeys: [fresh, ...app.config.encryptionKeys] } };
  expect(await readPrintKey(rotated, { printAccountId: before.id })).toBe('key-e');
  expect((await findOrCreatePrintAccount(rotated, 'key-e')).id).toBe(before.id);
  const alone: App = { ...app, config: { ...app.config, encryptionKeys: [fresh] } };
  expect(await readPrintKey(alone, { printAccountId: before.id })).toBe('key-e');
});

test('a refused account stores the time and reason of the refusal until its key works again, and its shops then resume', async () => {
  const shop = await addShop(app.db);
  await changeSettings(app, shop, { printKey: 'key-h' });
  const { id } = await findOrCreatePrintAccount(app, 'key-h');
  await app.db.query('delete from graphile_worker._private_jobs');

  const since = new Date('2026-11-01T00:00:00Z');
  await markPrintAccountRefused(
    atTime(app, () => since),
    id,
    'No such key',
  );
  await markPrintAccountRefused(app, id, 'Still no such key');
  expect(await findAccount(id)).toMatchObject({ state: 'refused', refusedAt: since, refusedMessage: 'No such key' });

  await markPrintAccountWorking(app, id);
  await markPrintAccountWorking(app, id);
  expect(await findAccount(id)).toMatchObject({ state: 'working', refusedAt: null, refusedMessage: null });
  expect(await readJobPayloads(app.db, 'resume_shop')).toEqual([{ shopId: shop.id }]);
});
