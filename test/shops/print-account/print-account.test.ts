import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { App } from '../../../src/app.ts';
import { PrintAccounts } from '../../../src/database/entities/shops.ts';
import {
  findOrCreatePrintAccount,
  markPrintAccountRefused,
  markPrintAccountWorking,
  openPrintAccount,
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

test('a key that is entered many times simultaneously creates one account', async () => {
  const accounts = await Promise.all(Array.from({ length: 8 }, () => findOrCreatePrintAccount(app, 'key-c')));
  expect(new Set(accounts.map(({ id }) => id)).size).toBe(1);
});

test('a print account uses the print service with its own key', async () => {
  const { id } = await findOrCreatePrintAccount(app, 'key-d');
  const used: string[] = [];
  const print: App['print'] = {
    ...app.print,
    withKey: (key, calls) => (used.push(key), app.print.withKey(key, calls)),
  };
  const { account } = await openPrintAccount({ ...app, print }, id, { extendedCalls: true });
  expect(account.id).toBe(id);
  expect(used).toEqual(['key-d']);
  await expect(openPrintAccount(app, 999_999, { extendedCalls: true })).rejects.toThrow(
    /set the shop's printKey again/,
  );
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

test('the encrypted key of an account cannot be decrypted as the key of another account', async () => {
  const one = await findOrCreatePrintAccount(app, 'key-f');
  const other = await findOrCreatePrintAccount(app, 'key-g');
  await app.db.getRepository(PrintAccounts).update({ id: other.id }, { keyEncrypted: one.keyEncrypted });
  await expect(openPrintAccount(app, other.id, { extendedCalls: true })).rejects.toMatchObject({
    code: 'cannot_decrypt',
  });
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

test('marking an account as working resumes no shops if the account was never refused', async () => {
  await app.db.query('delete from graphile_worker._private_jobs');
  await markPrintAccountWorking(app, (await findOrCreatePrintAccount(app, 'key-h')).id);
  expect(await readJobPayloads(app.db, 'resume_shop')).toEqual([]);
});

test('a refused key counts as working again once it is entered again', async () => {
  const shop = await addShop(app.db);
  await changeSettings(app, shop, { printKey: 'key-i' });
  const { id } = await findOrCreatePrintAccount(app, 'key-i');
  await markPrintAccountRefused(app, id, null);
  await changeSettings(app, shop, { printKey: 'key-i' });
  expect(await findAccount(id)).toMatchObject({ state: 'working' });
});
