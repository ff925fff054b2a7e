import type { App } from '../../app.ts';
import type { NewJob } from '../../jobs/enqueue.ts';
import { readErrorCode } from '../../database/error-code.ts';
import { StorefrontOrders, type StorefrontOrder } from '../../database/entities/orders.ts';
import {
  Installations,
  Shops,
  ShopTokens,
  type Installation,
  type Shop,
  type ShopToken,
} from '../../database/entities/shops.ts';
import { PlatenError } from '../../errors.ts';
import {
  ofShop,
  openInstallation,
  readInstallation,
  type InstallationSecrets,
} from '../../shops/install/installation.ts';
import type { SeenToken } from '../../shops/tokens/tokens.ts';
import { markEvents, setTracedOrder } from '../../tracing/work.ts';
import { OrderManager } from './order-manager.ts';
import { readOrderRows, type OrderKey, type OrderRows } from './read-order-rows.ts';

/** Tasks that can run in the plan's job. */
const STEPS: ReadonlySet<string> = new Set(['quote_order', 'submit_print_order']);

/** Maximum number of attempts for a change while other processes are changing the same order. */
const TRIES = 5;

/** PostgreSQL's codes for a serialization failure, a deadlock and a row that another process has already inserted. */
const OUTDATED: ReadonlySet<unknown> = new Set(['40001', '40P01', '23505']);

/** The rows of one storefront order, read once and written in one statement per change. */
export class OrderSession {
  readonly #app: App;
  #rows: OrderRows;
  /** When the rows were requested. */
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

  /** Whether steps that follow immediately run in the caller's job. */
  get collectsSteps(): boolean {
    return this.#steps !== null;
  }

  /**
   * From this call on, quotes and submits that are enqueued without a delay are collected for `nextStep` and not added as jobs. A step that
   * `nextStep` has already returned becomes a job if it is enqueued again, as it would if each step ran in a separate job.
   */
  collectSteps(): void {
    this.#steps = [];
  }

  nextStep(): NewJob | null {
    const step = this.#steps?.shift() ?? null;
    if (step?.key !== undefined) this.#taken.add(step.key);
    return step;
  }

  /** Collected steps that have not been taken. */
  get remainingSteps(): readonly NewJob[] {
    return this.#steps ?? [];
  }

  readonly #isStep = ({ task, key, runAt, waitSeconds = 0 }: NewJob): boolean =>
    this.#steps !== null &&
    STEPS.has(task) &&
    runAt === undefined &&
    waitSeconds === 0 &&
    key !== undefined &&
    !this.#taken.has(key);

  /** Whether the order's plan was waiting when the rows were last read or written. */
  get isPlanWaiting(): boolean {
    return this.#rows.isPlanWaiting;
  }

  get rows(): OrderRows {
    return this.#rows;
  }

  /** A manager that reads from memory. Changes made with it are lost. */
  get reader(): OrderManager {
    return new OrderManager(this.#app, this.#rows);
  }

  /** The shop's token when the order was read. */
  get token(): SeenToken {
    const { facts } = this.#rows;
    const at = this.#readAt;
    const [shop = null] = (facts.get(Shops) ?? []) as Shop[];
    const [token = null] = (facts.get(ShopTokens) ?? []) as ShopToken[];
    return { at, shop, token };
  }

  /** The installation as it was when the order was read. Its quiet time ends no earlier than that of the shop. */
  async readInstallation(): Promise<InstallationSecrets> {
    const row = await this.reader.findOneBy(Installations, { id: 1 });
    const { databaseMark: mark } = this.#rows;
    const installation =
      !row || mark === null
        ? await readInstallation(this.#app)
        : await openInstallation(this.#app, { ...row, knownMark: row.databaseMark, mark });
    const [shop] = (this.#rows.facts.get(Shops) ?? []) as Shop[];
    return ofShop(installation, shop ?? null);
  }

  /** Reads all rows again. Returns false if the order no longer exists. */
  async reload(): Promise<boolean> {
    const readAt = this.#app.clock.now();
    const rows = await readOrderRows(this.#app.db, { storefrontOrderId: this.#rows.storefrontOrderId });
    if (!rows) return false;
    this.#rows = rows;
    this.#readAt = readAt;
    return true;
  }

  /**
   * Runs a function together with the next change, so that one statement writes the rows of both. The caller must call `settle` afterward.
   * If the process dies before the next change, these rows are lost.
   */
  changeLater(run: (manager: OrderManager) => Promise<void>): void {
    this.#later.push(run);
  }

  /** Runs the functions passed to `changeLater` if no change has run them yet. */
  async settle(): Promise<void> {
    if (this.#later.length > 0) await this.change(async () => undefined);
  }

  /**
   * Runs a function that reads and writes rows, and commits all its changes or none. If another process has changed the order since it was
   * read, the rows are read again and the function runs again. The function must therefore have no other effects.
   */
  async change<T>(run: (manager: OrderManager) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      const manager = new OrderManager(this.#app, this.#rows, this.#isStep);
      const forgetEvents = markEvents();
      try {
        // On the last attempt, the order is locked first.
        if (tries === TRIES) await this.#lock(manager);
        for (const later of this.#later) await later(manager);
        const result = await run(manager);
        const rows = await manager.commit();
        this.#later = [];
        if (rows) this.#rows = rows;
        else await this.reload();
        this.#collectNewSteps(manager.steps);
        return result;
      } catch (error) {
        await manager.rollback();
        forgetEvents();
        if (tries === TRIES || !OUTDATED.has(readErrorCode(error))) throw error;
        const before = this.#standing();
        // If the shop or the installation has changed in a way that may require the job to stop, the error makes the entire job start over.
        if (!(await this.reload()) || this.#standing() !== before) throw error;
      }
    }
  }

  /**
   * Locks the order. Writes after the lock do not compare versions, so this function compares the facts that the job checked when it began.
   */
  async #lock(manager: OrderManager): Promise<void> {
    await manager.lock();
    const shop = await manager.findOneBy(Shops, { id: this.#rows.shopId });
    const installation = await manager.findOneBy(Installations, { id: 1 });
    if (toStanding(shop, installation) !== this.#standing())
      throw new PlatenError('shop_changed', 'The shop or the installation has changed since the order was read.');
  }

  /** Returns the facts that a job checks before it begins. */
  #standing(): string {
    const [shop = null] = (this.#rows.facts.get(Shops) ?? []) as Shop[];
    const [installation = null] = (this.#rows.facts.get(Installations) ?? []) as Installation[];
    return toStanding(shop, installation);
  }

  /** Collects each step once. */
  #collectNewSteps(steps: readonly NewJob[]): void {
    for (const step of steps) if (!this.#steps?.some(({ key }) => key === step.key)) this.#steps?.push(step);
  }
}

/** Reads an order with all its rows. Returns null if the order does not exist. */
export async function openOrder(app: App, key: OrderKey): Promise<OrderSession | null> {
  const readAt = app.clock.now();
  const rows = await readOrderRows(app.db, key);
  if (!rows) return null;
  const [shop] = (rows.facts.get(Shops) ?? []) as Shop[];
  const [order] = (rows.tables.get(StorefrontOrders) ?? []) as StorefrontOrder[];
  if (shop && order) setTracedOrder({ shop: shop.domain, orderId: order.shopifyOrderId });
  return new OrderSession(app, rows, readAt);
}

function toStanding(shop: Shop | null, installation: Installation | null): string {
  return JSON.stringify([
    shop?.state,
    shop?.printAccountId,
    shop?.quietUntil,
    shop?.fencedOffAt,
    installation?.quietUntil,
  ]);
}
