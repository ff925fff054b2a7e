import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { findConfigProblems, readConfig } from '../src/config.ts';
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

test('the app starts with only the settings that an operator must provide', () => {
  const config = readConfig(PRODUCTION);
  expect(config.sandbox).toMatchObject({ runsPrint: false, runsStore: false });
  expect(config.print).toMatchObject({ timeoutSeconds: 30, submitDeadlineSeconds: 10, submitQuietSeconds: 900 });
});

describe("the sandbox without the app's credentials", () => {
  const sandbox = { ENCRYPTION_KEY: key() };

  test('the sandbox starts with both stand-ins and an embedded database', () => {
    expect(readConfig(sandbox)).toMatchObject({ databaseUrl: null, sandbox: { runsPrint: true, runsStore: true } });
  });

  test.each(['PRINT_ORDER_URL', 'PRINT_ECOMMERCE_URL', 'PRINT_PRODUCT_URL', 'PRINT_LEGACY_URL'])(
    'the sandbox starts with only the store stand-in if %s is set',
    (name) => {
      const config = readConfig({ ...sandbox, [name]: 'http://127.0.0.1:9999' });
      expect(config.sandbox).toMatchObject({ runsPrint: false, runsStore: true });
    },
  );
});

test.each([
  ['is fetched', PRODUCTION, true],
  ['is not fetched in the sandbox', { ENCRYPTION_KEY: key() }, false],
  ['is not fetched if the store is a stand-in', { ...PRODUCTION, SHOPIFY_API_KEY: '', SHOPIFY_API_SECRET: '' }, false],
  ['is fetched in the sandbox if the check is turned on', { ENCRYPTION_KEY: key(), PRINT_FILE_CHECK: 'on' }, true],
  ['is not fetched if the check is turned off', { ...PRODUCTION, PRINT_FILE_CHECK: 'off' }, false],
])('the print file of a print link %s', (_what, environment, checksPrintFiles) => {
  expect(readConfig(environment)).toMatchObject({ checksPrintFiles });
});

describe('missing and invalid settings', () => {
  test.each<[string, Record<string, string | undefined>, string]>([
    ['without an encryption key', { ENCRYPTION_KEY: undefined }, 'ENCRYPTION_KEY'],
    ['with a key that is too short', { ENCRYPTION_KEY: randomBytes(31).toString('base64') }, 'ENCRYPTION_KEY'],
    ['with an invalid key', { ENCRYPTION_KEY: 'correct horse' }, 'ENCRYPTION_KEY'],
    ['with an invalid old key', { ENCRYPTION_KEYS_OLD: `${key()},x` }, 'ENCRYPTION_KEYS_OLD'],
    ['with the secret of the app but without its API key', { SHOPIFY_API_KEY: undefined }, 'SHOPIFY_API_KEY'],
    ['without the secret of the app', { SHOPIFY_API_SECRET: '' }, 'SHOPIFY_API_SECRET'],
    ['without its own URL', { SHOPIFY_APP_URL: undefined }, 'SHOPIFY_APP_URL'],
    ['with an unencrypted URL of its own', { SHOPIFY_APP_URL: 'http://platen.example' }, 'SHOPIFY_APP_URL'],
    ['with a quiet time shorter than a call may take', { SUBMIT_QUIET_SECONDS: '39' }, 'SUBMIT_QUIET_SECONDS'],
    ['with a deadline longer than the quiet time', { SUBMIT_DEADLINE_SECONDS: '871' }, 'SUBMIT_QUIET_SECONDS'],
    ['with an invalid time', { PRINT_TIMEOUT_SECONDS: '0' }, 'PRINT_TIMEOUT_SECONDS'],
    ['with an invalid URL', { PRINT_ORDER_URL: 'print' }, 'PRINT_ORDER_URL'],
    ['without a print service, although there is a stand-in', { PRINT_ORDER_URL: undefined }, 'PRINT_ORDER_URL'],
    [
      'without the order URL of a print service',
      { PRINT_ORDER_URL: undefined, PRINT_PRODUCT_URL: 'https://print.example' },
      'PRINT_ORDER_URL',
    ],
    ['without a database, although there is an embedded one', { DATABASE_URL: undefined }, 'DATABASE_URL'],
    ['with a misspelled database', { DATABASE_URL: 'embeded' }, 'DATABASE_URL'],
    [
      'with a proxy that would receive tokens unencrypted',
      { SHOPIFY_ADMIN_ORIGIN: 'http://proxy.example/{shop}' },
      'SHOPIFY_ADMIN_ORIGIN',
    ],
    [
      'with an origin of each store that would receive tokens unencrypted',
      { SHOPIFY_ADMIN_ORIGIN: 'http://{shop}' },
      'SHOPIFY_ADMIN_ORIGIN',
    ],
    ['with an unknown role', { ROLE: 'boss' }, 'ROLE'],
    ['with a switch that is neither on nor off', { PRINT_FILE_CHECK: 'no' }, 'PRINT_FILE_CHECK'],
  ])('the app does not start %s, and the error names the setting', (_what, change, field) => {
    const start = (): unknown => readConfig({ ...PRODUCTION, ...change });
    expect(start).toThrow(InvalidInputError);
    expect(start).toThrow(new RegExp(`^${field}`));
    expect(start).not.toThrow(PRODUCTION.ENCRYPTION_KEY);
  });
});

