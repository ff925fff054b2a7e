import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { findAppProblems, type AppFacts } from '../../../../src/cli/doctor/find/find-app-problems.ts';
import { findConfigurationProblems } from '../../../../src/cli/doctor/find/find-configuration-problems.ts';
import {
  findDatabaseProblems,
  findMigrationProblems,
  type DatabaseFacts,
} from '../../../../src/cli/doctor/find/find-database-problems.ts';
import { findDiskProblems, type DiskFacts } from '../../../../src/cli/doctor/find/find-disk-problems.ts';
import { findKeyProblems } from '../../../../src/cli/doctor/find/find-key-problems.ts';
import { findPollProblems, findQueueProblems } from '../../../../src/cli/doctor/find/find-queue-problems.ts';
import { findShopProblems, type ShopFacts } from '../../../../src/cli/doctor/find/find-shop-problems.ts';
import type { Finding } from '../../../../src/cli/doctor/finding.ts';
import { parseAppFile } from '../../../../src/cli/doctor/gather/read-app-facts.ts';
import { installScopes } from '../../../../src/shopify/auth/access-scopes.ts';

/** Returns the level and the subject of each finding. */
const summarize = (findings: Finding[]): string[] => findings.map(({ level, subject }) => `${level} ${subject}`);

describe('PostgreSQL', () => {
  const healthy: DatabaseFacts = {
    version: 170_004,
    maxConnections: 100,
    reservedConnections: 3,
    usedConnections: 40,
    allowedConnections: null,
    isReadOnly: false,
    lack: null,
    encoding: 'UTF8',
    dateStyle: 'ISO, MDY',
    isolation: 'read committed',
    durability: { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' },
  };
  const durable = healthy.durability;
  test.each<[Partial<DatabaseFacts>, string]>([
    [{}, 'ok PostgreSQL'],
    [{ version: 140_011 }, 'error version'],
    [{ usedConnections: 67 }, 'warning max_connections'],
    [{ allowedConnections: 20 }, 'warning max_connections'],
    [{ isReadOnly: true }, 'error transaction_read_only'],
    [{ encoding: 'LATIN1' }, 'error server_encoding'],
    [{ dateStyle: 'German, DMY' }, 'error DateStyle'],
    [{ isolation: 'serializable' }, 'error default_transaction_isolation'],
    [{ durability: { ...durable, fsync: 'off' } }, 'error fsync'],
    [{ durability: { ...durable, full_page_writes: 'off' } }, 'error full_page_writes'],
    [{ durability: { ...durable, synchronous_commit: 'off' } }, 'error synchronous_commit'],
    [{ durability: { ...durable, synchronous_commit: 'local' } }, 'ok PostgreSQL'],
  ])('the facts %o produce the finding "%s"', (change, expected) => {
    expect(summarize(findDatabaseProblems({ ...healthy, ...change }))).toEqual([expected]);
  });

  test('a database without a job queue must be migrated', () => {
    const [finding] = findMigrationProblems({ pending: [], unknown: [], hasQueue: false });
    expect(finding).toMatchObject({ level: 'error', fix: { name: 'migrate' } });
  });
});

describe('the configuration', () => {
  const settings = { isSandbox: false, hasMetricsToken: true, oldKeys: 0, hasOldSecret: false, checksPrintFiles: true };
  const facts = { problems: [], nodeVersion: '24.21.0', settings };
  test.each([
    [facts, ['ok environment']],
    [{ ...facts, nodeVersion: '22.1.0' }, ['error node']],
    [{ ...facts, problems: [{ field: 'PORT', message: 'PORT: is not a port.' }], settings: null }, ['error PORT']],
    [{ ...facts, settings: { ...settings, hasMetricsToken: false } }, ['warning METRICS_TOKEN']],
    [{ ...facts, settings: { ...settings, checksPrintFiles: false } }, ['warning PRINT_FILE_CHECK']],
    [{ ...facts, settings: { ...settings, hasOldSecret: true } }, ['warning SHOPIFY_API_SECRET_OLD']],
    [{ ...facts, settings: { ...settings, isSandbox: true, hasMetricsToken: false } }, ['ok environment']],
  ])('the facts of case %# produce the findings $1', (given, expected) => {
    expect(summarize(findConfigurationProblems(given))).toEqual(expected);
  });
});

describe('the disk', () => {
  const BYTES_PER_MIB = 1024 * 1024;
  const healthy: DiskFacts = {
    home: '/data',
    freeBytes: 5_000 * BYTES_PER_MIB,
    isWritable: true,
    spoolBytes: 0,
    oldestSeconds: null,
    setAsideEvents: 0,
  };
  test.each<[Partial<DiskFacts>, string[]]>([
    [{}, ['ok PLATEN_HOME']],
    [{ freeBytes: 0, isWritable: false }, ['error PLATEN_HOME']],
    [{ freeBytes: 970 * BYTES_PER_MIB }, ['ok PLATEN_HOME']],
    [{ freeBytes: 400 * BYTES_PER_MIB }, ['warning PLATEN_HOME']],
    [{ freeBytes: 100 * BYTES_PER_MIB }, ['error PLATEN_HOME']],
    [{ spoolBytes: 900, oldestSeconds: 20 }, ['ok PLATEN_HOME']],
    [{ spoolBytes: 900, oldestSeconds: 900 }, ['warning spool']],
    [{ setAsideEvents: 3 }, ['warning set-aside.jsonl']],
  ])('the facts %o produce the findings %j', (change, expected) => {
    expect(summarize(findDiskProblems({ ...healthy, ...change }))).toEqual(expected);
  });
});

test('a column with too many values to check in full causes a warning', () => {
  const column = { name: 'print_orders.body_encrypted', checked: 20_000, unreadable: 0, isComplete: false };
  expect(summarize(findKeyProblems({ problem: null, columns: [column], oldKeys: 0 }))).toEqual([
    `warning ${column.name}`,
  ]);
});

test('a job that has been due for half an hour is an error', () => {
  const facts = { runners: 1, due: 9, failedJobs: 0, failedTasks: [] };
  expect(summarize(findQueueProblems({ ...facts, oldestSeconds: 290 }))).toEqual(['ok jobs']);
  expect(summarize(findQueueProblems({ ...facts, oldestSeconds: 2_000 }))).toEqual(['error age']);
});

describe('the polls', () => {
  const pass = (name: string, lastSuccess: number | null) => ({ pass: name, shop: null, lastSuccess, lastFound: 0 });
  test.each([
    [{ passes: [], installedSeconds: null }, ['ok polls']],
    [{ passes: [], installedSeconds: 7_200 }, ['warning polls']],
    [{ passes: [pass('catch_up_packages', null)], installedSeconds: 7_200 }, ['warning catch_up_packages']],
    [{ passes: [pass('catch_up_store_products', 7_200)], installedSeconds: 90_000 }, ['ok polls']],
    [{ passes: [pass('check_stuck', 100_000)], installedSeconds: 900_000 }, ['ok polls']],
    [{ passes: [pass('check_stuck', 200_000)], installedSeconds: 900_000 }, ['warning check_stuck']],
  ])('the facts of case %# produce the findings $1', (facts, expected) => {
    expect(summarize(findPollProblems(facts))).toEqual(expected);
  });
});

describe('the app at Shopify', () => {
  const file = readFileSync(new URL('../../../../shopify.app.toml', import.meta.url), 'utf8');
  const own = file.replace(/client_id = "0+"/, 'client_id = "0123456789abcdef0123456789abcdef"');
  const facts = (text: string): AppFacts => ({
    apiVersion: '2026-10',
    now: new Date('2026-12-01'),
    apiKey: '0123456789abcdef0123456789abcdef',
    appUrl: 'https://platen.example.com',
    scopes: installScopes,
    file: parseAppFile(text),
  });

  test('an operator’s file that agrees with the environment has no problems, and a file with the placeholder is not compared', () => {
    expect(findAppProblems(facts(own))[0]?.message).toContain('shopify.app.toml agrees with the environment.');
    expect(parseAppFile(file)).toBeNull();
    expect(summarize(findAppProblems(facts(file)))).toEqual(['ok Shopify']);
  });

  test.each([
    ['0123456789abcdef0123', 'ffff456789abcdef0123', 'client_id'],
    [
      'application_url = "https://platen.example.com"',
      'application_url = "https://old.example.com"',
      'application_url',
    ],
    ['https://platen.example.com/auth/callback', 'https://old.example.com/auth/callback', 'redirect_urls'],
    ['read_orders,', '', 'scopes'],
    ['api_version = "2026-10"', 'api_version = "2026-01"', 'api_version'],
    ['"orders/paid", ', '', 'webhooks'],
  ])('a file that differs from the environment in $2 causes an error', (from, to, name) => {
    expect(own).toContain(from);
    expect(summarize(findAppProblems(facts(own.replace(from, to))))).toEqual([`error shopify.app.toml: ${name}`]);
  });

  test('an API version is a warning shortly before its support ends, and an error afterward', () => {
    const at = (day: string) => summarize(findAppProblems({ ...facts(file), now: new Date(day) }));
    expect(at('2027-06-25')).toEqual(['ok Shopify']);
    expect(at('2027-08-01')).toEqual(['warning API version']);
    expect(at('2027-10-05')).toEqual(['error API version']);
  });
});

describe('a shop', () => {
  const none = { answered: 0, failed: 0, durations: [], lastAt: null };
  const healthy: ShopFacts = {
    shopId: 1,
    domain: 'demo.myshopify.com',
    accountId: 1,
    token: 'works',
    printKey: { answer: 'accepted', message: '' },
    subscriptions: [],
    hasService: true,
    callbacks: { webhook: none, event: none, rates: none },
    connections: {
      store: {
        domain: 'demo.myshopify.com',
        installedAt: new Date(0),
        refusedAt: null,
        fencedOffAt: null,
        editRequestsHiddenAt: null,
        missingScopes: [],
      },
      printAccount: { state: 'working', refusedAt: null, paymentRefusedAt: null, message: null, waitingForPayment: 0 },
      printAddressMadeAt: new Date(0),
      silent: { shopify: null, print: null },
      settingsWithoutScope: [],
      rates: null,
    },
  };
  const { connections } = healthy;

  test.each<[string, Partial<ShopFacts>, string]>([
    ['a healthy shop', {}, 'The store and the print service accept Platen. Last webhook: none in the last week.'],
    [
      'a shop whose fulfillment service was deleted',
      { hasService: false },
      "Platen's fulfillment service was deleted in the store, so the store requests no fulfillment from Platen.",
    ],
    [
      'a shop with webhook subscriptions that were created through the API',
      { subscriptions: [{ topic: 'ORDERS_PAID', apiVersion: '2025-01' }] },
      'The store has webhook subscriptions that were created through the API: ORDERS_PAID (2025-01).',
    ],
    [
      'a shop that gets no events',
      { connections: { ...connections, silent: { shopify: null, print: new Date(0) } } },
      'No event from the print service has arrived since 1970-01-01T00:00:00.000Z',
    ],
    [
      "a shop that does not show the buyers' requests",
      { connections: { ...connections, store: { ...connections.store, editRequestsHiddenAt: new Date(0) } } },
      'Since 1970-01-01T00:00:00.000Z, the store has refused to show whether buyers have requested to remove items.',
    ],
    [
      'a shop without a print account',
      { accountId: null, connections: { ...connections, printAccount: null } },
      'The shop has no print account',
    ],
    [
      'a shop with a setting whose permission is missing',
      { connections: { ...connections, settingsWithoutScope: [{ setting: 'tagsOrders', scope: 'write_orders' }] } },
      'The setting tagsOrders has no effect',
    ],
    [
      'a shop with webhooks that Platen could not answer',
      { callbacks: { ...healthy.callbacks, webhook: { ...none, answered: 90, failed: 10 } } },
      'Platen could not answer 10 of 100 webhooks from the store in the last week.',
    ],
    [
      'a shop without a carrier service',
      { connections: { ...connections, rates: { problem: null, isRegistered: false, hasFallback: true } } },
      'liveRates is on, but Platen is not registered',
    ],
  ])('%s has one finding with the expected message', (_title, change, message) => {
    const found = findShopProblems({ ...healthy, ...change });
    expect(found).toHaveLength(1);
    expect(found[0]?.message).toContain(message);
    expect(found[0]?.remedy === null).toBe(found[0]?.level === 'ok');
  });
});
