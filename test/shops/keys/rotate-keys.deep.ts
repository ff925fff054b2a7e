import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { App } from '../../../src/app.ts';
import { decryptColumn, encryptColumn } from '../../../src/database/encrypt-column.ts';
import { encryptedColumns } from '../../../src/database/encrypted-columns.ts';
import { PrintOrders } from '../../../src/database/entities/print-orders.ts';
import { Shops, type Shop } from '../../../src/database/entities/shops.ts';
import { decryptRecipient } from '../../../src/orders/facts/recipient-column.ts';
import { redactOrder } from '../../../src/orders/privacy/redact-order.ts';
import { ensureInstallation, readInstallation } from '../../../src/shops/install/installation.ts';
import { toProcessName } from '../../../src/database/process-name.ts';
import { rotateKeys } from '../../../src/shops/keys/rotate-keys.ts';
import { findOrCreatePrintAccount, readPrintKey } from '../../../src/shops/print-account/print-account.ts';
import { changeSettings, readPrintWebhookHeader } from '../../../src/shops/settings/settings.ts';
import { saveToken } from '../../../src/shops/tokens/tokens.ts';
import { addShop, openTestApp, type OpenTestApp } from '../../http/test-app.ts';
import { addCustomerOrder, decryptPersonalData, recipientOf } from '../../orders/privacy/add-customer-order.ts';

const fresh = { id: 'fe000001', key: randomBytes(32) };
const TOKEN = {
  accessToken: 'access',
  refreshToken: 'refresh',
  scopes: '',
  expiresAt: null,
  refreshTokenExpiresAt: null,
};

let app: OpenTestApp;
/** The same app with a new key and the old key. */
let rotated: App;
/** The same app without the old key. */
let alone: App;
let shop: Shop;

beforeEach(async () => {
  app = await openTestApp();
  rotated = { ...app, config: { ...app.config, encryptionKeys: [fresh, ...app.config.encryptionKeys] } };
  alone = { ...app, config: { ...app.config, encryptionKeys: [fresh] } };
  await ensureInstallation(app);
  shop = await addShop(app.db);
});
afterEach(() => app.close());

async function fillEveryColumn(): Promise<void> {
  const account = await findOrCreatePrintAccount(app, 'print key');
  await app.db.manager.update(Shops, { id: shop.id }, { printAccountId: account.id });
  shop = await app.db.manager.findOneByOrFail(Shops, { id: shop.id });
  await changeSettings(app, shop, { printWebhookHeader: { name: 'X-Secret', value: 'header value' } });
  await saveToken(app, app.db.manager, shop.id, TOKEN);
  await addCustomerOrder(app, shop, 'Ada', 1);
  await addCustomerOrder(app, shop, 'Grace', 2);
}

const oldKeyId = (): string => app.config.encryptionKeys[0]?.id ?? '';
const nameOf = ({ config }: App): string =>
  toProcessName({ version: '1.0.0', keyId: config.encryptionKeys[0]?.id ?? '' });

test('`encryptedColumns` lists every encrypted column of the database', async () => {
  const found: { name: string }[] = await app.db.query(
    `select table_name || '.' || column_name as name from information_schema.columns
     where column_name like '%\\_encrypted' and table_schema = 'public'`,
  );
  expect(found.map(({ name }) => name).toSorted()).toEqual(
    Object.values(encryptedColumns)
      .map(({ table, column }) => `${table}.${column}`)
      .toSorted(),
  );
});

test('after a rotation, every value can be read with the new key alone', async () => {
  await fillEveryColumn();
  const [secrets, sealed] = [await readInstallation(app), await decryptPersonalData(app)];
  const [before]: [{ at: Date }] = await app.db.query('select updated_at as at from shop_tokens');

  const rotation = await rotateKeys(rotated);
  expect(rotation).toEqual({
    reencrypted: 9,
    unreadable: { count: 0, first: [] },
    keys: [
      { keyId: fresh.id, source: 'ENCRYPTION_KEY', values: 9 },
      { keyId: oldKeyId(), source: 'ENCRYPTION_KEYS_OLD', values: 0 },
    ],
  });
  expect(await readInstallation(alone)).toEqual(secrets);
  expect(await decryptPersonalData(alone)).toEqual(sealed);
  expect(await readPrintKey(alone, shop)).toBe('print key');
  const row = await app.db.manager.findOneByOrFail(Shops, { id: shop.id });
  expect(readPrintWebhookHeader(alone, row)).toEqual({ name: 'X-Secret', value: 'header value' });
  const [token]: [{ access: string; refresh: string; at: Date }] = await app.db.query(
    'select access_token_encrypted as access, refresh_token_encrypted as refresh, updated_at as at from shop_tokens',
  );
  expect(decryptColumn([fresh], encryptedColumns.accessToken.toPlace(shop.id), token.access)).toBe('access');
  expect(decryptColumn([fresh], encryptedColumns.refreshToken.toPlace(shop.id), token.refresh)).toBe('refresh');
  // A token counts as renewed only if its value has changed.
  expect(token.at).toEqual(before.at);
  // A second rotation finds nothing to do.
  expect((await rotateKeys(rotated)).reencrypted).toBe(0);
});

