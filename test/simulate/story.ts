import { toAddressOf } from '../chaos/orders/addresses.ts';
import type { SeedDatabase } from './databases.ts';
import { describeBooks } from './judge/describe-books.ts';
import {
  findForeignEstimates,
  findForgottenAttempts,
  findForgottenWebhooks,
  readKept,
} from './judge/find-forgotten.ts';
import { findFailedJobs } from './judge/find-failed-jobs.ts';
import { judgeAtRest, judgePrinting, judgeTotal, type Finding } from './judge/judge.ts';
import { openLedger } from './judge/ledger.ts';
import { readBooks, readPrinted, readStore, type Books, type PrintRecord } from './judge/read-books.ts';
import { shipAll } from './moves/ship-all.ts';
import type { Step } from './moves/step.ts';
import type { SeedPlan } from './plan-seed.ts';
import type { Replica } from './replicas.ts';
import { Refused, type Scene } from './scene.ts';
import { MAX_STEPS, type Stage } from './stage.ts';
import { runAt } from './world/place.ts';

/** The result of a seed. */
export interface SeedOutcome {
  seed: number;
  findings: Finding[];
  /** The hash of everything that happened. */
  hash: string;
  steps: number;
  /** Simulated days. */
  days: number;
  /** The number of planned events that were carried out. */
  events: number;
  /** What people and the service did, and what failed, one per line. */
  story: string[];
}

/** Longer than a shop keeps personal data and deliveries. */
const RETENTION_DAYS = 40;
const AFTER_DAYS = 30;
const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
/** A call takes effect at most this long after the reading of the store that it is based on, even if faults delay it. */
const LATE_MS = 600_000;

export class NeverIdleError extends Error {}

/** An order, and its books immediately before and after everything that was done to it. */
type Watched = Scene & { history: Books[] };
type Event<Kind extends SeedPlan['events'][number]['kind']> = Extract<SeedPlan['events'][number], { kind: Kind }>;

/** What happens on the stage: everything that is planned, until all orders are done. */
export class Story {
  readonly #plan: SeedPlan;
  readonly #outcome: SeedOutcome;
  readonly #stage: Stage;
  readonly #database: SeedDatabase;
  readonly #scenes: (Watched | null)[] = [];
  #hasBackup = false;
  #isRestored = false;
  /** The number of estimates that the print service has given. */
  #estimates = 0;
  /** The IDs of drafts that were not the order's draft when the print service gave the estimate, by day. */
  readonly #estimatesOfSpares = new Map<string, string>();

  constructor(plan: SeedPlan, outcome: SeedOutcome, stage: Stage, database: SeedDatabase) {
    this.#plan = plan;
    this.#outcome = outcome;
    this.#stage = stage;
    this.#database = database;
  }

  /** Carries out the first events of the plan, then lets everything settle. */
  async play(limit: number): Promise<void> {
    await this.#stage.open();
    const { profile, events } = this.#plan;
    if (profile.crashes > 0) await this.#database.delayCommits();
    const { scheduler } = this.#stage.world;
    scheduler.mood.isCalm = false;
    scheduler.mood.haste = profile.haste;
    this.#stage.isFaulty = true;
    await this.#stage.setWebhooks(profile.webhooks);
    await this.#stage.setSearchLag(profile.searchLagMs);
    const begun = scheduler.clock.ticks();
    for (const event of events.slice(0, limit)) {
      await this.#stage.runUntil(begun + event.at);
      this.#outcome.events += 1;
      await scheduler.settle();
      await this.#carryOut(event);
      if (this.#outcome.findings.length > 0) return;
    }
    await this.#rest();
  }

  #tell(line: string): void {
    this.#outcome.story.push(`${(this.#stage.world.scheduler.clock.ticks() / HOUR).toFixed(3).padStart(9)} h  ${line}`);
    this.#stage.world.scheduler.record(line);
  }

