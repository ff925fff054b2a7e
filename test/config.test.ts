import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { decryptColumn, encryptColumn } from '../src/database/encrypt-column.ts';
import { InvalidInputError } from '../src/errors.ts';

const key = () => randomBytes(32).toString('base64');
const PRODUCTION = {
  SHOPIFY_API_KEY: 'key',
  SHOPIFY_API_SECRET: 'secret',
  SHOPIFY_APP_URL: 'https://platen.example',
  PRINT_ORDER_URL: 'https://print.example',
  DATABASE_URL: 'postgres://platen@db.example/platen',
  ENCRYPTION_KEY: key(),
};

test('what an operator has to give is enough', () => {
  const config = readConfig(PRODUCTION);
  expect(config.sandbox).toMatchObject({ runsPrint: false, runsStore: false });
  expect(config.print).toMatchObject({ timeoutSeconds: 30, submitDeadlineSeconds: 10, submitQuietSeconds: 900 });
});

test('a real app has the embedded database when it is asked for by name', () => {
  expect(readConfig({ ...PRODUCTION, DATABASE_URL: 'embedded' }).databaseUrl).toBeNull();
});

describe('without credentials of an app the sandbox starts', () => {
  const sandbox = { ENCRYPTION_KEY: key() };

  test('with both stand-ins and an embedded database', () => {
    expect(readConfig(sandbox)).toMatchObject({ databaseUrl: null, sandbox: { runsPrint: true, runsStore: true } });
  });

  test.each(['PRINT_ORDER_URL', 'PRINT_ECOMMERCE_URL', 'PRINT_PRODUCT_URL', 'PRINT_LEGACY_URL'])(
    'with the stand-in of the store alone beside %s',
    (name) => {
      const config = readConfig({ ...sandbox, [name]: 'http://127.0.0.1:9999' });
      expect(config.sandbox).toMatchObject({ runsPrint: false, runsStore: true });
    },
  );

  test('with both stand-ins though the calls of the Admin API go elsewhere', () => {
    const adminOrigin = 'http://127.0.0.1:9999/{shop}';
    const config = readConfig({ ...sandbox, SHOPIFY_ADMIN_ORIGIN: adminOrigin });
    expect(config).toMatchObject({ sandbox: { runsPrint: true, runsStore: true }, shopify: { adminOrigin } });
  });
});

test.each([
  ['is fetched', PRODUCTION, true],
  ['is left alone in the sandbox', { ENCRYPTION_KEY: key() }, false],
  [
    'is left alone beside a stand-in of the store',
    { ...PRODUCTION, SHOPIFY_API_KEY: '', SHOPIFY_API_SECRET: '' },
    false,
  ],
  ['is fetched in the sandbox if asked for', { ENCRYPTION_KEY: key(), PRINT_FILE_CHECK: 'on' }, true],
  ['is left alone if asked for', { ...PRODUCTION, PRINT_FILE_CHECK: 'off' }, false],
])('the print file of a link %s', (_what, environment, checksPrintFiles) => {
  expect(readConfig(environment)).toMatchObject({ checksPrintFiles });
});

