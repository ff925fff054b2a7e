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
 * What a migration does with a table's rows while it holds the lock: nothing, it reads them all, it may write them, or it rewrites the
 * table. `none` takes milliseconds, whatever the table's size.
 */
export type Work = 'none' | 'reads' | 'writes' | 'rewrites';

/** A migration with what an operator must know before it runs. Tests measure `effects` in a real database. */
export interface DescribedMigration extends MigrationInterface {
  name: string;
  /** One sentence for operators. */
  about: string;
  /** The strongest lock on each table that existed before the migration, and the work. */
  effects: Readonly<Record<string, { lock: Lock; work: Work }>>;
  /**
   * If set, the migration removes what only versions without this earlier migration still use. While such a version runs, it would fail.
   * Otherwise, processes of any version that the database is ready for keep working.
   */
  breaksVersionsBefore?: string;
}
