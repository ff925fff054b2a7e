import type { MigrationInterface } from 'typeorm';

/** PostgreSQL's lock modes that Platen's migrations take on tables, from the weakest to the strongest. */
export const LOCKS = [
  'ACCESS SHARE',
  'ROW SHARE',
  'ROW EXCLUSIVE',
  'SHARE',
  'SHARE ROW EXCLUSIVE',
  'ACCESS EXCLUSIVE',
] as const;
export type Lock = (typeof LOCKS)[number];

/**
 * The work that a migration does on a table's rows while it holds the lock: none, reading all rows, writing some rows, or rewriting the
 * whole table. `none` takes milliseconds, regardless of the table's size.
 */
export type Work = 'none' | 'reads' | 'writes' | 'rewrites';

/** A migration, with the facts that an operator must know before running it. Tests measure `effects` in a real database. */
export interface DescribedMigration extends MigrationInterface {
  name: string;
  /** One sentence for operators. */
  about: string;
  /** The strongest lock on each table that existed before the migration, and the work. */
  effects: Readonly<Record<string, { lock: Lock; work: Work }>>;
  /**
   * The name of an earlier migration. Versions without that migration still use objects that this migration removes, so their processes
   * would fail. If absent, running processes of earlier versions keep working.
   */
  breaksVersionsBefore?: string;
}
