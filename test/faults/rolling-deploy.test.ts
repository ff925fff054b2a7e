import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const MIGRATIONS = join(import.meta.dirname, '../../migrations');
const SOURCES = join(import.meta.dirname, '../../src');
/** The migration that creates all tables. No previous version is running during this migration. */
const FIRST = '1795000000140-create-tables.ts';

/** Columns that the previous version no longer used when a migration dropped them (docs/decisions/0039-columns-leave-in-two-steps.md). */
const UNUSED = ['service_comment', 'service_comment_status'];

/** Changes that break the previous version of the code while it is still running. */
const BREAKING: [what: string, pattern: RegExp][] = [
  ['removes a table, a column or a function', /\bdrop\s+(table|column|function|view|type)\b/i],
  ['renames something', /\brename\b/i],
  [
    'removes a constraint or index that the previous code may use in "on conflict"',
    /\bdrop\s+(constraint\s+\w+_(pkey|key)|index)\b/i,
  ],
  ['changes the type of a column', /\balter\s+column\s+\w+\s+(set\s+data\s+)?type\b/i],
  ['requires a column that was not required', /\balter\s+column\s+\w+\s+set\s+not\s+null\b/i],
  [
    'adds a column that the previous code would have to fill',
    /\badd\s+column\s+\w+\s+(?![^,;]*\bdefault\b)[^,;]*\bnot\s+null\b/i,
  ],
];

/**
 * Returns the source of the migration's `up` method without harmless changes: the removal of unused columns, renamed indexes, and renamed
 * tables whose old name becomes a view.
 */
function forward(text: string): string {
  const up = text.slice(text.indexOf('async up('), text.indexOf('async down('));
  return withoutKeptNames(up).replaceAll(/\bdrop column (\w+)/g, (drop, column: string) =>
    UNUSED.includes(column) ? '' : drop,
  );
}

function withoutKeptNames(sql: string): string {
  return sql
    .replaceAll(/\balter index \w+ rename to \w+/g, '')
    .replaceAll(/\balter table (\w+) rename to \w+/g, (rename, table: string) =>
      new RegExp(`\\bcreate view ${table} as\\b`).test(sql) ? '' : rename,
    );
}

const migrations = readdirSync(MIGRATIONS)
  .filter((name) => name > FIRST)
  .toSorted();

test.each(migrations)('the migration %s makes no change that breaks the previous version', (name) => {
  const sql = forward(readFileSync(join(MIGRATIONS, name), 'utf8'));
  expect(sql).not.toBe('');
  expect(BREAKING.filter(([, pattern]) => pattern.test(sql)).map(([what]) => what)).toEqual([]);
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
  expect(BREAKING.some(([, pattern]) => pattern.test(withoutKeptNames(sql)))).toBe(true);
});

test.each([
  'alter table shops add column plan text;',
  "alter table shops add column plan text not null default '';",
  'alter table shops rename to stores; create view shops as select * from stores;',
])('the check accepts the migration: %s', (sql) => {
  expect(BREAKING.some(([, pattern]) => pattern.test(withoutKeptNames(sql)))).toBe(false);
});
