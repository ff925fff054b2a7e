import type { DataSource, EntityMetadata, ObjectLiteral } from 'typeorm';
import { TimelineEntries } from '../../database/entities/orders.ts';
import { PrintOrders } from '../../database/entities/print-orders.ts';
import { compareValues, canMatchOnlyIds, matchesWhere, UnknownConditionError, type Where } from './matches-where.ts';
import { ORDER_TABLES, type OrderTable } from './order-tables.ts';
import type { OrderRows } from './read-order-rows.ts';
import type { TableChanges } from './write-order-rows.ts';

/**
 * The options of `find` that memory supports. `lock` has no effect in memory, because the write locks the rows. `select` has no effect,
 * because memory has all columns.
 */
const KNOWN_OPTIONS: ReadonlySet<string> = new Set(['where', 'order', 'take', 'lock', 'select']);

export interface FindOptions {
  where?: Where;
  order?: Record<string, unknown>;
  take?: number;
}

interface Changes {
  inserted: Set<ObjectLiteral>;
  updated: Map<ObjectLiteral, Set<string>>;
  deleted: Set<ObjectLiteral>;
}

/** One order's rows with all changes since they were read. A method returns `null` if only the database can provide the result. */
export class OrderMemory {
  readonly #base: OrderRows;
  readonly #db: DataSource;
  readonly #now: () => Date;
  /** All rows of one write receive the same time, as in a transaction. */
  readonly #begunAt: Date;
  readonly #tables: OrderRows['tables'];
  readonly #changes = new Map<OrderTable, Changes>();
  readonly #entries: ObjectLiteral[] = [];

  constructor(db: DataSource, rows: OrderRows, now: () => Date) {
    this.#db = db;
    this.#base = rows;
    this.#now = now;
    this.#begunAt = now();
    this.#tables = new Map(rows.tables);
  }

  static tableOf(target: unknown): OrderTable | null {
    return ORDER_TABLES.find(({ entity }) => entity === target) ?? null;
  }

  find(target: unknown, options: FindOptions): ObjectLiteral[] | null {
    const { where = {} } = options;
    const rows = this.#tables.get(target as never) ?? this.#base.facts.get(target as never);
    const isKnown = Object.keys(options).every((option) => KNOWN_OPTIONS.has(option));
    if (!rows || !isKnown || !this.#isConfined(target, where)) return null;
    const found = filterRows(rows, where);
    return found && sortRows(found, options).map((row) => ({ ...row }));
  }

  /** Finds timeline entries that are not written yet. */
  findEntries({ where = {} }: FindOptions): ObjectLiteral[] {
    return filterRows(this.#entries, where) ?? [];
  }

  note(given: ObjectLiteral): void {
    this.#entries.push(this.complete(this.#db.getMetadata(TimelineEntries), given));
  }

  insert(table: OrderTable, rows: readonly ObjectLiteral[]): void {
    const { inserted } = this.#changesOf(table);
    for (const row of rows) inserted.add(row);
    this.#tables.set(table.entity, [...this.#rowsOf(table), ...rows]);
  }

  /** Returns the number of changed rows. */
  update(table: OrderTable, where: Where, given: ObjectLiteral): number | null {
    const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    if (Object.values(set).some((value) => typeof value === 'function')) return null;
    const found = this.#findRowsToWrite(table, where);
    for (const row of found ?? []) this.#change(table, row, set);
    return found && found.length;
  }

  /** Updates those of the given rows that already exist, by the `conflict` columns. Returns the other rows, which must be inserted. */
  updateExisting(table: OrderTable, given: readonly ObjectLiteral[], conflict: readonly string[]): ObjectLiteral[] {
    return given.filter((one) => {
      const same = this.#rowsOf(table).find((row) =>
        conflict.every((name) => compareValues(row[name], one[name]) === 0),
      );
      if (same) this.#change(table, same, one);
      return !same;
    });
  }

  /** Returns the number of deleted rows. */
  delete(table: OrderTable, where: Where): number | null {
    const found = this.#findRowsToWrite(table, where);
    if (!found) return null;
    const { inserted, updated, deleted } = this.#changesOf(table);
    for (const row of found) {
      updated.delete(row);
      if (!inserted.delete(row)) deleted.add(row);
    }
    const gone = new Set(found);
    this.#tables.set(
      table.entity,
      this.#rowsOf(table).filter((row) => !gone.has(row)),
    );
    return found.length;
  }

  /** Fills in the database's defaults, except for the ID. */
  complete({ columns }: EntityMetadata, given: ObjectLiteral): ObjectLiteral {
    const row: ObjectLiteral = {};
    for (const { propertyName, isGenerated, isCreateDate, isUpdateDate, default: other } of columns) {
      const value: unknown = given[propertyName];
      if (value !== undefined) row[propertyName] = value;
      else if (isCreateDate || isUpdateDate) row[propertyName] = this.#begunAt;
      else if (typeof other === 'function') row[propertyName] = this.#now();
      else if (!isGenerated) row[propertyName] = other ?? null;
    }
    return row;
  }