test('a dry run counts and checks the values but changes nothing', async () => {
  await fillEveryColumn();
  const rotation = await rotateKeys(rotated, { isDryRun: true });
  expect(rotation).toMatchObject({
    reencrypted: 9,
    keys: [
      { keyId: fresh.id, values: 0 },
      { keyId: oldKeyId(), values: 9 },
    ],
  });
  expect(await decryptPersonalData(app)).toHaveLength(4);
});

test('values that no key can decrypt are reported and do not stop the rotation of the others', async () => {
  await fillEveryColumn();
  const lost = { id: '10570000', key: randomBytes(32) };
  const [one, other] = await app.db.manager.find(PrintOrders, { order: { id: 'ASC' } });
  const place = encryptedColumns.recipient.toPlace(one!.reference);
  await app.db.manager.update(
    PrintOrders,
    { id: one!.id },
    { recipientEncrypted: encryptColumn([lost], place, JSON.stringify(recipientOf('Ada'))), bodyEncrypted: 'damaged' },
  );
  // A value that was copied from another row.
  await app.db.manager.update(PrintOrders, { id: other!.id }, { bodyEncrypted: other!.recipientEncrypted });

  const rotation = await rotateKeys(rotated);
  expect(rotation.reencrypted).toBe(6);
  expect(rotation.unreadable.count).toBe(3);
  expect(rotation.unreadable.first.map(({ table, column, id }) => `${table}.${column} ${id}`)).toEqual([
    `print_orders.recipient_encrypted ${one!.id}`,
    `print_orders.body_encrypted ${one!.id}`,
    `print_orders.body_encrypted ${other!.id}`,
  ]);
  expect(rotation.unreadable.first[0]?.reason).toContain('encrypted with key 10570000: add that key');
  expect(rotation.keys).toEqual([
    { keyId: fresh.id, source: 'ENCRYPTION_KEY', values: 6 },
    { keyId: oldKeyId(), source: 'ENCRYPTION_KEYS_OLD', values: 1 },
    { keyId: lost.id, source: 'missing', values: 1 },
    { keyId: '', source: 'missing', values: 1 },
  ]);
  expect(JSON.stringify(rotation)).not.toContain('Ada');
});

test('a value that is erased or replaced during a rotation is neither restored nor overwritten', async () => {
  await fillEveryColumn();
  const [ada, grace] = await app.db.manager.find(PrintOrders, { order: { id: 'ASC' } });
  const client = new pg.Client({ connectionString: app.databaseUrl });
  await client.connect();
  try {
    // When the rotation reads the values, another process is about to erase one and to replace another.
    await client.query('begin');
    await client.query('update print_orders set recipient_encrypted = null where id = $1', [ada!.id]);
    const place = encryptedColumns.recipient.toPlace(grace!.reference);
    const replaced = encryptColumn(app.config.encryptionKeys, place, JSON.stringify(recipientOf('Joan')));
    await client.query('update print_orders set recipient_encrypted = $2 where id = $1', [grace!.id, replaced]);
    let isCommitted = false;
    const rotation = await rotateKeys(rotated, {
      onProgress({ reencrypted }) {
        // The rotation has skipped the locked rows and has re-encrypted everything else.
        if (reencrypted !== 5 || isCommitted) return;
        isCommitted = true;
        void client.query('commit');
      },
    });
    expect(isCommitted).toBe(true);
    expect(rotation.keys[1]?.values).toBe(0);
  } finally {
    await client.end();
  }
  const [after, other] = await app.db.manager.find(PrintOrders, { order: { id: 'ASC' } });
  expect(after!.recipientEncrypted).toBeNull();
  expect(decryptRecipient(alone, other!)).toEqual(recipientOf('Joan'));
});

test('a customer’s data that is redacted while keys rotate stays redacted', async () => {
  await fillEveryColumn();
  const [orders]: [{ id: string }[], number] = await app.db.query(
    'update storefront_orders set redacted_at = now() returning id',
  );
  await Promise.all([rotateKeys(rotated), ...orders.map(({ id }) => redactOrder(rotated, { storefrontOrderId: id }))]);
  expect(await decryptPersonalData(alone)).toEqual([]);
});

test.each([
  ['another key', () => nameOf(app), () => `encrypts with ${oldKeyId()}`],
  ['a version that does not report its key', () => 'platen', () => 'an earlier version'],
])('nothing changes while a process runs with %s', async (_, name, message) => {
  await fillEveryColumn();
  const process = new pg.Client({ connectionString: app.databaseUrl, application_name: name() });
  await process.connect();
  try {
    await expect(rotateKeys(rotated)).rejects.toMatchObject({
      code: 'key_not_everywhere',
      message: expect.stringContaining(message()),
    });
    expect((await rotateKeys(rotated, { isDryRun: true })).keys[1]?.values).toBe(9);
  } finally {
    await process.end();
  }
  const current = new pg.Client({ connectionString: app.databaseUrl, application_name: nameOf(rotated) });
  await current.connect();
  // The server may still list the closed connection for a moment.
  await expect
    .poll(() =>
      rotateKeys(rotated).then(
        ({ reencrypted }) => reencrypted,
        () => null,
      ),
    )
    .toBe(9);
  await current.end();
});
