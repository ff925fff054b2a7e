import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findBreakingChanges } from '../database/upgrade/find-breaking-changes.ts';

const MIGRATIONS = join(import.meta.dirname, '../../migrations');
const SOURCES = join(import.meta.dirname, '../../src');
/** The migration that creates all tables. No previous version is running during this migration. */
const FIRST = '1795000000140-create-tables.ts';

/** Columns that the previous version no longer used when a migration dropped them (docs/decisions/0039-columns-leave-in-two-steps.md). */
const UNUSED = ['service_comment', 'service_comment_status'];

/** Returns the source of the migration's `up` method, without the removal of unused columns. */
function forward(text: string): string {
  const up = text.slice(text.indexOf('async up('), text.indexOf('async down('));
  return up.replaceAll(/\bdrop column (\w+)/g, (drop, column: string) => (UNUSED.includes(column) ? '' : drop));
}

const migrations = readdirSync(MIGRATIONS)
  .filter((name) => name > FIRST)
  .toSorted();

test.each(migrations)('the migration %s makes no change that breaks the previous version', (name) => {
  const sql = forward(readFileSync(join(MIGRATIONS, name), 'utf8'));
  expect(sql).not.toBe('');
  expect(findBreakingChanges(sql)).toEqual([]);
});

test.each(UNUSED)('no code uses the dropped column %s', (column) => {
  const using = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .filter((name) => new RegExp(`\\b${column}\\b`).test(readFileSync(join(SOURCES, name), 'utf8')));
  expect(using).toEqual([]);
});

test.each([
  'drop table shops;',
  'alter table shops drop column domain;',
  'alter table shops drop constraint shops_pkey, add primary key (domain);',
  'alter table shops rename column domain to name;',
  'alter table shops rename to stores;',
  'alter table shops rename to stores; create view other as select * from stores;',
  'alter table shops alter column domain type varchar(10);',
  'alter table shops alter column domain set not null;',
  'alter table shops add column plan text not null;',
])('the check detects the breaking migration: %s', (sql) => {
  expect(findBreakingChanges(sql)).toHaveLength(1);
});

test.each([
  'alter table shops add column plan text;',
  "alter table shops add column plan text not null default '';",
  'alter table shops rename to stores; create view shops as select * from stores;',
])('the check accepts the migration: %s', (sql) => {
  expect(findBreakingChanges(sql)).toEqual([]);
});