  /** Returns all changes, with owners before the rows they own. */
  toChanges(): TableChanges[] {
    const changes: TableChanges[] = ORDER_TABLES.flatMap((table) => {
      const of = this.#changes.get(table);
      if (!of || of.inserted.size + of.updated.size + of.deleted.size === 0) return [];
      const updated = [...of.updated].map(([row, properties]) => ({ row, properties }));
      const { entity, key } = table;
      const metadata = this.#db.getMetadata(entity);
      return [{ metadata, key, inserted: [...of.inserted], updated, deleted: [...of.deleted] }];
    });
    if (this.#entries.length === 0) return changes;
    const metadata = this.#db.getMetadata(TimelineEntries);
    return [...changes, { metadata, key: ['id'], inserted: this.#entries, updated: [], deleted: [] }];
  }

  /** Returns the rows as they are after all changes. `write` is null if nothing was written. */
  toRows(write: { version: string; isPlanWaiting: boolean } | null): OrderRows {
    const rows = { ...this.#base, tables: this.#tables };
    if (write === null) return rows;
    const { version, isPlanWaiting } = write;
    const { inserted, updated } = this.#changesOf(PRINT_ORDERS);
    const written = [...inserted, ...updated.keys()].map((row) => [String(row['id']), version]);
    const prints = { ...this.#base.versions.prints, ...(Object.fromEntries(written) as Record<string, string>) };
    return { ...rows, isPlanWaiting, versions: { ...this.#base.versions, order: version, prints } };
  }

  #findRowsToWrite(table: OrderTable, where: Where): ObjectLiteral[] | null {
    return this.#isConfined(table.entity, where) ? filterRows(this.#rowsOf(table), where) : null;
  }

  #change(table: OrderTable, row: ObjectLiteral, set: ObjectLiteral): void {
    const { inserted, updated } = this.#changesOf(table);
    const stamp = this.#db.getMetadata(table.entity).columns.find(({ isUpdateDate }) => isUpdateDate);
    const changed = { ...(stamp ? { [stamp.propertyName]: this.#begunAt } : {}), ...set };
    const next: ObjectLiteral = { ...row, ...changed };
    this.#tables.set(
      table.entity,
      this.#rowsOf(table).map((one) => (one === row ? next : one)),
    );
    if (inserted.delete(row)) inserted.add(next);
    else {
      const properties = updated.get(row) ?? new Set();
      updated.delete(row);
      updated.set(next, new Set([...properties, ...Object.keys(changed)]));
    }
  }

  /** Returns whether a condition can match only this order's rows. */
  #isConfined(target: unknown, where: Where): boolean {
    const owners = this.#owners(target);
    return (Array.isArray(where) ? where : [where]).every((one: ObjectLiteral) =>
      owners.some(([property, known]) => canMatchOnlyIds(one[property], known)),
    );
  }

  /** Returns the properties that refer to this order or its rows, each with its possible IDs. */
  #owners(target: unknown): [string, ReadonlySet<string>][] {
    const ids = (rows: readonly ObjectLiteral[], name = 'id') => new Set(rows.map((row) => String(row[name])));
    const table = OrderMemory.tableOf(target);
    if (!table) {
      const facts = this.#base.facts.get(target as never) ?? [];
      return [
        ['id', ids(facts)],
        ['shopId', new Set([String(this.#base.shopId)])],
      ];
    }
    const { owner } = table;
    const own = owner.of === null ? new Set([this.#base.storefrontOrderId]) : ids(this.#tables.get(owner.of) ?? []);
    return [
      [owner.property, own],
      ['printOrderId', ids(this.#rowsOf(PRINT_ORDERS))],
      ['id', ids(this.#rowsOf(table))],
    ];
  }

  #rowsOf({ entity }: OrderTable): ObjectLiteral[] {
    return this.#tables.get(entity) ?? [];
  }

  #changesOf(table: OrderTable): Changes {
    const known = this.#changes.get(table);
    if (known) return known;
    const changes: Changes = { inserted: new Set(), updated: new Map(), deleted: new Set() };
    this.#changes.set(table, changes);
    return changes;
  }
}

const PRINT_ORDERS = toTable(PrintOrders);

function toTable(target: unknown): OrderTable {
  const table = OrderMemory.tableOf(target);
  if (!table) throw new Error('this table is not read with an order');
  return table;
}

function filterRows(rows: readonly ObjectLiteral[], where: Where): ObjectLiteral[] | null {
  try {
    return rows.filter((row) => matchesWhere(row, where));
  } catch (error) {
    if (error instanceof UnknownConditionError) return null;
    throw error;
  }
}

function sortRows(rows: readonly ObjectLiteral[], { order = {}, take }: FindOptions): ObjectLiteral[] {
  const by = Object.entries(order);
  const sorted = rows.toSorted((a, b) => {
    for (const [property, direction] of by) {
      const difference = compareInOrder(property, a, b);
      if (difference !== 0) return String(direction).toUpperCase() === 'DESC' ? -difference : difference;
    }
    return 0;
  });
  return take === undefined ? sorted : sorted.slice(0, take);
}

/** Compares values for sorting. IDs are strings that sort as numbers. Empty values come last, as in PostgreSQL. */
function compareInOrder(property: string, a: ObjectLiteral, b: ObjectLiteral): number {
  const [left, right] = [a[property] as unknown, b[property] as unknown];
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  return property === 'id' ? Number(left) - Number(right) : compareValues(left, right);
}
