import type pg from 'pg';
import type { DataSource } from 'typeorm';

/** Returns the pool that TypeORM uses, for statements that the database prepares once under a name. */
export function poolOf(db: DataSource): pg.Pool {
  return (db.driver as unknown as { master: pg.Pool }).master;
}
