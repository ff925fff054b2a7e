import type pg from 'pg';
import type { DataSource } from 'typeorm';

/** Returns TypeORM's connection pool. Unlike TypeORM, the pool can run named statements, which each connection prepares only once. */
export function getPool(db: DataSource): pg.Pool {
  return (db.driver as unknown as { master: pg.Pool }).master;
}
