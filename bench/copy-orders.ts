import type { Stage } from './stage.ts';

/** The copies' IDs start here, above every ID that the database assigns. */
const FIRST_ID = 10_000_000;
/** The maximum number of rows of an order that are copied from each table. Only the timeline and the deliveries have more. */
const MAX_ROWS_PER_TABLE = 2;
/** The time between the creation of two consecutive copies. */
const APART = '10 seconds';

interface CopyOptions {
  /** The shop whose only order is copied, with all its rows. */
  from: number;
  copies: number;
  /** The shops that get the copies, in turn. Each shop uses either the print account of `from` or its own. */
  to: readonly number[];
  /** The print orders' IDs at the service, if the app will read the copies from the service. */
  serviceOrderIds?: readonly string[];
  /** The number of the first copy, if the database already contains copies. */
  start?: number;
}

/**
 * Copies an order many times, but only in the database. Each copy has the rows that the app wrote, with new IDs, and is older than the
 * previous copy. The list of tables comes from the database, so a migration needs no change here.
 */
export async function copyOrders(stage: Stage, options: CopyOptions): Promise<void> {
  const { from, copies, to, serviceOrderIds = [], start = 0 } = options;
  const columns = await stage.query<{ table: string; column: string; type: string; isIdentity: boolean }>(
    `select c.table_name as table, c.column_name as column, c.data_type as type, c.is_identity = 'YES' as "isIdentity"
     from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER'
     order by c.table_name, c.ordinal_position`,
  );
  // The copied foreign keys are valid by construction. Checking each of them would take longer than writing the rows.
  await stage.query('set session_replication_role = replica');
  for (const [table, all] of Map.groupBy(columns, (one) => one.table)) {
    const names = new Set(all.map(({ column }) => column));
    const isOfOrder = ['storefront_order_id', 'print_order_id', 'package_id'].some((name) => names.has(name));
    if (!isOfOrder && !['storefront_orders', 'deliveries'].includes(table)) continue;
    // Other tables refer to these tables' rows by id.
    const isNamed = ['storefront_orders', 'print_orders', 'packages'].includes(table);
    const written = all.filter(({ column, isIdentity }) => isNamed || !(isIdentity && column === 'id'));
    await stage.query(
      `insert into ${table} (${written.map(({ column }) => column).join(', ')})
       select ${written.map(toValue).join(', ')}
       from (select * from ${table} where ${toFilter(names)} limit ${isNamed ? 1 : MAX_ROWS_PER_TABLE}) t,
         generate_series($1::bigint, $2::bigint) n`,
      [start, start + copies - 1, from, to, serviceOrderIds],
    );
    if (isNamed) await stage.query(`select setval(pg_get_serial_sequence('${table}', 'id'), max(id)) from ${table}`);
  }
  await stage.query('set session_replication_role = origin');
}

/**
 * Returns the SQL condition for the rows of the original order, the only order of its shop. The condition mentions all parameters, because
 * PostgreSQL must be able to infer their types.
 */
function toFilter(columns: ReadonlySet<string>): string {
  const order = '(select id from storefront_orders where shop_id = $3::int and id < ' + FIRST_ID + ' limit 1)';
  const printOrder = `(select id from print_orders where storefront_order_id = ${order} limit 1)`;
  const known = 'and $4::int[] is not null and $5::text[] is not null';
  if (columns.has('package_id'))
    return `package_id in (select id from packages where print_order_id = ${printOrder}) ${known}`;
  if (columns.has('shop_id')) return `shop_id = $3::int ${toOwnRows(columns)} ${known}`;
  if (columns.has('print_order_id')) return `print_order_id = ${printOrder} ${known}`;
  return `storefront_order_id = ${order} ${known}`;
}

/** Returns the SQL condition that excludes copies, so that they are not copied again. */
function toOwnRows(columns: ReadonlySet<string>): string {
  if (columns.has('storefront_order_id')) return `and storefront_order_id < ${FIRST_ID}`;
  return `and id < ${FIRST_ID}`;
}

function toValue({ table, column, type }: { table: string; column: string; type: string }): string {
  const isId = column === 'id' || ['storefront_order_id', 'print_order_id', 'package_id'].includes(column);
  if (isId) return `case when t.${column} is null then null else ${FIRST_ID} + n end`;
  if (column === 'shop_id') return '($4::int[])[1 + n % cardinality($4::int[])]';
  if (column === 'service_order_id') return `coalesce(($5::text[])[1 + n - $1::bigint], t.${column} || '-' || n)`;
  if (type === 'timestamp with time zone') return `t.${column} - n * interval '${APART}'`;
  const isText =
    type === 'text' && (column.endsWith('_id') || ['reference', 'dedupe_key', 'tracking_code'].includes(column));
  return isText || (table === 'storefront_orders' && column === 'name') ? `t.${column} || '-' || n` : `t.${column}`;
}

/** Creates copies of the given shop and returns their IDs. The copies are signed out, so that no poll reads them. */
export async function copyShop(stage: Stage, from: number, copies: number): Promise<number[]> {
  const columns = await stage.query<{ column: string }>(
    `select column_name as column from information_schema.columns
     where table_schema = 'public' and table_name = 'shops' and column_name <> 'id'`,
  );
  const names = columns.map(({ column }) => column);
  const values = names.map((name) => {
    if (name === 'domain') return `'stored-' || n || '.myshopify.com'`;
    if (name === 'state') return `'needs_sign_in'`;
    // The token in a shop's rates address is unique, so the copies have none.
    return name === 'rates_token_hash' ? 'null' : `t.${name}`;
  });
  const rows = await stage.query<{ id: number }>(
    `insert into shops (${names.join(', ')}) select ${values.join(', ')}
     from (select * from shops where id = $1) t, generate_series(1, $2::int) n returning id`,
    [from, copies],
  );
  return rows.map(({ id }) => id);
}
