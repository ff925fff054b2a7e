import { QueryFailedError } from 'typeorm';
import type { App } from '../../app.ts';
import type { NewJob } from '../../jobs/enqueue.ts';
import {
  Installations,
  Shops,
  ShopTokens,
  type Installation,
  type Shop,
  type ShopToken,
} from '../../database/entities/shops.ts';
import { openInstallation, readInstallation, type InstallationSecrets } from '../../shops/install/installation.ts';
import type { SeenToken } from '../../shops/tokens/tokens.ts';
import { OrderManager } from './order-manager.ts';
import { readOrderRows, type OrderKey, type OrderRows } from './read-order-rows.ts';

/** Tasks that can run in the job of the plan. */
const STEPS: ReadonlySet<string> = new Set(['quote_order', 'submit_print_order']);

/** How often a change is made again when somebody else has changed the order meanwhile. */
const TRIES = 5;

/** A serialization failure, a deadlock, or a row that somebody else has inserted. */
const OUTDATED: ReadonlySet<unknown> = new Set(['40001', '40P01', '23505']);

/** The rows of one storefront order, read once, and written in one statement with each change. */
export class OrderSession {
  readonly #app: App;
  #rows: OrderRows;
  /** When the rows were asked for. */
  #readAt: Date;
  #steps: NewJob[] | null = null;
  readonly #taken = new Set<string>();
  #later: ((manager: OrderManager) => Promise<void>)[] = [];

  constructor(app: App, rows: OrderRows, readAt: Date) {
    this.#app = app;
    this.#rows = rows;
    this.#readAt = readAt;
  }

  get storefrontOrderId(): string {
    return this.#rows.storefrontOrderId;
  }

  /** Whether steps that follow at once run in the job of the caller. */
  get collectsSteps(): boolean {
    return this.#steps !== null;
  }

  /**
   * From now on quotes and submits that are enqueued for at once are collected for `nextStep`, and get no job. A step that was taken once
   * gets a job when it is enqueued again, as in a job of its own: a failure that comes after it replaces that job with a later one.
   */
  collectSteps(): void {
    this.#steps = [];
  }

  nextStep(): NewJob | null {
    const step = this.#steps?.shift() ?? null;
    if (step?.key !== undefined) this.#taken.add(step.key);
    return step;
  }

  /** The steps that were not taken. */
  get stepsLeft(): readonly NewJob[] {
    return this.#steps ?? [];
  }

  readonly #isStep = ({ task, key, runAt, waitSeconds = 0 }: NewJob): boolean =>
    this.#steps !== null &&
    STEPS.has(task) &&
    runAt === undefined &&
    waitSeconds === 0 &&
    key !== undefined &&
    !this.#taken.has(key);

  /** Whether a plan of the order waited for its turn when the rows were read or written last. */
  get isPlanWaiting(): boolean {
    return this.#rows.isPlanWaiting;
  }

  get rows(): OrderRows {
    return this.#rows;
  }

  /** A manager to read with, which answers from memory. Nothing that is written with it is kept. */
  get reader(): OrderManager {
    return new OrderManager(this.#app, this.#rows);
  }

  /** The token of its shop as it was when the order was read. */
  get token(): SeenToken {
    const { facts } = this.#rows;
    const at = this.#readAt;
    const [shop = null] = (facts.get(Shops) ?? []) as Shop[];
    const [token = null] = (facts.get(ShopTokens) ?? []) as ShopToken[];
    return { at, shop, token };
  }

  /** The installation as it was when the order was read. */
  async readInstallation(): Promise<InstallationSecrets> {
    const row = await this.reader.findOneBy(Installations, { id: 1 });
    const { databaseMark: mark } = this.#rows;
    if (!row || mark === null) return readInstallation(this.#app);
    return openInstallation(this.#app, { ...row, knownMark: row.databaseMark, mark });
  }

  /** Reads all rows again. False: the order is not there any longer. */
  async reload(): Promise<boolean> {
    const readAt = this.#app.now();
    const rows = await readOrderRows(this.#app.db, { storefrontOrderId: this.#rows.storefrontOrderId });
    if (!rows) return false;
    this.#rows = rows;
    this.#readAt = readAt;
    return true;
  }

  /**
   * Has a function run with the next change, whose write has its rows too. `settle` must follow, whatever comes in between: until then they
   * are lost if the process dies, as they would be before this call.
   */
  changeLater(run: (manager: OrderManager) => Promise<void>): void {
    this.#later.push(run);
  }

  /** Writes what was left for a later change. */
  async settle(): Promise<void> {
    if (this.#later.length > 0) await this.change(async () => undefined);
  }

  /**
   * Runs a function that reads and writes rows, and commits what it wrote: all or nothing. Where somebody else has changed the order
   * since it was read, the rows are read again and the function runs again, so it must do nothing outside.
   */
  async change<T>(run: (manager: OrderManager) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      const manager = new OrderManager(this.#app, this.#rows, this.#isStep);
      try {
        // Who loses each time locks the order before it decides.
        if (tries === TRIES) await manager.lock();
        for (const later of this.#later) await later(manager);
        const result = await run(manager);
        const rows = await manager.commit();
        this.#later = [];
        if (rows) this.#rows = rows;
        else await this.reload();
        this.#keepSteps(manager.steps);
        return result;
      } catch (error) {
        await manager.rollback();
        if (tries === TRIES || !isOutdated(error)) throw error;
        const before = this.#standing();
        // Where the shop or the installation changed so that the job may have to stop, the job begins again.
        if (!(await this.reload()) || this.#standing() !== before) throw error;
      }
    }
  }

  /** What a job looks at before it begins. */
  #standing(): string {
    const [shop] = (this.#rows.facts.get(Shops) ?? []) as Shop[];
    const [installation] = (this.#rows.facts.get(Installations) ?? []) as Installation[];
    return JSON.stringify([shop?.state, shop?.printAccountId, installation?.quietUntil]);
  }

  /** Each step once. */
  #keepSteps(steps: readonly NewJob[]): void {
    for (const step of steps) if (!this.#steps?.some(({ key }) => key === step.key)) this.#steps?.push(step);
  }
}

/** Reads an order with all its rows; null: there is no such order. */
export async function openOrder(app: App, key: OrderKey): Promise<OrderSession | null> {
  const readAt = app.now();
  const rows = await readOrderRows(app.db, key);
  return rows && new OrderSession(app, rows, readAt);
}

function isOutdated(error: unknown): boolean {
  const cause: unknown = error instanceof QueryFailedError ? error.driverError : error;
  return OUTDATED.has((cause as { code?: unknown } | null)?.code);
}
