import type { DataSource } from 'typeorm';

interface ForeignKey {
  table: string;
  column: string;
  parent: string;
  parentColumn: string;
}

/** The rows of each table, as JSON. */
type Rows = Record<string, string[]>;

/**
 * Returns all rows of a shop in all tables, as JSON. The foreign keys show which rows belong to the shop, so that a new table is included
 * automatically. Print accounts are included if only this shop uses them.
 */
export async function readRowsOfShop(db: DataSource, shopId: number): Promise<Rows> {
  const keys = await readForeignKeys(db);
  const conditions = new Map([['shops', `id = ${shopId}`]]);
  conditions.set('print_accounts', `id in (select print_account_id from shops where id = ${shopId})`);
  // Each pass finds the tables that refer to a table found before.
  for (let found = true; found;) {
    found = false;
    for (const { table, column, parent, parentColumn } of keys) {
      const parentCondition = conditions.get(parent);
      if (parentCondition === undefined || conditions.has(table)) continue;
      conditions.set(table, `${column} in (select ${parentColumn} from ${parent} where ${parentCondition})`);
      found = true;
    }
  }
  const rows: Rows = {};
  for (const [table, condition] of conditions) {
    const read: { row: string }[] = await db.query(
      `select to_jsonb(t)::text as row from ${table} t where ${condition} order by 1`,
    );
    rows[table] = read.map(({ row }) => row);
  }
  return rows;
}

/** Returns the foreign keys, starting with those of `shop_id` columns, because other columns may refer to rows that shops share. */
async function readForeignKeys(db: DataSource): Promise<ForeignKey[]> {
  const keys: ForeignKey[] = await db.query(
    `select c.conrelid::regclass::text as table, a.attname as column, c.confrelid::regclass::text as parent, f.attname as "parentColumn"
     from pg_constraint c
     join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
     join pg_attribute f on f.attrelid = c.confrelid and f.attnum = c.confkey[1]
     where c.contype = 'f' and c.connamespace = 'public'::regnamespace
     union
     select table_name, 'shop_id', 'shops', 'id' from information_schema.columns
     where table_schema = 'public' and column_name = 'shop_id'
     order by 2, 1`,
  );
  return keys.toSorted((one, other) => Number(other.column === 'shop_id') - Number(one.column === 'shop_id'));
}