describe('an app does not start', () => {
  test.each<[string, Record<string, string | undefined>, string]>([
    ['without a key to encrypt with', { ENCRYPTION_KEY: undefined }, 'ENCRYPTION_KEY'],
    ['with a key that is too short', { ENCRYPTION_KEY: randomBytes(31).toString('base64') }, 'ENCRYPTION_KEY'],
    ['with a key that is no key', { ENCRYPTION_KEY: 'correct horse' }, 'ENCRYPTION_KEY'],
    ['with an old key that is no key', { ENCRYPTION_KEYS_OLD: `${key()},x` }, 'ENCRYPTION_KEYS_OLD'],
    ['without the key of the app beside its secret', { SHOPIFY_API_KEY: undefined }, 'SHOPIFY_API_KEY'],
    ['without the secret of the app', { SHOPIFY_API_SECRET: '' }, 'SHOPIFY_API_SECRET'],
    ['without its own address', { SHOPIFY_APP_URL: undefined }, 'SHOPIFY_APP_URL'],
    ['on an address in the clear', { SHOPIFY_APP_URL: 'http://platen.example' }, 'SHOPIFY_APP_URL'],
    ['with a quiet time that a call may outlast', { SUBMIT_QUIET_SECONDS: '39' }, 'SUBMIT_QUIET_SECONDS'],
    ['with a deadline that lasts longer than it', { SUBMIT_DEADLINE_SECONDS: '871' }, 'SUBMIT_QUIET_SECONDS'],
    ['with a time that is none', { PRINT_TIMEOUT_SECONDS: '0' }, 'PRINT_TIMEOUT_SECONDS'],
    ['with an address that is none', { PRINT_ORDER_URL: 'print' }, 'PRINT_ORDER_URL'],
    ['without a print service, though a stand-in is at hand', { PRINT_ORDER_URL: undefined }, 'PRINT_ORDER_URL'],
    [
      'without the orders of a print service',
      { PRINT_ORDER_URL: undefined, PRINT_PRODUCT_URL: 'https://print.example' },
      'PRINT_ORDER_URL',
    ],
    ['without a database, though an embedded one is at hand', { DATABASE_URL: undefined }, 'DATABASE_URL'],
    ['with a database that is misspelled', { DATABASE_URL: 'embeded' }, 'DATABASE_URL'],
    ['with tokens in the clear', { SHOPIFY_ADMIN_ORIGIN: 'http://proxy.example/{shop}' }, 'SHOPIFY_ADMIN_ORIGIN'],
    ['with tokens in the clear to each store', { SHOPIFY_ADMIN_ORIGIN: 'http://{shop}' }, 'SHOPIFY_ADMIN_ORIGIN'],
    ['in a role that is none', { ROLE: 'boss' }, 'ROLE'],
    ['with a switch that is neither on nor off', { PRINT_FILE_CHECK: 'no' }, 'PRINT_FILE_CHECK'],
  ])('%s, and says which setting it is', (_what, change, field) => {
    const start = (): unknown => readConfig({ ...PRODUCTION, ...change });
    expect(start).toThrow(InvalidInputError);
    expect(start).toThrow(new RegExp(`^${field}`));
    expect(start).not.toThrow(PRODUCTION.ENCRYPTION_KEY);
  });
});

describe('what is encrypted', () => {
  const before = readConfig(PRODUCTION);
  const sealed = encryptColumn(before.encryptionKeys, 'shops.key.1', 'secret-1234');

  test('is read after the key was rotated, while the old one is given', () => {
    const rotated = readConfig({
      ...PRODUCTION,
      ENCRYPTION_KEY: key(),
      ENCRYPTION_KEYS_OLD: ` ${PRODUCTION.ENCRYPTION_KEY} ,`,
    });
    expect(decryptColumn(rotated.encryptionKeys, 'shops.key.1', sealed)).toBe('secret-1234');
    const anew = encryptColumn(rotated.encryptionKeys, 'shops.key.1', 'secret-1234');
    expect(() => decryptColumn(before.encryptionKeys, 'shops.key.1', anew)).toThrow('ENCRYPTION_KEYS_OLD');
  });

  test('is not read under another key, which the error names by its id alone', () => {
    const other = readConfig({ ...PRODUCTION, ENCRYPTION_KEY: key() });
    const read = (): string => decryptColumn(other.encryptionKeys, 'shops.key.1', sealed);
    expect(read).toThrow(`encrypted with key ${before.encryptionKeys[0]?.id}`);
    expect(read).not.toThrow('secret-1234');
  });

  test('is not read in another place, nor with any one character changed', () => {
    expect(() => decryptColumn(before.encryptionKeys, 'shops.key.2', sealed)).toThrow('does not belong there');
    for (let index = 0; index < sealed.length; index += 1) {
      // The last bits of a base64 text may say nothing.
      const changed = `${sealed.slice(0, index)}${sealed[index] === 'A' ? 'B' : 'A'}${sealed.slice(index + 1)}`;
      let read = '';
      try {
        read = decryptColumn(before.encryptionKeys, 'shops.key.1', changed);
      } catch (error) {
        expect(error).toMatchObject({ code: 'cannot_decrypt' });
        continue;
      }
      expect({ index, read }).toEqual({ index: sealed.length - 1, read: 'secret-1234' });
    }
  });
});
