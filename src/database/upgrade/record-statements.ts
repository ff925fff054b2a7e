import type { QueryRunner } from 'typeorm';
import type { DescribedMigration } from './described-migration.ts';

/** Runs a query in a read-only transaction. */
type Read = (sql: string) => Promise<unknown>;

/**
 * Returns the statements that a migration would run, each on one line, without running them. Only queries run, because a migration may
 * depend on their results.
 */
export async function recordStatements(migration: DescribedMigration, read: Read): Promise<string[]> {
  const statements: string[] = [];
  const recorder = {
    async query(sql: string): Promise<unknown> {
      if (/^\s*select\b/i.test(sql)) return read(sql);
      statements.push(...splitStatements(sql));
      return [];
    },
  };
  // Migrations call only `query`. A test checks this by recording every migration.
  await migration.up(recorder as unknown as QueryRunner);
  return statements;
}

/** Splits SQL at the semicolons that end a line. SQL that contains a function body is not split. */
function splitStatements(sql: string): string[] {
  const parts = sql.includes('$$') ? [sql] : sql.split(/;\s*$/m);
  return parts
    .map((part) =>
      part
        .replaceAll(/^[ \t]*--.*$/gm, '')
        .replaceAll(/\s+/g, ' ')
        .replace(/;\s*$/, '')
        .trim(),
    )
    .filter((part) => part !== '');
}
