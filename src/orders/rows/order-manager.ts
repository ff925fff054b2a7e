import {
  EntityManager,
  type DeleteResult,
  type EntityTarget,
  type InsertResult,
  type ObjectLiteral,
  type QueryRunner,
  type UpdateResult,
} from 'typeorm';
import type { App } from '../../app.ts';
import { TimelineEntries } from '../../database/entities/orders.ts';
import { getPool } from '../../database/get-pool.ts';
import {
  addJobsSql,
  enqueueAll,
  recordAddedJobs,
  toJob,
  toJobRows,
  type AddedJob,
  type NewJob,
} from '../../jobs/enqueue.ts';
import { enqueueStoreUpdate, STORE_UPDATE_DUE } from '../enqueue/enqueue-store-update.ts';
import { hasStoreUpdate } from '../store-view/has-store-update.ts';
import { readStoreView } from '../store-view/store-view.ts';
import { nextId } from './next-id.ts';
import type { Where } from './matches-where.ts';
import { lockOrders } from './lock-orders.ts';
import { OrderMemory } from './order-memory.ts';
import type { OrderTable } from './order-tables.ts';
import type { OrderRows } from './read-order-rows.ts';
import { toOrderWrite, type Statement } from './write-order-rows.ts';

/** The result of a write. TypeORM requires these fields, but no caller reads them, so all are empty. */
const DONE = { identifiers: [], generatedMaps: [], raw: [] };

/**
 * An EntityManager for one order's rows. The manager reads from memory and collects changes, which `commit` writes in one statement. An
 * operation that memory does not support, such as SQL or a write to another table, begins a transaction. The transaction locks the rows,
 * checks that they have not changed since they were read, and writes the collected changes. All later operations run in the database.
 */
export class OrderManager extends EntityManager {
  readonly #app: App;
  readonly #base: OrderRows;
  readonly #memory: OrderMemory;
  readonly #statements: Statement[] = [];
  readonly #jobs: NewJob[] = [];
  /** Collected steps that run immediately afterward and need no job. Empty if the session does not collect steps. */
  readonly steps: NewJob[] = [];
  readonly #isStep: (job: NewJob) => boolean;
  #updatesStore = false;
  #runner: QueryRunner | null = null;

  constructor(app: App, rows: OrderRows, isStep: (job: NewJob) => boolean = () => false) {
    super(app.db);
    this.#app = app;
    this.#base = rows;
    this.#isStep = isStep;
    this.#memory = new OrderMemory(app.db, rows, app.clock.now);
  }