  async #carryOut(event: SeedPlan['events'][number]): Promise<void> {
    const { scheduler } = this.#stage.world;
    const replica = this.#stage.replicas[event.nth % Math.max(1, this.#stage.replicas.length)];
    switch (event.kind) {
      case 'place':
        await this.#place(event.order);
        return;
      case 'step': {
        const scene = this.#scenes[event.order];
        if (scene) await this.#act(scene, event.step);
        return;
      }
      case 'death':
        if (replica) this.#stage.at(event.moment, replica, (one) => this.#stage.kill(one));
        return;
      case 'suspension':
        if (replica) this.#stage.at(event.moment, replica, (one) => this.#suspend(one, event));
        return;
      case 'database outage':
        if (replica) this.#stage.at(event.moment, replica, () => this.#endDatabase(event));
        return;
      case 'jump':
        if (replica) {
          this.#tell(`the clock of ${replica.place.name} jumps by ${event.milliseconds / 1000} s`);
          replica.place.aheadMs += event.milliseconds;
        }
        return;
      case 'outage':
        this.#tell(`the print service does not respond for ${event.milliseconds / 60_000} min`);
        this.#stage.outageUntil = scheduler.clock.ticks() + event.milliseconds;
        return;
      case 'search lag':
        this.#tell(`new print orders appear in searches after ${event.milliseconds / 1000} s`);
        await this.#stage.setSearchLag(event.milliseconds);
        return;
      case 'polls':
        await this.#stage.drive(this.#stage.enqueuePolls());
        return;
      case 'estimates':
        await this.#changeEstimates();
        return;
      case 'backup':
        this.#hasBackup = true;
        this.#tell('the database is copied');
        await this.#stage.world.database.restart(() => this.#database.backUp());
        return;
      case 'restore':
        if (!this.#hasBackup) return;
        this.#tell('the database returns to its copy');
        await this.#stage.world.database.restart(() => this.#database.restore());
        this.#stage.webhooks.clear();
        this.#isRestored = true;
    }
  }