describe('encrypted data', () => {
  const before = readConfig(PRODUCTION);
  const sealed = encryptColumn(before.encryptionKeys, 'shops.key.1', 'secret-1234');

  test('encrypted data can be decrypted after a key rotation while the old key remains configured', () => {
    const rotated = readConfig({
      ...PRODUCTION,
      ENCRYPTION_KEY: key(),
      ENCRYPTION_KEYS_OLD: ` ${PRODUCTION.ENCRYPTION_KEY} ,`,
    });
    expect(decryptColumn(rotated.encryptionKeys, 'shops.key.1', sealed)).toBe('secret-1234');
    const anew = encryptColumn(rotated.encryptionKeys, 'shops.key.1', 'secret-1234');
    expect(() => decryptColumn(before.encryptionKeys, 'shops.key.1', anew)).toThrow('ENCRYPTION_KEYS_OLD');
  });

  test('encrypted data cannot be decrypted with another key, and the error names only the missing key ID', () => {
    const other = readConfig({ ...PRODUCTION, ENCRYPTION_KEY: key() });
    const read = (): string => decryptColumn(other.encryptionKeys, 'shops.key.1', sealed);
    expect(read).toThrow(`encrypted with key ${before.encryptionKeys[0]?.id}`);
    expect(read).not.toThrow('secret-1234');
  });

  test('encrypted data cannot be decrypted in another column or after any character is changed', () => {
    expect(() => decryptColumn(before.encryptionKeys, 'shops.key.2', sealed)).toThrow('does not belong there');
    for (let index = 0; index < sealed.length; index += 1) {
      // The last bits of a Base64 string may be unused.
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

describe('traces', () => {
  const tracingOf = (environment: NodeJS.ProcessEnv) => readConfig({ ...PRODUCTION, ...environment }).tracing;
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' };

  test('nothing is traced without an endpoint, even if other variables of OpenTelemetry are set', () => {
    expect(tracingOf({})).toBeNull();
    expect(tracingOf({ OTEL_SERVICE_NAME: 'shop', OTEL_TRACES_SAMPLER: 'always_on' })).toBeNull();
  });

  test('all orders are traced by default', () => {
    expect(tracingOf({ ...endpoint, ROLE: 'worker' })).toEqual({
      endpoint: 'http://collector:4318',
      headers: {},
      resource: { 'service.name': 'platen', 'service.version': '0.1.0', 'platen.role': 'worker' },
      sampling: 'always_on',
      app: 'key',
    });
  });

  test('headers and attributes are lists with percent-encoded values', () => {
    const tracing = tracingOf({
      ...endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20YWJj=, x-scope = print ',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging,service.name=ignored',
      OTEL_SERVICE_NAME: 'platen-eu',
    });
    expect(tracing?.headers).toEqual({ authorization: 'Basic YWJj=', 'x-scope': 'print' });
    expect(tracing?.resource).toMatchObject({
      'deployment.environment.name': 'staging',
      'service.name': 'platen-eu',
    });
  });

  test.each([
    ['traceidratio', { ratio: 0.25 }],
    ['parentbased_traceidratio', { ratio: 0.25 }],
    ['parentbased_always_off', 'always_off'],
    ['always_on', 'always_on'],
  ])('the sampler %s is supported', (sampler, sampling) => {
    const variables = { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: '0.25' };
    expect(tracingOf({ ...endpoint, ...variables })).toMatchObject({ sampling });
  });

  test.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4317'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'Bearer secret-value'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=%secret-value'],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
  ])('an invalid value of %s is refused without being repeated (%s)', (name, value) => {
    const refusal = () => tracingOf({ ...endpoint, [name]: value });
    expect(refusal).toThrow(name);
    expect(refusal).not.toThrow('secret-value');
  });
});

test.each([
  ['MAIL_FROM', { SMTP_URL: 'smtp://127.0.0.1:2525' }],
  [
    'OTEL_EXPORTER_OTLP_HEADERS',
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_EXPORTER_OTLP_HEADERS: '%' },
  ],
])('the problems of a configuration include %s', (field, environment) => {
  expect(findConfigProblems(environment).map((problem) => problem.field)).toEqual([field]);
});
