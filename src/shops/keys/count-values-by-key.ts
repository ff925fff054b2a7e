import type { App } from '../../app.ts';
import { encryptedColumns, type EncryptedColumn } from '../../database/encrypted-columns.ts';

const BATCH_SIZE = 5_000;

/** The number of values that one key encrypted. */
export interface KeyCount {
  /** The key's ID, which each value contains. Empty for values without a key ID. */
  keyId: string;
  /** The variable that contains the key. `missing`: no variable contains it. */
  source: 'ENCRYPTION_KEY' | 'ENCRYPTION_KEYS_OLD' | 'missing';
  values: number;
}

/** Counts the encrypted values of all columns by their key: first the configured keys in order, then missing keys. Scans every row. */
export async function countValuesByKey(app: Pick<App, 'db' | 'config'>): Promise<KeyCount[]> {
  const known = app.config.encryptionKeys.map(({ id }) => id);
  const counts = new Map<string, number>(known.map((keyId) => [keyId, 0]));
  for (const column of Object.values<EncryptedColumn>(encryptedColumns)) {
    for await (const { keyId, values } of countInColumn(app, column))
      counts.set(keyId, (counts.get(keyId) ?? 0) + values);
  }
  return [...counts].map(([keyId, values]) => ({ keyId, source: toSource(known.indexOf(keyId)), values }));
}

function toSource(index: number): KeyCount['source'] {
  if (index === -1) return 'missing';
  return index === 0 ? 'ENCRYPTION_KEY' : 'ENCRYPTION_KEYS_OLD';
}

interface ReadCount {
  keyId: string;
  values: number;
  lastId: string;
  rows: number;
}

/** Counts a limited number of rows per statement, because a statement over millions of rows would exceed its time limit. */
async function* countInColumn(
  { db }: Pick<App, 'db'>,
  { table, column, id }: EncryptedColumn,
): AsyncGenerator<ReadCount> {
  const text = `
    with page as (select ${id} as id, ${column} as value from ${table} where ${id} > $1::bigint order by ${id} limit $2)
    select case when value like 'v1.%' then split_part(value, '.', 2) else '' end as "keyId", count(value)::int as values,
      (select max(id) from page)::text as "lastId", (select count(*) from page)::int as rows
    from page group by 1 order by 1`;
  let after = '0';
  for (;;) {
    const counts: ReadCount[] = await db.query(text, [after, BATCH_SIZE]);
    yield* counts.filter(({ values }) => values > 0);
    const [first] = counts;
    if (!first || first.rows < BATCH_SIZE) return;
    after = first.lastId;
  }
}