  async #suspend(replica: Replica, { milliseconds, cutOffMs }: Event<'suspension'>): Promise<void> {
    const cutOff = cutOffMs === null ? '' : `, and loses its connections to the database after ${cutOffMs / 1000} s`;
    this.#tell(`${replica.place.name} is suspended for ${milliseconds / 1000} s${cutOff}`);
    this.#stage.suspend(replica, milliseconds, cutOffMs);
  }

  async #endDatabase({ milliseconds, crashes }: Event<'database outage'>): Promise<void> {
    const { database, scheduler, judge } = this.#stage.world;
    this.#tell(`the database ${crashes ? 'crashes' : 'stops'} for ${milliseconds / 1000} s`);
    await database.shut();
    if (crashes) await database.restart(() => this.#database.crash());
    scheduler.startTimer(milliseconds, () => database.open(), judge);
  }

  /** Changes each estimate to another day, so that the day shows which order or draft the estimate is about. */
  async #changeEstimates(): Promise<void> {
    this.#tell('the print service changes all delivery estimates');
    const printed = (await this.#stage.ask('print', 'GET', '/orders')) as PrintRecord[];
    const { chosen } = await this.#read(() => readKept(this.#stage.platen));
    for (const { id, deleted } of printed) {
      if (deleted === true) continue;
      const { scheduler } = this.#stage.world;
      this.#estimates += 1;
      const day = new Date(scheduler.clock.now().getTime() + (90 + this.#estimates) * DAY).toISOString().slice(0, 10);
      await this.#stage.ask('print', 'POST', `/orders/${id}/estimate`, { minDeliveryDate: day, maxDeliveryDate: day });
      if (!chosen.has(id)) this.#estimatesOfSpares.set(day, id);
    }
  }

  /** Reads something as the judge. */
  #read<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#stage.drive(runAt(this.#stage.world.judge, work));
  }

  /** Looks at the books immediately before and after a step, which may end later. */
  async #act(scene: Watched, step: Step): Promise<void> {
    const { judge, scheduler } = this.#stage.world;
    await this.#look(scene);
    void runAt(judge, () => this.#take(scene, step)).catch((error: unknown) =>
      this.#outcome.findings.push({ rule: 'error', evidence: String((error as Error).stack) }),
    );
    await scheduler.settle();
    await this.#look(scene);
  }

  async #take(scene: Scene, { words, act }: Step): Promise<void> {
    try {
      const result = await act(scene);
      this.#tell(`${scene.order.name}: ${words}${result ? ` (${result})` : ''}`);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#tell(`${scene.order.name}: ${words} (refused: ${error.message})`);
    }
  }

  async #place(index: number): Promise<void> {
    const order = this.#plan.orders[index];
    if (!order) return;
    const variants = (await this.#stage.ask('store', 'GET', '/variants')) as { sku: string; variantId: string }[];
    const lines = Object.entries(order.cart).map(([sku, quantity]) => ({
      variantId: variants.find((one) => one.sku === sku)?.variantId,
      quantity,
    }));
    const { id, name } = (await this.#stage.ask('store', 'POST', '/orders', {
      lines,
      shippingAddress: toAddressOf('US', 'Buyer'),
      financialStatus: order.isPaid ? 'paid' : 'pending',
    })) as { id: string; name: string };
    this.#tell(`${name}: ${JSON.stringify(order.cart)}${order.isPaid ? '' : ', not paid yet'}`);
    this.#scenes[index] = {
      platen: this.#stage.platen,
      order: { id, name },
      ledger: openLedger({ overlaps: true }),
      owns: ({ metadata }) => metadata.some(({ key, value }) => key === 'order' && value === name),
      showsItems: this.#plan.way.extended,
      inApp: (act) => this.#stage.inApp(act),
      history: [],
    };
  }

  /** Checks that the store wanted everything that was sent to print since the last look. */
  async #look(scene: Watched): Promise<void> {
    const { ledger, history, showsItems } = scene;
    const at = this.#stage.world.scheduler.clock.now().getTime();
    const books = await this.#stage.drive(
      runAt(this.#stage.world.judge, async () => ({
        at,
        store: await readStore(scene),
        printed: await readPrinted(scene),
        showsItems,
        shown: null,
      })),
    );
    ledger.lateSince = at - LATE_MS;
    const found = judgePrinting(history, books, ledger);
    history.push(books);
    this.#outcome.findings.push(
      ...found.map(({ rule, evidence }) => ({ rule, evidence: `${scene.order.name} ${evidence}` })),
    );
  }

  /** Ends all faults, lets days pass, ships everything, lets days pass again, and judges the books each time. */
  async #rest(): Promise<void> {
    const { scheduler } = this.#stage.world;
    this.#stage.endFaults();
    scheduler.mood.haste = 0;
    await this.#stage.setWebhooks({ drop: 0, duplicate: 0, shuffleMs: 0 });
    await this.#stage.setSearchLag(0);
    this.#tell('every call gets a response again');
    await this.#stage.runUntil(scheduler.clock.ticks() + HOUR);
    if (await this.#stage.signIn()) this.#tell('the merchant opens the app');
    await this.#pass(DAY, 9 * DAY);
    if (await this.#judge()) return;
    for (const scene of this.#scenes)
      if (scene) await this.#stage.drive(runAt(this.#stage.world.judge, () => shipAll(scene)));
    this.#tell('the print service ships all its orders');
    await this.#stage.runUntil(scheduler.clock.ticks() + DAY);
    await this.#actOnAll('sequel');
    await this.#pass(9 * DAY);
    if (!(await this.#judge()) && this.#plan.isLong) await this.#age();
  }

  /** Lets 40 days pass, removes old data, changes the orders once more and lets another month pass. */
  async #age(): Promise<void> {
    await this.#pass(RETENTION_DAYS * DAY);
    await this.#stage.drive(this.#stage.removeOldData());
    this.#stage.webhooks.clear();
    await this.#actOnAll('late');
    await this.#pass(DAY, AFTER_DAYS * DAY);
    await this.#judge();
  }

  async #actOnAll(which: 'sequel' | 'late'): Promise<void> {
    for (const [index, scene] of this.#scenes.entries()) {
      const step = this.#plan.orders[index]?.[which];
      if (scene && step) await this.#act(scene, step);
    }
  }

  async #pass(...stretches: number[]): Promise<void> {
    const { scheduler } = this.#stage.world;
    for (const stretch of stretches) {
      const [end, most] = [scheduler.clock.ticks() + stretch, scheduler.steps() + MAX_STEPS];
      while (await this.#stage.step(end))
        if (scheduler.steps() > most)
          throw new NeverIdleError(`More than ${MAX_STEPS} steps within ${stretch / HOUR} h.`);
      scheduler.pass(end);
      await this.#stage.drive(this.#stage.enqueuePolls());
      const settled = scheduler.clock.ticks() + 60_000;
      while (await this.#stage.step(settled));
      scheduler.pass(settled);
    }
  }

  async #judge(): Promise<boolean> {
    const { findings, story } = this.#outcome;
    const { platen, webhooks, world } = this.#stage;
    const kept = await this.#read(() => readKept(platen));
    for (const scene of this.#scenes) {
      if (!scene) continue;
      await this.#look(scene);
      const books = await this.#read(() => readBooks(scene));
      const found = [
        ...judgeTotal(books, scene.ledger),
        ...judgeAtRest(books, scene.ledger),
        ...findForeignEstimates(books, this.#estimatesOfSpares, kept),
      ];
      if (!this.#isRestored) found.push(...findForgottenAttempts(books.printed, kept));
      world.scheduler.record(describeBooks(books));
      if (found.length > 0) story.push(`            ${scene.order.name}: ${describeBooks(books)}`);
      findings.push(...found.map(({ rule, evidence }) => ({ rule, evidence: `${scene.order.name} ${evidence}` })));
    }
    findings.push(...findForgottenWebhooks(webhooks, kept), ...(await this.#read(() => findFailedJobs(platen))));
    return findings.length > 0;
  }
}
