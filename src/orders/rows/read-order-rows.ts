import type { DataSource, EntitySchema, ObjectLiteral } from 'typeorm';
import { getPool } from '../../database/get-pool.ts';
import { StorefrontOrders } from '../../database/entities/orders.ts';
import { PrintOrders } from '../../database/entities/print-orders.ts';
import { Installations, OtherAppStores, PrintAccounts, Shops, ShopTokens } from '../../database/entities/shops.ts';
import { hydrateRows } from './hydrate-rows.ts';
import { ORDER_TABLES } from './order-tables.ts';

/** One storefront order's rows as they were in the database at one point in time, and the versions that a write compares. */
export interface OrderRows {
  storefrontOrderId: string;
  shopId: number;
  /** Rows by table, sorted by ID. */
  tables: Map<EntitySchema<ObjectLiteral>, ObjectLiteral[]>;
  /** Read-only rows of other owners: the shop, its token, other apps that print its orders, print accounts, the installation. */
  facts: Map<EntitySchema<ObjectLiteral>, ObjectLiteral[]>;
  /** The database's mark (`platen_database_mark()`), which reveals a restored database. */
  databaseMark: string | null;
  /** Whether an earlier customer redaction request names the order, and the order has been neither read nor redacted yet. */
  isToRedact: boolean;
  /**
   * Whether the order's plan was waiting to run, in which case the store may have changes that these rows lack. A plan that is scheduled
   * for later does not count.
   */
  isPlanWaiting: boolean;
  /** The `xmin` of the rows that the write compares. If another process changes one of these rows, this reading is outdated. */
  versions: { order: string; prints: Record<string, string>; shop: string; installation: string | null };
}

/** An order by its own ID, or by the ID of one of its print orders. */
export type OrderKey = { storefrontOrderId: string } | { printOrderId: string };

const IS_TO_REDACT = `(o.read_at is null and o.redacted_at is null and exists (select from privacy_requests r
  where r.shop_id = o.shop_id and r.kind = 'customer_redact' and r.shopify_order_ids @> array[o.shopify_order_id]))`;

/** SQL: whether the plan of the order with this ID is waiting. */
export const planWaitingSql = (id: string): string =>
  `exists (select from graphile_worker._private_jobs j where j.key = 'plan:' || ${id} and j.locked_at is null)`;

const FACTS: readonly { entity: unknown; where: string }[] = [
  { entity: Shops, where: 't.id = o.shop_id' },
  { entity: ShopTokens, where: 't.shop_id = o.shop_id' },
  { entity: OtherAppStores, where: 't.shop_id = o.shop_id' },
  {
    entity: PrintAccounts,
    where: `t.id in (select p.print_account_id from print_orders p where p.storefront_order_id = o.id
      union select s.print_account_id from shops s where s.id = o.shop_id)`,
  },
  { entity: Installations, where: 't.id = 1' },
];

/** Reads all rows of an order in one statement. Returns null if the order does not exist. */
export async function readOrderRows(db: DataSource, key: OrderKey): Promise<OrderRows | null> {
  const [id, by] = 'storefrontOrderId' in key ? [key.storefrontOrderId, 'order'] : [key.printOrderId, 'print'];
  const { rows } = await getPool(db).query<{ read: ReadRows }>({
    name: `read-order-by-${by}`,
    text: toSql(
      db,
      by === 'order' ? '$1::bigint' : '(select storefront_order_id from print_orders where id = $1::bigint)',
    ),
    values: [id],
  });
  const [row] = rows;
  return row ? toRows(db, row.read) : null;
}

interface ReadRows {
  tables: ObjectLiteral[][];
  facts: ObjectLiteral[][];
  mark: string | null;
  isPlanWaiting: boolean;
  isToRedact: boolean;
}

const statements = new WeakMap<DataSource, Map<string, string>>();

function toSql(db: DataSource, id: string): string {
  const known = statements.get(db) ?? new Map<string, string>();
  statements.set(db, known);
  const text = known.get(id) ?? buildSql(db, id);
  known.set(id, text);
  return text;
}

function buildSql(db: DataSource, id: string): string {
  const list = (entity: unknown, where: string, isOrdered: boolean): string => {
    const { tableName, columns } = db.getMetadata(entity as EntitySchema<ObjectLiteral>);
    const order = isOrdered && columns.some(({ databaseName }) => databaseName === 'id') ? ' order by t.id' : '';
    return `(select coalesce(json_agg(r), '[]') from (select t.*, t.xmin::text as "$version" from ${tableName} t where ${where}${order}) r)`;
  };
  const tables = ORDER_TABLES.map(({ entity, where }) => list(entity, where.replaceAll('$1', 'o.id'), true));
  const facts = FACTS.map(({ entity, where }) => list(entity, where, false));
  return `select json_build_object('tables', json_build_array(${tables.join(',\n')}),
    'facts', json_build_array(${facts.join(',\n')}), 'mark', platen_database_mark(),
    'isPlanWaiting', ${planWaitingSql('o.id')}, 'isToRedact', ${IS_TO_REDACT}) as read
    from storefront_orders o where o.id = ${id}`;
}

function toRows(db: DataSource, read: ReadRows): OrderRows {
  const hydrate = (entity: unknown, rows: ObjectLiteral[]): [EntitySchema<ObjectLiteral>, ObjectLiteral[]] => {
    const target = entity as EntitySchema<ObjectLiteral>;
    return [target, hydrateRows(db, target, rows)];
  };
  const tables = new Map(ORDER_TABLES.map(({ entity }, index) => hydrate(entity, read.tables[index] ?? [])));
  const facts = new Map(FACTS.map(({ entity }, index) => hydrate(entity, read.facts[index] ?? [])));
  const versionsOf = (entities: readonly unknown[], among: ObjectLiteral[][], entity: unknown): ObjectLiteral[] =>
    among[entities.indexOf(entity)] ?? [];
  const raw = ORDER_TABLES.map(({ entity }) => entity as unknown);
  const rawFacts = FACTS.map(({ entity }) => entity);
  const [order] = versionsOf(raw, read.tables, StorefrontOrders);
  const [shop] = versionsOf(rawFacts, read.facts, Shops);
  const [installation] = versionsOf(rawFacts, read.facts, Installations);
  const prints = versionsOf(raw, read.tables, PrintOrders);
  return {
    storefrontOrderId: String(order?.['id']),
    shopId: Number(order?.['shop_id']),
    tables,
    facts,
    databaseMark: read.mark,
    isPlanWaiting: read.isPlanWaiting,
    isToRedact: read.isToRedact,
    versions: {
      order: String(order?.['$version']),
      prints: Object.fromEntries(prints.map((row) => [String(row['id']), String(row['$version'])])),
      shop: String(shop?.['$version']),
      installation: installation ? String(installation['$version']) : null,
    },
  };
}
