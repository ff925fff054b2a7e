import { createHash } from 'node:crypto';
import type { EntityMetadata, ObjectLiteral } from 'typeorm';
import { planWaitingSql, type OrderRows } from './read-order-rows.ts';

/** The changes in one table. */
export interface TableChanges {
  metadata: EntityMetadata;
  /** Names of the properties that identify a row. */
  key: readonly string[];
  inserted: readonly ObjectLiteral[];
  updated: readonly { row: ObjectLiteral; properties: ReadonlySet<string> }[];
  deleted: readonly ObjectLiteral[];
}

/** SQL that runs in the statement that writes an order. Its parameters are `$1`, `$2` and so on. */
export interface Statement {
  text: string;
  values: readonly unknown[];
  /** Whether the statement is a `select` whose functions have effects, such as adding jobs. Its rows are returned. */
  isSelect?: boolean;
}

/**
 * Builds one statement that locks the order and its print orders and writes all changes, or fails and writes nothing. `platen_outdated()`
 * makes the statement fail if the order, its print orders, the shop or the installation have changed since they were read. The statement
 * returns the `version` of the written rows, the rows of a select statement (`added`) and whether the order's plan is waiting. The commit
 * is always synchronous, because a claim must survive a server crash.
 */
export function toOrderWrite(
  { storefrontOrderId, versions }: OrderRows,
  changes: readonly TableChanges[],
  more: readonly Statement[],
): { name: string; text: string; values: unknown[] } {
  const values: unknown[] = [
    storefrontOrderId,
    versions.order,
    versions.shop,
    versions.installation,
    JSON.stringify(versions.prints),
  ];
  const addParameter = (value: unknown): string => `$${values.push(value)}`;
  const parts: string[] = [];
  const add = (sql: string): string => {
    const name = `part${parts.length}`;
    parts.push(`${name} as (${sql})`);
    return name;
  };
  const root = changes.find(({ metadata }) => metadata.tableName === 'storefront_orders');
  parts.push(toGuard(root, addParameter), LOCKED);
  for (const table of changes) {
    if (table !== root) for (const sql of toUpdates(table, addParameter)) add(sql);
    if (table.deleted.length > 0) add(toDelete(table, addParameter));
    if (table.inserted.length > 0) add(toInsert(table, addParameter));
  }
  let added = `'[]'::jsonb`;
  for (const { text, values: given, isSelect = false } of more) {
    const shifted = text.replace(/\$(\d+)/g, (_, number: string) => `$${values.length + Number(number)}`);
    values.push(...given);
    const name = add(shifted);
    if (isSelect) added = `(select coalesce(jsonb_agg(r), '[]') from ${name} r)`;
  }
  const text = `with ${parts.join(',\n')}
select set_config('synchronous_commit', 'on', true), case when (select count(*) from guard) = 1
    and (select coalesce(jsonb_object_agg(id::text, version), '{}') from locked) = $5::jsonb
  then pg_current_xact_id()::xid::text else platen_outdated() end as version, ${added} as added, ${planWaitingSql('$1::bigint')} as "isPlanWaiting"`;
  return { name: createHash('sha256').update(text).digest('base64url').slice(0, 32), text, values };
}

type AddParameter = (value: unknown) => string;

/** Updates the order's row, even if the row has no changes, so that the row's version changes and other sessions notice the write. */
function toGuard(root: TableChanges | undefined, addParameter: AddParameter): string {
  const [changed] = root?.updated ?? [];
  const from =
    root && changed
      ? ` from jsonb_populate_recordset(null::storefront_orders, ${addParameter(toJson(root.metadata, [changed.row]))}::jsonb) v`
      : '';
  const set = root && changed ? toSet(root.metadata, changed.properties) : 'next_part = o.next_part';
  return `guard as (
    update storefront_orders o set ${set}${from}
    where o.id = $1::bigint and o.xmin::text = $2
      and (select s.xmin::text from shops s where s.id = o.shop_id) = $3
      and (select i.xmin::text from installation i where i.id = 1) is not distinct from $4
    returning o.id)`;
}

const LOCKED = `locked as (
    select p.id, p.xmin::text as version from guard g join print_orders p on p.storefront_order_id = g.id order by p.id
    for no key update of p)`;
/** Rows are changed only after the print orders are locked. */
const AFTER_LOCK = '(select count(*) from locked) l';

function toUpdates({ metadata, key, updated }: TableChanges, addParameter: AddParameter): string[] {
  const bySet = Map.groupBy(updated, ({ properties }) => [...properties].toSorted().join());
  return [...bySet.values()].map((same) => {
    const rows = same.map(({ row }) => row);
    return `
    update ${metadata.tableName} t set ${toSet(metadata, same[0]?.properties ?? new Set())}
    from jsonb_populate_recordset(null::${metadata.tableName}, ${addParameter(toJson(metadata, rows))}::jsonb) v, ${AFTER_LOCK}
    where ${toMatch(metadata, key)}`;
  });
}

function toDelete({ metadata, key, deleted }: TableChanges, addParameter: AddParameter): string {
  return `
    delete from ${metadata.tableName} t
    using jsonb_populate_recordset(null::${metadata.tableName}, ${addParameter(toJson(metadata, deleted))}::jsonb) v, ${AFTER_LOCK}
    where ${toMatch(metadata, key)}`;
}

/** Omits columns that no row sets, so that the database fills in their defaults, such as the ID of a timeline entry. */
function toInsert({ metadata, inserted }: TableChanges, addParameter: AddParameter): string {
  const columns = metadata.columns.filter(({ propertyName }) =>
    inserted.some((row) => row[propertyName] !== undefined),
  );
  const names = columns.map(({ databaseName }) => `"${databaseName}"`);
  const { tableName } = metadata;
  return `
    insert into ${tableName} (${names.join(', ')}) select ${names.map((column) => `v.${column}`).join(', ')}
    from jsonb_populate_recordset(null::${tableName}, ${addParameter(toJson(metadata, inserted))}::jsonb) v, ${AFTER_LOCK}`;
}

function toSet(metadata: EntityMetadata, properties: ReadonlySet<string>): string {
  return [...properties]
    .map((property) => toColumn(metadata, property))
    .map((column) => `"${column}" = v."${column}"`)
    .join(', ');
}

function toMatch(metadata: EntityMetadata, key: readonly string[]): string {
  return key
    .map((property) => toColumn(metadata, property))
    .map((column) => `t.${column} = v.${column}`)
    .join(' and ');
}

function toColumn(metadata: EntityMetadata, property: string): string {
  const column = metadata.findColumnWithPropertyName(property);
  if (!column) throw new Error(`${metadata.tableName} has no column for ${property}`);
  return column.databaseName;
}

function toJson({ columns }: EntityMetadata, rows: readonly ObjectLiteral[]): string {
  return JSON.stringify(
    rows.map((row) =>
      Object.fromEntries(columns.map(({ propertyName, databaseName }) => [databaseName, row[propertyName] ?? null])),
    ),
  );
}