  /** Adds a job, which is enqueued with the order's write. */
  async addJob(job: NewJob): Promise<void> {
    if (this.#isStep(job)) this.steps.push(job);
    else if (this.#runner) await enqueueAll(this.#runner.manager, [job]);
    else this.#jobs.push({ ...job, shopId: this.#base.shopId });
  }

  /** Requests a store update. The write enqueues the update if the store would otherwise show outdated data. */
  updateStore(): void {
    this.#updatesStore = true;
  }

  /** Runs SQL with the order's write (see `database/write-later.ts`). */
  async writeLater(text: string, values: unknown[], { isOnce = false } = {}): Promise<void> {
    if (this.#runner) return void (await this.#runner.manager.query(text, values));
    const key = JSON.stringify([text, values]);
    if (isOnce && this.#statements.some((one) => JSON.stringify([one.text, one.values]) === key)) return;
    this.#statements.push({ text, values });
  }

  /** Writes the collected changes. Returns the current rows, or null if they must be read again. */
  async commit(): Promise<OrderRows | null> {
    if (!this.#runner) return this.#memory.toRows(await this.#write(null));
    // Memory does not contain the rows that the transaction wrote.
    if (this.#updatesStore) await enqueueStoreUpdate(this.#runner.manager, this.#base.storefrontOrderId);
    await this.#runner.commitTransaction();
    await this.#release();
    return null;
  }

  /** Discards the collected changes and ends the transaction. */
  async rollback(): Promise<void> {
    if (this.#runner?.isTransactionActive) await this.#runner.rollbackTransaction().catch(() => undefined);
    await this.#release();
  }

  async #release(): Promise<void> {
    const runner = this.#runner;
    this.#runner = null;
    await runner?.release();
  }

  /** Returns the transaction's manager, and begins the transaction if necessary. */
  async begin(): Promise<EntityManager> {
    if (this.#runner) return this.#runner.manager;
    const runner = await this.#start();
    await this.#write(runner);
    return runner.manager;
  }

  /**
   * Begins a transaction and locks the order in it. From then on, no other process can change the order, and a process that read the order
   * earlier cannot overwrite it.
   */
  async lock(): Promise<void> {
    const runner = await this.#start();
    // As with every write of an order, the commit must be on disk before anyone acts on it, whatever the database's default is.
    await runner.query('set local synchronous_commit = on');
    await lockOrders(runner.manager, [this.#base.storefrontOrderId]);
  }

  async #start(): Promise<QueryRunner> {
    const runner = this.#app.db.createQueryRunner();
    this.#runner = runner;
    await runner.startTransaction();
    return runner;
  }

  /** Writes the collected changes. Returns null if there is nothing to write. */
  async #write(runner: QueryRunner | null): Promise<WriteResult | null> {
    // Once a transaction has begun, memory can no longer predict the order's state.
    if (this.#updatesStore && (runner !== null || (await this.#hasStoreUpdate()))) {
      const job = toJob('update_store', { storefrontOrderId: this.#base.storefrontOrderId });
      this.#jobs.push({ ...job, shopId: this.#base.shopId });
      this.#statements.push({ text: STORE_UPDATE_DUE, values: [this.#base.storefrontOrderId] });
    }
    this.#updatesStore = false;
    const changes = this.#memory.toChanges();
    const more = [...this.#statements];
    if (this.#jobs.length > 0) more.push({ text: addJobsSql('$1'), values: [toJobRows(this.#jobs)], isSelect: true });
    if (runner === null && changes.length === 0 && more.length === 0) return null;
    const { name, text, values } = toOrderWrite(this.#base, changes, more);
    const rows = runner
      ? ((await runner.query(text, values)) as WriteResult[])
      : (await getPool(this.#app.db).query<WriteResult>({ name, text, values })).rows;
    const [written] = rows;
    if (!written) throw new Error('the rows of an order were not written');
    recordAddedJobs(written.added);
    // The statement does not see a job that it adds itself.
    const addsPlan = this.#jobs.some(({ key }) => key === `plan:${this.#base.storefrontOrderId}`);
    return { ...written, isPlanWaiting: written.isPlanWaiting || addsPlan };
  }

  async #hasStoreUpdate(): Promise<boolean> {
    const view = await readStoreView(this, this.#base.storefrontOrderId);
    return view !== null && hasStoreUpdate(view);
  }

  override async find<Entity extends ObjectLiteral>(
    target: EntityTarget<Entity>,
    options: ObjectLiteral = {},
  ): Promise<Entity[]> {
    if (this.#runner) return this.#runner.manager.find(target, options);
    if (target === (TimelineEntries as unknown)) {
      // The timeline is not read with the order, because it may be long.
      const written = await this.#app.db.manager.find(target, options);
      return [...written, ...(this.#memory.findEntries(options) as Entity[])];
    }
    const found = this.#memory.find(target, options);
    if (found) return found as Entity[];
    const manager = OrderMemory.tableOf(target) ? await this.begin() : this.#app.db.manager;
    return manager.find(target, options);
  }

  override findBy<Entity extends ObjectLiteral>(target: EntityTarget<Entity>, where: ObjectLiteral): Promise<Entity[]> {
    return this.find(target, { where });
  }

  override async findOne<Entity extends ObjectLiteral>(
    target: EntityTarget<Entity>,
    options: ObjectLiteral,
  ): Promise<Entity | null> {
    const [row] = await this.find(target, { ...options, take: 1 });
    return row ?? null;
  }

  override findOneBy<Entity extends ObjectLiteral>(
    target: EntityTarget<Entity>,
    where: ObjectLiteral,
  ): Promise<Entity | null> {
    return this.findOne(target, { where });
  }

  override async findOneOrFail<Entity extends ObjectLiteral>(
    target: EntityTarget<Entity>,
    options: ObjectLiteral,
  ): Promise<Entity> {
    const row = await this.findOne(target, options);
    if (row) return row;
    throw new Error(`no row of ${this.#app.db.getMetadata(target).tableName} meets the condition`);
  }

  override findOneByOrFail<Entity extends ObjectLiteral>(
    target: EntityTarget<Entity>,
    where: ObjectLiteral,
  ): Promise<Entity> {
    return this.findOneOrFail(target, { where });
  }

  override async count<Entity extends ObjectLiteral>(
    target: EntityTarget<Entity>,
    options: ObjectLiteral = {},
  ): Promise<number> {
    return (await this.find(target, options)).length;
  }

  override countBy<Entity extends ObjectLiteral>(target: EntityTarget<Entity>, where: ObjectLiteral): Promise<number> {
    return this.count(target, { where });
  }

  override async exists<Entity extends ObjectLiteral>(
    target: EntityTarget<Entity>,
    options: ObjectLiteral = {},
  ): Promise<boolean> {
    return (await this.findOne(target, options)) !== null;
  }

  override existsBy<Entity extends ObjectLiteral>(
    target: EntityTarget<Entity>,
    where: ObjectLiteral,
  ): Promise<boolean> {
    return this.exists(target, { where });
  }

  override async insert<Entity extends ObjectLiteral>(
    target: EntityTarget<Entity>,
    given: ObjectLiteral | ObjectLiteral[],
  ): Promise<InsertResult> {
    const list: ObjectLiteral[] = Array.isArray(given) ? given : [given];
    if (!this.#runner && target === (TimelineEntries as unknown)) {
      for (const entry of list) this.#memory.note(entry);
      return DONE;
    }
    const table = this.#tableToWrite(target);
    if (!table) return (await this.begin()).insert(target, given as never);
    const metadata = this.#app.db.getMetadata(target);
    const rows: ObjectLiteral[] = [];
    for (const one of list) {
      const row = this.#memory.complete(metadata, one);
      if (table.key.includes('id')) row['id'] ??= await nextId(this.#app.db, metadata);
      rows.push(row);
    }
    this.#memory.insert(table, rows);
    return { ...DONE, identifiers: rows.map((row) => ({ id: String(row['id']) })) };
  }

  override async update<Entity extends ObjectLiteral>(
    target: EntityTarget<Entity>,
    where: Where,
    given: ObjectLiteral,
  ): Promise<UpdateResult> {
    const table = this.#tableToWrite(target);
    const affected = table && this.#memory.update(table, where, given);
    if (affected === null) return (await this.begin()).update(target, where, given as never);
    return { ...DONE, affected };
  }

  override async upsert<Entity extends ObjectLiteral>(
    target: EntityTarget<Entity>,
    given: ObjectLiteral | ObjectLiteral[],
    conflict: string[] | ObjectLiteral,
  ): Promise<InsertResult> {
    const table = this.#tableToWrite(target);
    if (!table || !Array.isArray(conflict))
      return (await this.begin()).upsert(target, given as never, conflict as never);
    const list: ObjectLiteral[] = Array.isArray(given) ? given : [given];
    return this.insert(target, this.#memory.updateExisting(table, list, conflict));
  }

  override async delete<Entity extends ObjectLiteral>(
    target: EntityTarget<Entity>,
    where: Where,
  ): Promise<DeleteResult> {
    const table = this.#tableToWrite(target);
    const affected = table && this.#memory.delete(table, where);
    if (affected === null) return (await this.begin()).delete(target, where);
    return { ...DONE, affected };
  }

  /** Returns the table if its rows are written in memory, or null if they are written in the database. */
  #tableToWrite(target: unknown): OrderTable | null {
    return this.#runner ? null : OrderMemory.tableOf(target);
  }

  override async query<T>(sql: string, parameters?: unknown[]): Promise<T> {
    return (await this.begin()).query<T>(sql, parameters);
  }

  /** A nested transaction becomes part of this transaction. */
  override async transaction<T>(...given: unknown[]): Promise<T> {
    return (given.at(-1) as (manager: EntityManager) => Promise<T>)(this.#runner?.manager ?? this);
  }

  override createQueryBuilder(...given: unknown[]): never {
    if (this.#runner) return this.#runner.manager.createQueryBuilder(...(given as [])) as never;
    throw new Error("begin a transaction before you build a query, because the order's rows are in memory");
  }
}

interface WriteResult {
  version: string;
  added: AddedJob[];
  isPlanWaiting: boolean;
}
