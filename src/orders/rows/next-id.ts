import type { DataSource, EntityMetadata } from 'typeorm';
import { getPool } from '../../database/get-pool.ts';

/** Number of IDs fetched at a time. Gaps in a sequence are harmless. */
const BLOCK = 50;

const blocks = new WeakMap<DataSource, Map<string, Promise<string[]>>>();

/** Returns a table's next ID, so that rows that refer to a new row can be written in the same statement. */
export async function nextId(db: DataSource, { tableName }: EntityMetadata): Promise<string> {
  const known = blocks.get(db) ?? new Map<string, Promise<string[]>>();
  blocks.set(db, known);
  for (;;) {
    const block = known.get(tableName) ?? fetchBlock(db, tableName);
    known.set(tableName, block);
    const id = await block.then(
      (ids) => ids.shift(),
      (error: unknown) => {
        known.delete(tableName);
        throw error;
      },
    );
    if (id !== undefined) return id;
    if (known.get(tableName) === block) known.delete(tableName);
  }
}

async function fetchBlock(db: DataSource, tableName: string): Promise<string[]> {
  const { rows } = await getPool(db).query<{ id: string }>(
    `select nextval(pg_get_serial_sequence($1, 'id'))::text as id from generate_series(1, $2::int)`,
    [tableName, BLOCK],
  );
  return rows.map(({ id }) => id);
}
