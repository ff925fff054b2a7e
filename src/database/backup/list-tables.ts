import { BACKED_UP_SCHEMAS, QUEUE_MIGRATIONS } from './backup-format.ts';

interface Queryable {
  query(sql: string, parameters: unknown[]): Promise<unknown>;
}

/** A table with its schema. All names are quoted where SQL requires it. */
export interface BackedUpTable {
  name: string;
  /** All columns except generated columns, which cannot be loaded. */
  columns: string[];
}

/** Excludes tables of an extension, because creating the extension creates them. */
const IS_OWN = `not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`;

const TABLES = `
  select format('%I.%I', n.nspname, c.relname) as name,
    array(select format('%I', a.attname) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
    array(select distinct format('%I.%I', tn.nspname, t.relname)
      from pg_constraint k join pg_class t on t.oid = k.confrelid join pg_namespace tn on tn.oid = t.relnamespace
      where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as needed
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any($1) and c.relkind = 'r' and ${IS_OWN}
  order by 1`;

/**
 * Lists the tables to back up. A table comes after the tables that its foreign keys reference, so that the rows can be loaded in this
 * order. Throws if foreign keys form a cycle.
 */
export async function listTables(db: Queryable): Promise<BackedUpTable[]> {
  const rows = (await db.query(TABLES, [BACKED_UP_SCHEMAS])) as { rows: Row[] } | Row[];
  const tables = (Array.isArray(rows) ? rows : rows.rows).filter(({ name }) => name !== QUEUE_MIGRATIONS);
  return sortByDependencies(tables).map(({ name, columns }) => ({ name, columns }));
}

interface Row extends BackedUpTable {
  /** The other tables that foreign keys of this table reference. */
  needed: string[];
}

/** Sorts tables so that each comes after the tables that it references. */
function sortByDependencies<Table extends { name: string; needed: string[] }>(tables: readonly Table[]): Table[] {
  const sorted: Table[] = [];
  const placed = new Set<string>();
  let remaining = [...tables];
  const names = new Set(tables.map(({ name }) => name));
  while (remaining.length > 0) {
    const next = remaining.filter(({ needed }) => needed.every((name) => placed.has(name) || !names.has(name)));
    if (next.length === 0)
      throw new Error(
        `The foreign keys of these tables form a cycle: ${remaining.map(({ name }) => name).join(', ')}.`,
      );
    for (const table of next) placed.add(table.name);
    sorted.push(...next);
    remaining = remaining.filter(({ name }) => !placed.has(name));
  }
  return sorted;
}
