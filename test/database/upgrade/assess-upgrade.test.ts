import { expect, test } from 'vitest';
import { assessUpgrade } from '../../../src/database/upgrade/assess-upgrade.ts';
import type { UpgradeState } from '../../../src/database/upgrade/read-upgrade-state.ts';

const now = new Date('2026-11-27T12:00:00Z');
const PENDING: UpgradeState['pending'][number] = {
  name: 'AddWings1795000000999',
  about: 'Adds wings.',
  effects: { shops: { lock: 'ACCESS EXCLUSIVE', work: 'none' }, print_orders: { lock: 'SHARE', work: 'reads' } },
  statements: ['alter table shops add column wings text'],
};
const STATE: UpgradeState = {
  isNew: false,
  postgres: '18.4',
  done: ['CreateTables1795000000140'],
  pending: [PENDING],
  unknown: [],
  isTooOld: false,
  queueMigration: 20,
  tables: {
    shops: { rows: 2, bytes: 16_384, isOwned: true },
    print_orders: { rows: 5_000_000, bytes: 3_000_000_000, isOwned: true },
  },
  mayCreate: true,
  versions: ['1.0.0'],
  workers: 1,
  longTransactions: [],
  backedUpAt: new Date('2026-11-27T03:00:00Z'),
  archivedAt: null,
  now,
};
const assess = (change: Partial<UpgradeState> = {}) =>
  assessUpgrade({ ...STATE, ...change }, { version: '1.1.0', queueMigration: 20 });
const codesOf = (change: Partial<UpgradeState>) => assess(change).findings.map(({ level, code }) => `${level} ${code}`);

test('an upgrade with a recent backup and additive migrations is ready and can be a rolling upgrade', () => {
  const report = assess();
  expect(report).toMatchObject({ result: 'ready', isRollingPossible: true, findings: [] });
  expect(report.migrations).toEqual([
    {
      name: 'AddWings1795000000999',
      about: 'Adds wings.',
      statements: PENDING.statements,
      seconds: 30,
      locks: [
        { table: 'shops', lock: 'ACCESS EXCLUSIVE', blocks: 'reads and writes', work: 'none', rows: 2, bytes: 16_384 },
        {
          table: 'print_orders',
          lock: 'SHARE',
          blocks: 'writes',
          work: 'reads',
          rows: 5_000_000,
          bytes: 3_000_000_000,
        },
      ],
    },
  ]);
});

test('an upgrade that skips the version before a removal cannot be a rolling upgrade', () => {
  const pending = [{ ...PENDING, breaksVersionsBefore: 'StopUsing1795000000500' }];
  expect(codesOf({ pending })).toEqual(['attention skips_a_version']);
  expect(assess({ pending }).isRollingPossible).toBe(false);
  expect(assess({ pending, done: [...STATE.done, 'StopUsing1795000000500'] })).toMatchObject({ result: 'ready' });
});

test('an upgrade with a removal cannot be rolling while processes of several versions run, because the oldest version may still use the removed tables or columns', () => {
  const done = [...STATE.done, 'StopUsing1795000000500'];
  const pending = [{ ...PENDING, breaksVersionsBefore: 'StopUsing1795000000500' }];
  const versions = [null, '1.0.0'];
  expect(assess({ pending, done, versions })).toMatchObject({
    isRollingPossible: false,
    findings: [
      { code: 'several_versions', message: expect.stringContaining(`these migrations remove: ${PENDING.name}`) },
    ],
  });
  expect(assess({ done, versions })).toMatchObject({
    isRollingPossible: true,
    findings: [{ code: 'several_versions' }],
  });
});

test('a missing or old backup and a rollout in progress require attention', () => {
  expect(codesOf({ backedUpAt: null })).toEqual(['attention no_recent_backup']);
  expect(codesOf({ backedUpAt: new Date('2026-11-26T03:00:00Z') })).toEqual(['attention no_recent_backup']);
  expect(codesOf({ backedUpAt: null, archivedAt: new Date('2026-11-27T11:59:00Z') })).toEqual([]);
  expect(codesOf({ versions: ['1.0.0', null] })).toEqual(['attention several_versions']);
});

test.each([
  ['a server that is too old', { postgres: '14.9' }, 'postgres_too_old'],
  ['a database that is too old', { isTooOld: true }, 'database_too_old'],
  ['a database from a newer version', { unknown: ['AddTail1795000001000'] }, 'database_newer'],
  ['a queue from a newer version', { queueMigration: 21 }, 'queue_newer'],
  ['a table with another owner', { tables: { shops: { rows: 0, bytes: 0, isOwned: false } } }, 'no_permission'],
  ['a user that may not create tables', { mayCreate: false }, 'no_permission'],
])('%s blocks the upgrade', (_, change, code) => {
  expect(codesOf(change)).toContain(`blocked ${code}`);
  expect(assess(change)).toMatchObject({ result: 'blocked', isRollingPossible: false });
});
